package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Rates and durations, from what Postgres has of lanes and batches at two times. */
class StreamSamplerTest {

    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    private final StreamSampler sampler = new StreamSampler();

    @Test
    void ratesAreOfWhatCameAndOfWhatWasCommittedOverAllLanes() {
        Sample first = sample(0, lane("orders-0", 100, 150), lane("orders-1", 0, 0));
        assertThat(first.inputRate()).isNull();
        assertThat(first.processRate()).isNull();

        Sample second = sample(10, lane("orders-0", 140, 250), lane("orders-1", 10, 50));

        assertThat(second.inputRate()).isEqualTo(15);
        assertThat(second.processRate()).isEqualTo(5);
        assertThat(second.lag()).isEqualTo(7);
    }

    @Test
    void aRewindIsNoNegativeRate() {
        sample(0, lane("orders-0", 100, 150));
        assertThat(sample(10, lane("orders-0", 20, 150)).processRate()).isZero();
        assertThat(sample(20, lane("orders-0", 70, 150)).processRate()).isPositive();
    }

    @Test
    void whatIsSkippedOrLostIsNotProcessed() {
        sample(0, List.of(after(7, "orders-0", 100)), List.of());

        BatchReport skip = passedOver(9, "skipped", 140, 10_000_140);
        Sample skipped = sample(10, List.of(after(10, "orders-0", 10_000_160)), List.of(skip));
        // 40 before it and 20 after it.
        assertThat(skipped.processRate()).isEqualTo(6);

        // It is in the logs still, and counts once.
        BatchReport loss = passedOver(11, "lost", 10_000_160, 20_000_160);
        Sample lost = sample(12, List.of(after(12, "orders-0", 20_000_184)), List.of(loss, skip));
        assertThat(lost.processRate()).isEqualTo(7);
    }

    @Test
    void whatWasSkippedBeforeSomebodyLookedOrOnAnotherLaneTakesNothingAway() {
        BatchReport skip = passedOver(9, "skipped", 100, 200);
        sample(0, List.of(after(9, "orders-0", 200), after(7, "orders-1", 100)), List.of(skip));

        Sample later = sample(10, List.of(after(10, "orders-0", 250), after(9, "orders-1", 150)), List.of(skip));

        assertThat(later.processRate()).isEqualTo(10);
    }

    @Test
    void aRateForgetsWhatIsLongAgo() {
        for (int at = 0; at <= 60; at += 2) {
            sample(at, lane("orders-0", at * 100L, at * 100L));
        }
        for (int at = 62; at <= 80; at += 2) {
            sample(at, lane("orders-0", 6000, 6000));
        }
        assertThat(sample(82, lane("orders-0", 6000, 6000)).processRate()).isZero();
    }

    @Test
    void anEndThatIsNotToldAnyMoreDoesNotGrow() {
        LaneReport end = at(lane("orders-0", 0, 1000), 10);
        sample(0, lane("orders-0", 0, 0));
        sample(10, lane("orders-0", 0, 1000));
        assertThat(sampleOf(16, end).inputRate()).isEqualTo(100);
        assertThat(sampleOf(20, end).inputRate()).isEqualTo(50);
        assertThat(sampleOf(26, end).inputRate()).isZero();
    }

    @Test
    void batchesCountOnceAndAreTheNewOnes() {
        // What was committed before somebody looked may be days old.
        assertThat(sample(0, List.of(batch(1, -1, 500, 90))).records()).isNull();

        Sample second = sample(2, List.of(batch(3, 2, 100, 30), batch(2, 1, 200, 10), batch(1, -1, 500, 90)));
        assertThat(second.records()).isEqualTo(150);
        assertThat(second.duration()).isEqualTo(20);
        assertThat(second.phases()).isEqualTo(Map.of(BatchPhase.HANDLER, 20.0));

        assertThat(sample(4, List.of(batch(3, 2, 100, 30), batch(2, 1, 200, 10)))
                        .records())
                .isNull();
    }

    private Sample sample(int at, LaneReport... lanes) {
        return sampler.sample(
                START.plusSeconds(at),
                report(),
                List.of(lanes).stream().map(lane -> at(lane, at)).toList(),
                List.of());
    }

    private Sample sampleOf(int at, LaneReport lane) {
        return sampler.sample(START.plusSeconds(at), report(), List.of(lane), List.of());
    }

    private Sample sample(int at, List<BatchReport> batches) {
        return sampler.sample(START.plusSeconds(at), report(), List.of(), batches);
    }

    private Sample sample(int at, List<LaneReport> lanes, List<BatchReport> batches) {
        return sampler.sample(START.plusSeconds(at), report(), lanes, batches);
    }

    private static StreamReport report() {
        return new StreamReport(
                "orders", List.of("orders"), false, 0, Map.of(LaneState.ACTIVE, 1), OptionalLong.of(7), 0, null, null);
    }

    private static LaneReport lane(String name, long position, long end) {
        return lane(name, 1, position, end);
    }

    /** A lane after a batch. */
    private static LaneReport after(long lastBatch, String name, long position) {
        return lane(name, lastBatch, position, position);
    }

    private static LaneReport lane(String name, long lastBatch, long position, long end) {
        return new LaneReport(
                name,
                LaneState.ACTIVE,
                "a",
                1,
                lastBatch,
                Offsets.of(name, position),
                Offsets.of(name, end),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                null,
                START,
                null);
    }

    private static LaneReport at(LaneReport lane, int seconds) {
        return new LaneReport(
                lane.lane(),
                lane.state(),
                lane.instance(),
                lane.epoch(),
                lane.lastBatch(),
                lane.position(),
                lane.latest(),
                lane.lag(),
                lane.lagSeconds(),
                START.plusSeconds(seconds),
                lane.changedAt(),
                lane.problem());
    }

    private static BatchReport batch(long id, int committedAt, int records, int milliseconds) {
        Instant committed = START.plusSeconds(committedAt);
        return new BatchReport(
                "orders-0",
                id,
                0,
                OffsetRange.of("orders-0", 0, records),
                "committed",
                0,
                1L,
                "a",
                records,
                0,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                committed.minusMillis(milliseconds),
                committed.minusMillis(milliseconds),
                committed,
                Duration.ofMillis(milliseconds),
                Map.of(BatchPhase.HANDLER, Duration.ofMillis(milliseconds)),
                null);
    }

    private static BatchReport passedOver(long id, String status, long start, long end) {
        return new BatchReport(
                "orders-0",
                id,
                0,
                OffsetRange.of("orders-0", start, end),
                status,
                0,
                1L,
                null,
                0,
                0,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                START,
                null,
                START,
                null,
                Map.of(),
                null);
    }
}
