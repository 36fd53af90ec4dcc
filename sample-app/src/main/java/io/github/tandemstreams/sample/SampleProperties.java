package io.github.tandemstreams.sample;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the sample does.
 *
 * @param publish where the flights that it publishes come from
 * @param flightsFile a file with one JSON object a line, to be published once, in order, at full speed
 * @param rate generated flights a second
 * @param partitions partitions of the topic, if it doesn't exist yet
 * @param consume whether it consumes; otherwise it is a publisher only and needs no database
 * @param exitWhenCaughtUp whether it ends when everything published is committed; a consumer only ends when everything
 *     that stood in the topic at its start is
 * @param trouble bad records and a slow handler, until the page changes that
 */
@ConfigurationProperties("sample")
record SampleProperties(
        @DefaultValue("generate") Publish publish,
        @Nullable Path flightsFile,
        @DefaultValue("200") int rate,
        @DefaultValue("4") int partitions,
        @DefaultValue("true") boolean consume,
        @DefaultValue("false") boolean exitWhenCaughtUp,
        @DefaultValue Trouble.Settings trouble) {

    /** Where the flights that are published come from. */
    enum Publish {
        GENERATE,
        FILE,
        NONE
    }
}
