package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamReport;
import io.github.tandemstreams.StreamReports;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is told of streams: to listeners, by the bean, and by the views in Postgres. */
class ReportsTest {

    private static final Duration SLOW = Duration.ofMillis(60);

    @Test
    void theNumbersOfARealRunAreTheSameForListenersReportsAndViews() {
        try (StreamFixture fixture = new StreamFixture(2)) {
            Topics.produce(fixture.topic, 0, 30, i -> "a" + i);
            Topics.produce(fixture.topic, 1, 10, i -> "b" + i);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        Thread.sleep(SLOW.toMillis());
                        StreamFixture.note(fixture.jdbc, batch);
                    },
                    definition -> definition.limits(new Limits(10, 1 << 20, 1 << 24)));
            StreamReports reports = new StreamOverview(() -> List.of(runtime));
            assertThat(reports.stream(fixture.name).lanes()).isEmpty();
            runtime.start();
            fixture.awaitSeen(40);
            fixture.until("all were reported", () -> fixture.progress.size() == 4);

            String lane = fixture.topic + "-0";
            List<StreamProgress> told = fixture.progress.stream()
                    .filter(progress -> progress.lane().equals(lane))
                    .sorted(Comparator.comparing(StreamProgress::batchId))
                    .toList();
            assertThat(told).hasSize(3).allSatisfy(progress -> {
                assertThat(progress.records()).isEqualTo(10);
                assertThat(progress.latest()).isEqualTo(Offsets.of(lane, 30));
                assertThat(progress.instance()).isEqualTo("test");
                assertThat(progress.phases()).containsOnlyKeys(BatchPhase.values());
                assertThat(progress.phase(BatchPhase.HANDLER)).isBetween(SLOW, Duration.ofSeconds(20));
                assertThat(progress.duration()).isGreaterThanOrEqualTo(progress.phase(BatchPhase.HANDLER));
                assertThat(progress.recordsPerSecondOut()).isBetween(0.5, 10 / 0.06);
                assertThat(progress.attempts()).isZero();
            });
            assertThat(told.get(0).recordsPerSecondIn()).isEmpty();
            assertThat(told.get(1).recordsPerSecondIn().orElseThrow()).isBetween(0.1, 10 / 0.06);
            assertThat(told).extracting(StreamProgress::lag).containsExactly(of(20), of(10), of(0));

            List<BatchReport> batches = reports.batches(fixture.name, lane, 2);
            assertThat(batches).extracting(BatchReport::batchId).containsExactly(2L, 1L);
            assertThat(batches.get(0).range()).isEqualTo(told.get(2).range());
            assertThat(batches.get(0).records()).isEqualTo(10);
            assertThat(batches.get(0).status()).isEqualTo("committed");
            assertThat(batches.get(0).phases().get(BatchPhase.HANDLER))
                    .isCloseTo(told.get(2).phase(BatchPhase.HANDLER), Duration.ofMillis(1));
            assertThat(batches.get(0).phases()).doesNotContainKey(BatchPhase.COMMIT);
            assertThat(reports.batches(fixture.name, null, 100)).hasSize(4);

