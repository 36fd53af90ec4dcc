package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.StreamReport;
import io.github.tandemstreams.StreamReports;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SamplerTest {

    @Test
    void anErrorDoesNotEndIt() {
        BrokenAtFirst reports = new BrokenAtFirst();
        try (Sampler sampler = new Sampler(reports, Clock.systemUTC())) {
            assertThat(sampler.since("orders", 0)).isEmpty();
            sampler.start();
            await().until(() -> !sampler.since("orders", 0).isEmpty());
            assertThat(reports.looks).hasValueGreaterThan(1);
        }
    }

    /** Throws an error at the first look. */
    private static final class BrokenAtFirst implements StreamReports {

        final AtomicInteger looks = new AtomicInteger();

        @Override
        public List<StreamReport> streams() {
            if (looks.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("gone");
            }
            return List.of(stream("orders"));
        }

        @Override
        public StreamReport stream(String stream) {
            return new StreamReport(
                    stream, List.of(stream), false, 0, Map.of(LaneState.ACTIVE, 1), OptionalLong.of(7), 0, null, null);
        }

        @Override
        public List<LaneReport> lanes(String stream) {
            return List.of();
        }

        @Override
        public List<BatchReport> batches(String stream, @Nullable String lane, int limit) {
            return List.of();
        }

        @Override
        public Optional<BatchReport> batchOf(String stream, String topic, int partition, long offset) {
            return Optional.empty();
        }

        @Override
        public Optional<BatchReport> oldestBatch(String stream, String lane) {
            return Optional.empty();
        }
    }
}
