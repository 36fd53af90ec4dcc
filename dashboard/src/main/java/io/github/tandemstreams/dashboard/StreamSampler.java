package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes samples of one stream, each from what changed since the one before. Threading: belongs to the sampler's thread. */
final class StreamSampler {

    /** Batches that move a lane past records which nobody processed. */
    private static final Set<String> PASSING_OVER = Set.of("skipped", "lost");

    private static final class LaneRates {

        private final Rate input = new Rate();
        private final Rate process = new Rate();
        private long lastBatch;

        /** Records that were passed over since the first sample: the position grew by them, but nothing was processed. */
        private long passedOver;

        LaneRates(LaneReport lane) {
            this.lastBatch = lane.lastBatch();
        }

        void add(double now, LaneReport lane, List<BatchReport> batches) {
            for (BatchReport batch : batches) {
                if (PASSING_OVER.contains(batch.status())
                        && batch.lane().equals(lane.lane())
                        && batch.batchId() > lastBatch
                        && batch.batchId() <= lane.lastBatch()) {
                    passedOver += sum(batch.range().ends()) - sum(batch.range().starts());
                }
            }
            lastBatch = lane.lastBatch();
            process.add(now, sum(lane.position()) - passedOver);
            if (lane.latestAt() != null) {
                input.add(seconds(lane.latestAt()), sum(lane.latest()));
            }
        }
    }

    private final Map<String, LaneRates> rates = new HashMap<>();

    /** By the database's clock; null before the first sample, which has nothing to compare with. */
    private @Nullable Instant newestCommit;

    /** @param batches read after the lanes: they have the last batch of each, if it is new */
    Sample sample(Instant now, StreamReport report, List<LaneReport> lanes, List<BatchReport> batches) {
        double seconds = seconds(now);
        for (LaneReport lane : lanes) {
            rates.computeIfAbsent(lane.lane(), name -> new LaneRates(lane)).add(seconds, lane, batches);
        }
        List<BatchReport> committed = newlyCommitted(batches);
        return new Sample(
                now.toEpochMilli(),
                total(seconds, true),
                total(seconds, false),
                report.lag().isPresent() ? report.lag().getAsLong() : null,
                orNull(committed.stream().mapToInt(BatchReport::records).average()),
                mean(committed, BatchReport::duration),
                phases(committed));
    }

    private @Nullable Double total(double now, boolean input) {
        double sum = 0;
        boolean known = false;
        for (LaneRates lane : rates.values()) {
            OptionalDouble rate = (input ? lane.input : lane.process).perSecond(now);
            known |= rate.isPresent();
            sum += rate.orElse(0);
        }
        return known ? sum : null;
    }

    private static Map<BatchPhase, Double> phases(List<BatchReport> batches) {
        Map<BatchPhase, Double> means = new EnumMap<>(BatchPhase.class);
        for (BatchPhase phase : BatchPhase.values()) {
            Double mean = mean(batches, batch -> batch.phases().get(phase));
            if (mean != null) {
                means.put(phase, mean);
            }
        }
        return means;
    }

    /** In milliseconds, of those that have one. */
    private static @Nullable Double mean(
            List<BatchReport> batches, Function<BatchReport, @Nullable Duration> duration) {
        return orNull(batches.stream()
                .map(duration)
                .filter(Objects::nonNull)
                .mapToDouble(Durations::milliseconds)
                .average());
    }

    private static @Nullable Double orNull(OptionalDouble number) {
        return number.isPresent() ? number.getAsDouble() : null;
    }

    private List<BatchReport> newlyCommitted(List<BatchReport> batches) {
        Instant known = newestCommit;
        Instant newest = known == null ? Instant.MIN : known;
        List<BatchReport> committed = new ArrayList<>();
        for (BatchReport batch : batches) {
            Instant at = batch.committedAt();
            if (at != null && batch.status().equals("committed")) {
                newest = at.isAfter(newest) ? at : newest;
                if (known != null && at.isAfter(known)) {
                    committed.add(batch);
                }
            }
        }
        newestCommit = newest;
        return committed;
    }

    private static long sum(Offsets offsets) {
        return offsets.byPartition().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static double seconds(Instant time) {
        return time.toEpochMilli() / 1e3;
    }
}
