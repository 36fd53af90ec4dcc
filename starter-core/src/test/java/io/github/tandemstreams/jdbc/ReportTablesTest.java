package io.github.tandemstreams.jdbc;

import static io.github.tandemstreams.checkpoint.SampleBatches.STREAM;
import static io.github.tandemstreams.checkpoint.SampleBatches.claim;
import static io.github.tandemstreams.checkpoint.SampleBatches.lane;
import static io.github.tandemstreams.checkpoint.SampleBatches.unplanned;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.LaneEnd;
import io.github.tandemstreams.source.LaneId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the views say of lanes whose ends are known, or not. The lane of the test stands at offset 110. */
class ReportTablesTest {

    private static final LaneId LANE = lane(0);
    private static final Instant OLDEST = Instant.parse("2026-01-02T03:04:05Z");

    private final CheckpointFixture fixture = new CheckpointFixture();

    ReportTablesTest() {
        fixture.register(1);
        fixture.commit(fixture.a, unplanned(claim(fixture.a, LANE).fence()));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void whatIsNotKnownIsNull() {
        assertThat(lag()).containsEntry("lag", null).containsEntry("lag_seconds", null);
        assertThat(lag()).containsEntry("end_offset", null).containsEntry("seen_at", null);
        assertThat(fixture.jdbc.queryForMap("select * from tandem.stream_progress"))
                .containsEntry("lag", null)
                .containsEntry("handler_ms", null)
                .containsEntry("records_per_second_out", null)
                .containsEntry("trace_id", null);
        assertThat(report().lag()).isEmpty();
        assertThat(report().lagSeconds()).isEmpty();
        assertThat(report().latest()).isEqualTo(Offsets.none());
        assertThat(report().latestAt()).isNull();
        assertThat(fixture.a.reports().streams(Set.of(STREAM)).get(0).lag()).isEmpty();
    }

    @Test
    void theLagIsThatOfTheEndsSeenLast() {
        seen(110, 150, OLDEST);
        assertThat(lag()).containsEntry("lag", 40L);
        double seconds = (double) lag().get("lag_seconds");
        assertThat(seconds).isGreaterThan(1000);
        assertThat(report().lagSeconds().orElseThrow()).isBetween(seconds, (double) lag().get("lag_seconds"));
        assertThat(report().lag()).isEqualTo(OptionalLong.of(40));
        assertThat(report().latest()).isEqualTo(Offsets.of(LANE.lane(), 150));

        seen(110, 110, null);
        assertThat(lag()).containsEntry("lag", 0L).containsEntry("lag_seconds", 0.0);
        assertThat(report().lagSeconds()).hasValue(0);
    }

    @Test
    void anEndBeforeThePositionIsNoNegativeLag() {
        seen(90, 100, OLDEST);
        assertThat(lag()).containsEntry("lag", 0L).containsEntry("lag_seconds", 0.0);
    }

    @Test
    void theOldestRecordIsRememberedWhileTheLaneStandsStill() {
        seen(110, 150, OLDEST);
        seen(110, 160, null);
        assertThat(lag()).containsEntry("lag", 50L);
        assertThat((double) lag().get("lag_seconds")).isGreaterThan(1000);
        seen(120, 160, null);
        assertThat(lag()).containsEntry("lag_seconds", null);
    }

    /** As after all instances died, or the stream was stopped. */
    @Test
    void whatNobodyHasSeenForAMinuteIsNotKnown() {
        seen(110, 150, OLDEST);
        pass(Duration.ofSeconds(50));
        assertThat(lag()).containsEntry("lag", 40L).containsEntry("end_offset", 150L);

        pass(Duration.ofSeconds(11));
        assertThat(lag()).containsEntry("lag", null).containsEntry("lag_seconds", null);
        assertThat(lag()).containsEntry("end_offset", null);
        assertThat(lag().get("seen_at")).as("when it was seen last").isNotNull();
        assertThat(report().lag()).isEmpty();
        assertThat(report().latest()).isEqualTo(Offsets.none());
        assertThat(report().latestAt()).isNull();
        assertThat(streamLag()).isEmpty();

        seen(110, 150, OLDEST);
        assertThat(streamLag()).isEqualTo(OptionalLong.of(40));
    }

    /** It may be written late. */
    @Test
    void whatWasSeenAMinuteAgoIsNotKnownWhenItIsWritten() {
        seen(110, 110, null, Duration.ofSeconds(50));
        assertThat(lag()).containsEntry("lag", 0L);
        seen(110, 110, null, Duration.ofSeconds(61));
        assertThat(lag()).containsEntry("lag", null).containsEntry("end_offset", null);
    }

    @Test
    void aLaneThatStoodAtItsEndWhenItWasSeenLastIsNotAtItForEver() {
        seen(110, 110, null);
        assertThat(streamLag()).isEqualTo(OptionalLong.of(0));
        pass(Duration.ofSeconds(61));
        assertThat(lag()).containsEntry("lag", null).containsEntry("lag_seconds", null);
        assertThat(streamLag()).isEmpty();
    }

    @Test
    void oneLaneThatNobodyHasSeenForAMinuteLeavesTheLagOfTheStreamUnknown() {
        fixture.jdbc.update(
                "insert into tandem.lane (stream, lane, position) values (?, 'flights-9', '{\"flights-9\": 7}')",
                STREAM);
        LaneId other = new LaneId(STREAM, "flights-9");
        fixture.a
                .reports()
                .seen(Map.of(
                        new LaneEnd(other, Offsets.of("flights-9", 7), Offsets.of("flights-9", 9), null),
                        Duration.ZERO));
        pass(Duration.ofSeconds(61));
        seen(110, 150, OLDEST);
        assertThat(report().lag()).isEqualTo(OptionalLong.of(40));
        assertThat(streamLag()).isEmpty();
    }

    @Test
    void aCommitTellsTheEndForAMinuteToo() {
        fixture.jdbc.update("update tandem.commit_log set latest = '{\"" + LANE.lane() + "\": 130}'");
        assertThat(lag()).containsEntry("lag", 20L).containsEntry("end_offset", 130L);
        fixture.jdbc.update("update tandem.commit_log set committed_at = committed_at - interval '61 seconds'");
        assertThat(lag()).containsEntry("lag", null).containsEntry("end_offset", null);
    }

    /** Also after batches without a run, and where another instance's clock is behind. */
    @Test
    void theRatesOfBatchesAreThoseOfTheView() {
        batch(1, "skipped", null, null);
        batch(2, "committed", OLDEST.plusSeconds(2), 400.5f);
        batch(3, "committed", OLDEST.plusSeconds(1), 0f);
        batch(4, "abandoned", null, null);
        batch(5, "committed", OLDEST.plusMillis(4321), 12.34f);
        Map<Long, List<OptionalDouble>> rates =
                fixture.jdbc.queryForList("select * from tandem.stream_progress").stream()
                        .collect(Collectors.toMap(
                                row -> (long) row.get("batch"),
                                row -> List.of(
                                        optional(row.get("records_per_second_in")),
                                        optional(row.get("records_per_second_out")))));
        assertThat(rates).containsOnlyKeys(0L, 2L, 3L, 5L);
        List<OptionalDouble> unknown = List.of(OptionalDouble.empty(), OptionalDouble.empty());
        for (String lane : Arrays.asList(null, LANE.lane())) {
            assertThat(fixture.b.reports().batches(STREAM, lane, 10))
                    .hasSize(6)
                    .allSatisfy(batch -> assertThat(List.of(batch.recordsPerSecondIn(), batch.recordsPerSecondOut()))
                            .isEqualTo(rates.getOrDefault(batch.batchId(), unknown)));
        }
        assertThat(rates.get(2L).get(0)).hasValue(3.5);
        assertThat(rates.get(5L).get(0)).isPresent();
    }

    private void batch(long batch, String status, @Nullable Instant startedAt, @Nullable Float milliseconds) {
        fixture.jdbc.update(
                "insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)"
                        + " select stream, lane, ?, generation, starts, ends from tandem.offset_log where batch = 0",
                batch);
        fixture.jdbc.update(
                "insert into tandem.commit_log (stream, lane, batch, generation, epoch, status, records,"
                        + " started_at, duration_ms, committed_at) values (?, ?, ?, 0, 1, ?, 7, ?::timestamptz, ?, now())",
                STREAM,
                LANE.lane(),
                batch,
                status,
                startedAt == null ? null : startedAt.toString(),
                milliseconds);
    }

    private static OptionalDouble optional(@Nullable Object number) {
        return number == null ? OptionalDouble.empty() : OptionalDouble.of((double) number);
    }

    /** Time, as far as what was seen is concerned. */
    private void pass(Duration time) {
        fixture.jdbc.update(
                "update tandem.lane_end set seen_at = seen_at - make_interval(secs => ?)", (double) time.toSeconds());
    }

    private OptionalLong streamLag() {
        return fixture.a.reports().streams(Set.of(STREAM)).get(0).lag();
    }

    private void seen(long position, long end, @Nullable Instant oldest) {
        seen(position, end, oldest, Duration.ZERO);
    }

    private void seen(long position, long end, @Nullable Instant oldest, Duration ago) {
        fixture.a
                .reports()
                .seen(Map.of(
                        new LaneEnd(LANE, Offsets.of(LANE.lane(), position), Offsets.of(LANE.lane(), end), oldest),
                        ago));
    }

    private Map<String, Object> lag() {
        return fixture.jdbc.queryForMap("select * from tandem.lane_lag");
    }

    private LaneReport report() {
        return fixture.b.reports().lanes(STREAM).get(0);
    }
}
