package io.github.tandemstreams;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A stream over all instances.
 *
 * @param stream name of the stream
 * @param topics its topics
 * @param stopped whether an operator stopped it everywhere
 * @param version how many commands it has had
 * @param lanes how many lanes are in each state
 * @param lag records not committed yet over all lanes; empty while that is unknown for one of them, as for a lane that no
 *     instance has held for a minute
 * @param deadLetters dead letters that wait
 * @param lastCommit when a batch was committed last; null if none was
 * @param problem why a lane failed, the last one that did; null if none is failed
 */
public record StreamReport(
        String stream,
        List<String> topics,
        boolean stopped,
        long version,
        Map<LaneState, Integer> lanes,
        OptionalLong lag,
        long deadLetters,
        @Nullable Instant lastCommit,
        @Nullable String problem) {

    public StreamReport {
        topics = List.copyOf(topics);
        lanes = Map.copyOf(lanes);
    }
}
