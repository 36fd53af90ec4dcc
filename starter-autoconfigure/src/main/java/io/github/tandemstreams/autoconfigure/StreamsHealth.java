package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.StreamOperations;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;

/**
 * One contributor for each stream. It asks for their names when it is asked itself: the streams are put together after
 * this bean. Groups may include one, as in {@code tandem/flights}; by default, neither readiness nor liveness do, since
 * one failed lane must not take every instance out of service.
 */
final class StreamsHealth implements CompositeHealthContributor {

    private final StreamOperations streams;
    private final Duration stalledAfter;

    StreamsHealth(StreamOperations streams, Duration stalledAfter) {
        this.streams = streams;
        this.stalledAfter = stalledAfter;
    }

    @Override
    public @Nullable HealthContributor getContributor(String name) {
        return streams.streams().contains(name) ? of(name) : null;
    }

    @Override
    public Stream<Entry> stream() {
        return streams.streams().stream().map(name -> new Entry(name, of(name)));
    }

    private StreamHealthIndicator of(String stream) {
        return new StreamHealthIndicator(streams, stream, stalledAfter);
    }
}
