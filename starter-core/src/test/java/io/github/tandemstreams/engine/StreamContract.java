package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.source.LaneId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The core of what a stream promises, seen from outside: rows in Postgres. For any way to reach the database. */
abstract class StreamContract {

    /** A fixture with a topic of this many partitions. */
    abstract StreamFixture fixture(int partitions);

    @Test
    void everyRecordOfFourPartitionsArrivesOnce() {
        try (StreamFixture fixture = fixture(4)) {
            produce(fixture, 2000);
            fixture.stream(fixture.probe(), limits(100)).start();
            fixture.awaitSeen(2000);
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.progress.stream().mapToInt(p -> p.records()).sum())
                    .isEqualTo(2000);
        }
    }

    @Test
    void aPlanLeftByACrashIsReplayedWithExactlyItsRangeWhateverTheLimitsSayNow() {
        try (StreamFixture fixture = fixture(2)) {
            produce(fixture, 400);
            crashAfterPlanning(fixture, 0, 150);
            Topics.addPartitions(fixture.topic, 4);
            Topics.produce(fixture.topic, 3, 50, i -> "later-" + i);

            Map<String, List<String>> ranges = new ConcurrentHashMap<>();
            fixture.stream(
                            batch -> {
                                ranges.computeIfAbsent(
                                                batch.lane(), lane -> Collections.synchronizedList(new ArrayList<>()))
                                        .add(batch.transactionId() + " " + batch.range());
                                StreamFixture.note(fixture.jdbc, batch);
                            },
                            limits(20))
                    .start();
            fixture.awaitSeen(450);

            String lane = fixture.topic + "-0";
            assertThat(ranges.get(lane).get(0)).isEqualTo(fixture.name + "/" + lane + "/0@0 " + lane + " [0, 150)");
            assertThat(fixture.count("select count(*) from seen where lane = ? and batch_id = 0 and off < 150", lane))
                    .isEqualTo(150);
            assertThat(ranges.get(lane).get(1)).endsWith("[150, 170)");
            fixture.ledger.check(fixture.visible());
        }
    }

    /** What an instance leaves that planned a batch, from where the lane stands to this end, and died. */
    static void crashAfterPlanning(StreamFixture fixture, int partition, long end) {
        Checkpoint checkpoint = StreamFixture.checkpoint(fixture.database);
        var source = fixture.source(Set.of(fixture.topic));
        checkpoint.register(
                fixture.name,
                Set.of(fixture.topic),
                source.resolve(Set.of(fixture.topic), new StartingOffsets.Earliest()));
        source.stop();
        LaneId lane = new LaneId(fixture.name, fixture.topic + "-" + partition);
        Claim claim = checkpoint.claim(lane, UUID.randomUUID()).orElseThrow();
        long start = claim.fence().position().get(lane.lane());
        Plan plan = new Plan(claim.fence().lastBatch() + 1, 0, OffsetRange.of(lane.lane(), start, end));
        assertThat(checkpoint.plan(List.of(new Checkpoint.PlannedBatch(claim.fence(), plan))))
                .containsExactly(lane);
    }

    @Test
    void aRecordThatCannotBeDecodedIsADeadLetterAndTheRestOfTheBatchGoesOn() {
        try (StreamFixture fixture = fixture(1)) {
            Topics.produce(fixture.topic, 0, 10, i -> i == 3 || i == 7 ? "broken" : "v" + i);
            fixture.stream(
                            fixture.probe(),
                            definition -> definition.decoders(() -> record -> {
                                String value = new String(record.value(), java.nio.charset.StandardCharsets.UTF_8);
                                if (value.equals("broken")) {
                                    throw new IllegalArgumentException("not a value");
                                }
                                return value;
                            }))
                    .start();
            fixture.awaitSeen(8);
            assertThat(fixture.jdbc.queryForList(
                            "select record_offset || ':' || convert_from(value, 'UTF8') || ':' || cause_class"
                                    + " from tandem.dead_letter order by record_offset",
                            String.class))
                    .containsExactly(
                            "3:broken:java.lang.IllegalArgumentException",
                            "7:broken:java.lang.IllegalArgumentException");
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aLaneWhoseHandlerFailsStopsAfterMaxAttemptsAndTheOthersGoOnUntilItIsResumed() {
        try (StreamFixture fixture = fixture(3)) {
            produce(fixture, 300);
            AtomicInteger attempts = new AtomicInteger();
            Semaphore mended = new Semaphore(0);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        if (batch.lane().endsWith("-1") && mended.availablePermits() == 0) {
                            attempts.incrementAndGet();
                            throw new IllegalStateException("boom");
                        }
                    },
                    stream -> stream.failurePolicy(StreamFixture.failures(3, OnFailure.STOP, true)));
            runtime.start();
            String bad = fixture.topic + "-1";
            fixture.until("the bad lane failed", () -> state(runtime, bad) == LaneState.FAILED);
            fixture.awaitSeen(200);
            assertThat(fixture.count("select count(*) from seen where lane = ?", bad))
                    .isZero();
            // One run may have been with other lanes, which counts for none of them.
            assertThat(attempts.get()).isBetween(3, 4);
            assertThat(lane(runtime, bad).problem()).contains("batch 0", "3 attempts", "boom");
            assertThat(fixture.jdbc.queryForObject(
                            "select state || ' ' || failure from tandem.lane where lane = ?", String.class, bad))
                    .startsWith("failed ")
                    .contains("boom");

            assertThat(fixture.count("select max(epoch)::int from tandem.lane where stream = ?", fixture.name))
                    .as("nobody else had to claim anything")
                    .isEqualTo(1);

            mended.release();
            new Streams(List.of(runtime), Duration.ofSeconds(5)).resume(fixture.name, bad);
            fixture.awaitSeen(300);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aBatchThatRunsWhileItsLaneIsPausedIsRolledBackAndRunsAfterTheResume() throws InterruptedException {
        try (StreamFixture fixture = fixture(2)) {
            produce(fixture, 100);
            CountDownLatch inHandler = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            String lane = fixture.topic + "-0";
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        if (batch.lane().equals(lane) && inHandler.getCount() > 0) {
                            inHandler.countDown();
                            goOn.await();
                        }
                    },
                    limits(40));
            Streams streams = new Streams(List.of(runtime), Duration.ofSeconds(5));
            runtime.start();
            inHandler.await();
            streams.pause(fixture.name, lane);
            goOn.countDown();
            fixture.until("the lane is paused", () -> state(runtime, lane) == LaneState.PAUSED);
            fixture.awaitSeen(50);
            assertThat(fixture.count("select count(*) from seen where lane = ?", lane))
                    .isZero();
            assertThat(fixture.events).contains("fenced " + lane);
            produce(fixture, 100);
            fixture.until("the other lane goes on", () -> fixture.seen() == 100);

            streams.resume(fixture.name, lane);
            fixture.awaitSeen(200);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void oldLogRowsArePruned() {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 200);
            fixture.stream(fixture.probe(), definition -> limits(10).apply(definition))
                    .start();
            fixture.awaitSeen(200);
            StreamFixture.checkpoint(fixture.database).prune(fixture.name, 5);
            assertThat(fixture.count("select count(*) from tandem.commit_log where stream = ?", fixture.name))
                    .isEqualTo(5);
            produce(fixture, 10);
            fixture.awaitSeen(210);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aLostTopicOffsetStopsTheLaneAndSaysSo() {
        try (StreamFixture fixture = fixture(1)) {
            produce(fixture, 50);
            StreamRuntime first = fixture.stream(fixture.probe());
            first.start();
            fixture.awaitSeen(50);
            first.stop(Duration.ofSeconds(10));
            produce(fixture, 50);
            Topics.deleteRecordsBefore(fixture.topic, 0, 80);

            StreamRuntime second = fixture.stream(fixture.probe());
            second.start();
            String lane = fixture.topic + "-0";
            fixture.until("the lane failed", () -> state(second, lane) == LaneState.FAILED);
            assertThat(lane(second, lane).problem())
                    .contains(
                            "offsets 50 to 79 are gone",
                            "log starts at 80",
                            "skip the lane to {" + lane + "=80} and resume it; or set tandem.streams.",
                            ".fail-on-data-loss=false, restart, and resume it.");
            second.stop(Duration.ofSeconds(10));

            StreamRuntime third = fixture.stream(
                    fixture.probe(),
                    definition -> definition.failurePolicy(StreamFixture.failures(3, OnFailure.DEAD_LETTER, false)));
            new Streams(List.of(third), Duration.ofSeconds(5)).resume(fixture.name, lane);
            third.start();
            fixture.awaitSeen(70);
            assertThat(fixture.jdbc.queryForList(
                            "select concat_ws(' ', starts, ends, records) from tandem.commit_log"
                                    + " join tandem.offset_log using (stream, lane, batch) where status = 'lost'",
                            String.class))
                    .containsExactly("{\"" + lane + "\": 50} {\"" + lane + "\": 80} 0");
        }
    }

    static LaneState state(StreamRuntime runtime, String lane) {
        return lane(runtime, lane).state();
    }

    static LaneStatus lane(StreamRuntime runtime, String name) {
        return runtime.status().lanes().stream()
                .filter(lane -> lane.lane().equals(name))
                .findFirst()
                .orElse(new LaneStatus(
                        name,
                        LaneState.ACTIVE,
                        false,
                        0,
                        -1,
                        Offsets.none(),
                        java.util.OptionalLong.empty(),
                        0,
                        null,
                        LaneStatus.Backlog.NONE));
    }

    static java.util.function.UnaryOperator<StreamDefinition.Builder<String>> limits(int records) {
        return definition -> definition.limits(new Limits(records, 1 << 20, 1 << 24));
    }

    /** As many records as given, spread evenly over the partitions. */
    static int produce(StreamFixture fixture, int records) {
        int partitions = Topics.endOffsets(fixture.topic).size();
        IntStream.range(0, partitions)
                .forEach(p -> Topics.produce(fixture.topic, p, records / partitions, i -> "p" + p + "-" + i));
        return records / partitions * partitions;
    }
}