            List<Map<String, Object>> rows = fixture.jdbc.queryForList(
                    "select * from tandem.stream_progress where stream = ? and lane = ? order by batch",
                    fixture.name,
                    lane);
            assertThat(rows).extracting(row -> row.get("lag")).containsExactly(20L, 10L, 0L);
            assertThat(rows).extracting(row -> row.get("records")).containsExactly(10, 10, 10);
            assertThat(rows).allSatisfy(row -> {
                assertThat((double) row.get("records_per_second_out")).isBetween(0.5, 10 / 0.06);
                assertThat((float) row.get("handler_ms")).isGreaterThanOrEqualTo(60);
            });
            assertThat(rows.get(0).get("records_per_second_in")).isNull();
            assertThat((double) rows.get(1).get("records_per_second_in"))
                    .isCloseTo(
                            told.get(1).recordsPerSecondIn().orElseThrow(),
                            org.assertj.core.data.Percentage.withPercentage(1));
        }
    }

    @Test
    void runsThatFailedBeforeAreToldWithTheBatch() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            AtomicInteger failures = new AtomicInteger(2);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        if (failures.getAndDecrement() > 0) {
                            throw new IllegalStateException("not yet");
                        }
                        StreamFixture.note(fixture.jdbc, batch);
                    },
                    definition -> definition.failurePolicy(StreamFixture.failures(5, OnFailure.STOP, true)));
            Topics.produce(fixture.topic, 0, 1, i -> "v" + i);
            runtime.start();
            fixture.awaitSeen(1);
            Topics.produce(fixture.topic, 0, 1, i -> "w" + i);
            fixture.awaitSeen(2);
            fixture.until("both were reported", () -> fixture.progress.size() == 2);
            assertThat(fixture.progress).extracting(StreamProgress::attempts).containsExactly(2, 0);
            assertThat(fixture.jdbc.queryForList(
                            "select attempts from tandem.stream_progress order by batch", Integer.class))
                    .containsExactly(2, 0);
            assertThat(new StreamOverview(() -> List.of(runtime)).batches(fixture.name, null, 10))
                    .extracting(BatchReport::attempts)
                    .containsExactly(0, 2);
        }
    }

    @Test
    void theBatchOfARecordIsTheLastOneThatCoversIt() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 20, i -> "v" + i);
            StreamRuntime runtime =
                    fixture.stream(fixture.probe(), definition -> definition.limits(new Limits(10, 1 << 20, 1 << 24)));
            StreamReports reports = new StreamOverview(() -> List.of(runtime));
            runtime.start();
            fixture.awaitCaughtUp();
            assertThat(batchOf(reports, fixture, 9)).isZero();
            assertThat(batchOf(reports, fixture, 10)).isEqualTo(1);
            assertThat(reports.batchOf(fixture.name, fixture.topic, 0, 20)).isEmpty();
            assertThat(reports.batchOf(fixture.name, "another", 0, 9)).isEmpty();
            assertThat(reports.oldestBatch(fixture.name, fixture.topic + "-0"))
                    .hasValueSatisfying(oldest -> assertThat(oldest.batchId()).isZero());
            assertThat(reports.oldestBatch(fixture.name, "another-0")).isEmpty();

            // What a rewind leaves behind: a batch that read it again, and one that was given up.
            again(fixture, 2, "committed");
            again(fixture, 3, "abandoned");
            assertThat(batchOf(reports, fixture, 9)).isEqualTo(2);
            assertThat(fixture.count(
                            "select batch from tandem.batch_of_record(?, ?, 0, 9)", fixture.name, fixture.topic))
                    .isEqualTo(2);
        }
    }

    private static long batchOf(StreamReports reports, StreamFixture fixture, long offset) {
        return reports.batchOf(fixture.name, fixture.topic, 0, offset)
                .orElseThrow()
                .batchId();
    }

    private static void again(StreamFixture fixture, int batch, String status) {
        fixture.jdbc.update("""
                insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)
                select stream, lane, ?, generation, starts, ends from tandem.offset_log where batch = 0
                """, batch);
        fixture.jdbc.update("""
                insert into tandem.commit_log (stream, lane, batch, generation, epoch, status, committed_at)
                select stream, lane, ?, generation, epoch, ?, now() from tandem.commit_log where batch = 0
                """, batch, status);
    }

    @Test
    void theLagOfIdlePausedAndFailedLanesIsTrue() {
        try (StreamFixture fixture = new StreamFixture(3)) {
            AtomicBoolean broken = new AtomicBoolean();
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        if (broken.get()) {
                            throw new IllegalStateException("broken");
                        }
                        StreamFixture.note(fixture.jdbc, batch);
                    },
                    definition -> definition.failurePolicy(StreamFixture.failures(1, OnFailure.STOP, true)));
            StreamReports reports = new StreamOverview(() -> List.of(runtime));
            runtime.start();
            for (int partition = 0; partition < 3; partition++) {
                Topics.produce(fixture.topic, partition, 5, i -> "v" + i);
            }
            fixture.awaitSeen(15);
            fixture.until("no lag", () -> lags(reports, fixture).equals(List.of(of(0), of(0), of(0))));

            runtime.submit(
                    StreamCommand.of(fixture.name, StreamCommand.Action.PAUSE).withLane(fixture.topic + "-1"));
            fixture.until("paused here", () -> StreamContract.state(runtime, fixture.topic + "-1") == LaneState.PAUSED);
            broken.set(true);
            Topics.produce(fixture.topic, 1, 7, i -> "later");
            Topics.produce(fixture.topic, 2, 9, i -> "bad");
            fixture.until("true lags", () -> lags(reports, fixture).equals(List.of(of(0), of(7), of(9))));

            // What comes later still: nothing of these lanes is read any more.
            Topics.produce(fixture.topic, 1, 4, i -> "later");
            Topics.produce(fixture.topic, 2, 4, i -> "bad");
            fixture.until("true lags", () -> lags(reports, fixture).equals(List.of(of(0), of(11), of(13))));
            assertThat(runtime.status().lag()).isEqualTo(of(24));

            StreamReport report = reports.streams().get(0);
            assertThat(report.topics()).containsExactly(fixture.topic);
            assertThat(report.lag()).isEqualTo(of(24));
            assertThat(report.lanes())
                    .containsEntry(LaneState.ACTIVE, 1)
                    .containsEntry(LaneState.PAUSED, 1)
                    .containsEntry(LaneState.FAILED, 1);
            assertThat(report.problem()).contains(fixture.topic + "-2").contains("broken");
            assertThat(report.lastCommit()).isNotNull();
            // The oldest record of the failed lane is known, that of the paused one was never read.
            Map<String, Object> seconds = fixture
                    .jdbc
                    .queryForList("select lane, lag_seconds from tandem.lane_lag where stream = ?", fixture.name)
                    .stream()
                    .collect(Collectors.toMap(
                            row -> (String) row.get("lane"), row -> String.valueOf(row.get("lag_seconds"))));
            assertThat(seconds.get(fixture.topic + "-0")).isEqualTo("0.0");
            assertThat(seconds.get(fixture.topic + "-1")).isEqualTo("null");
            assertThat(Double.parseDouble((String) seconds.get(fixture.topic + "-2")))
                    .isBetween(0.0, 60.0);
        }
    }

    private static List<OptionalLong> lags(StreamReports reports, StreamFixture fixture) {
        return reports.lanes(fixture.name).stream().map(LaneReport::lag).toList();
    }

    @Test
    void aStreamThatNobodyConfiguredIsRefusedAndOneThatNeverStartedIsToldOf() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamRuntime runtime = fixture.stream(fixture.probe());
            StreamReports reports = new StreamOverview(() -> List.of(runtime));
            assertThat(reports.streams()).hasSize(1);
            assertThat(reports.stream(fixture.name).lag()).isEmpty();
            assertThat(reports.stream(fixture.name).topics()).containsExactly(fixture.topic);
            assertThat(reports.lanes(fixture.name)).isEmpty();
            assertThatIllegalArgumentException().isThrownBy(() -> reports.lanes("other"));
            assertThatIllegalArgumentException().isThrownBy(() -> reports.stream("other"));
        }
    }

    @Test
    void aLaneFallsIdleOnceAndStartAndStopAreTold() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamRuntime runtime = fixture.stream(fixture.probe());
            Topics.produce(fixture.topic, 0, 3, i -> "v" + i);
            runtime.start();
            String idle = "idle " + fixture.topic + "-0";
            fixture.until("it is idle", () -> fixture.course.contains(idle));
            assertThat(fixture.seen()).isEqualTo(3);
            Topics.produce(fixture.topic, 0, 3, i -> "w" + i);
            fixture.until(
                    "it is idle again",
                    () -> fixture.course.stream().filter(idle::equals).count() == 2);
            assertThat(fixture.seen()).isEqualTo(6);
            fixture.stopAll();
            assertThat(fixture.course).containsExactly("started", idle, idle, "stopped");
        }
    }

    private static OptionalLong of(long value) {
        return OptionalLong.of(value);
    }
}
