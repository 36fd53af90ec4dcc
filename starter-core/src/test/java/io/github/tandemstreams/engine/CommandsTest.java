package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.lane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.tandemstreams.CommandConflictException;
import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRecord.LaneEffect;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.StreamCommand.Letters;
import io.github.tandemstreams.StreamCommand.Target;
import io.github.tandemstreams.StreamCommand.ToBatch;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.StreamCommand.ToTimestamp;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.sink.Sink;
import io.github.tandemstreams.test.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What commands do to streams that run: rows in Postgres, under the eyes of several instances. */
class CommandsTest {

    /** Not long ago, or the broker deletes the records for their age. */
    private static final Instant BEGIN =
            Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);

    private static final Duration STOP = Duration.ofSeconds(20);

    private final StreamFixture fixture = new StreamFixture(2);
    private final String lane = fixture.topic + "-0";
    private final Set<String> bad = ConcurrentHashMap.newKeySet();
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile @Nullable CountDownLatch untilReleased;
    private final Sink<String> handler = batch -> {
        StreamFixture.note(fixture.jdbc, batch);
        CountDownLatch hold = untilReleased;
        if (hold != null) {
            held.countDown();
            hold.await();
        }
        for (String value : batch.values()) {
            if (bad.contains(value)) {
                throw new IllegalStateException("bad: " + value);
            }
        }
    };

    @AfterEach
    void close() {
        fixture.close();
    }

    private enum To {
        BATCH,
        TIMESTAMP,
        OFFSETS
    }

    @ParameterizedTest
    @EnumSource(To.class)
    void aRewindUnderLoadProcessesExactlyTheRangeAgainUnderNewIds(To kind) throws Exception {
        produceTimed(0, 0, 200);
        produceTimed(1, 0, 200);
        StreamCommands commands = commands(start(), start());
        fixture.awaitSeen(400);
        AtomicBoolean enough = new AtomicBoolean();
        Thread load = new Thread(() -> {
            for (int i = 200; !enough.get() && i < 2000; i += 10) {
                produceTimed(0, i, i + 10);
                produceTimed(1, i, i + 10);
            }
        });
        load.start();
        try {
            fixture.awaitSeen(500);
            StreamCommand wanted = StreamCommand.rewind(fixture.name, target(kind))
                    .withLane(lane)
                    .by("anna")
                    .because("prices were wrong");
            CommandRecord done = commands.submit(wanted);
            assertThat(done.status()).isEqualTo(CommandRecord.Status.DONE);
            LaneEffect effect = done.lanes().get(0);
            long start = start(kind);
            long from = effect.from().get(lane);
            assertThat(effect.to()).isEqualTo(Offsets.of(lane, start));
            assertThat(effect.records()).isEqualTo(from - start);
            fixture.awaitSeen(800);
            enough.set(true);
            load.join();
            fixture.awaitCaughtUp();

            assertThat(fixture.jdbc.queryForList(
                            "select distinct off from seen where lane = ? group by off having count(*) = 2 order by 1",
                            Long.class,
                            lane))
                    .containsExactlyElementsOf(
                            LongStream.range(start, from).boxed().toList());
            assertThat(fixture.count("select count(*) - count(distinct (lane, off)) from seen"))
                    .isEqualTo((int) (from - start));
            fixture.visible()
                    .forEach((partition, offsets) -> assertThat(
                                    fixture.count("select count(distinct off) from seen where part = ?", partition))
                            .isEqualTo(offsets.size()));
            noIdIsUsedTwice();
            fixture.ledger.epochsNeverFall();
            fixture.ledger.nothingIsLeftOpen();
        } finally {
            enough.set(true);
            load.join();
        }
    }

    /** Where batches begin depends on polls, so it is looked up. */
    private long start(To kind) {
        return kind == To.BATCH
                ? fixture.count("select start_offset from tandem.batch where batch = 5 and lane = ?", lane)
                : 57;
    }

    private Target target(To kind) {
        return switch (kind) {
            case OFFSETS -> new ToOffsets(Offsets.of(lane, 57));
            case TIMESTAMP -> new ToTimestamp(BEGIN.plusSeconds(57));
            case BATCH -> new ToBatch(5);
        };
    }

    /** Each record that a batch wrote lies in its range, and no two batches of a lane have the same id. */
    private void noIdIsUsedTwice() {
        assertThat(fixture.count("""
                select count(*) from seen s
                  left join tandem.batch b on (b.lane, b.batch) = (s.lane, s.batch_id)
                 where b.status is distinct from 'committed' or s.off < b.start_offset or s.off >= b.end_offset
                """)).isZero();
        assertThat(fixture.count("select count(*) from (select 1 from seen group by lane, batch_id, off"
                        + " having count(*) > 1) twice"))
                .isZero();
        assertThat(fixture.count(
                        "select count(*) from (select batch - lag(batch) over (partition by lane order by batch)"
                                + " as step from tandem.commit_log) steps where step <> 1"))
                .isZero();
    }

    @Test
    void aBatchThatRunsWhileItsLaneIsRewoundIsFencedAndItsIdBurnt() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch rewound = new CountDownLatch(1);
        Topics.produce(fixture.topic, 0, 20, i -> "v" + i);
        StreamRuntime runtime = fixture.stream(batch -> {
            StreamFixture.note(fixture.jdbc, batch);
            if (batch.values().contains("late") && running.getCount() > 0) {
                running.countDown();
                rewound.await();
            }
        });
        runtime.start();
        fixture.awaitSeen(20);
        Topics.produce(fixture.topic, 0, 1, i -> "late");
        running.await();
        StreamCommand wanted = StreamCommand.rewind(fixture.name, new ToOffsets(Offsets.of(lane, 15)))
                .withLane(lane);
        LaneEffect told = commands(runtime).submit(wanted.asDryRun()).lanes().get(0);
        LaneEffect done = commands(runtime).submit(wanted).lanes().get(0);
        rewound.countDown();
        fixture.awaitCaughtUp();

        assertThat(done).isEqualTo(told);
        assertThat(done.burnt()).isNotNull();
        assertThat(fixture.events).contains("fenced " + lane);
        assertThat(fixture.count("select count(*) from seen")).isEqualTo(26);
        assertThat(fixture.count("select count(*) from seen where val = 'late'"))
                .isEqualTo(1);
        assertThat(fixture.count("select count(*) from seen where batch_id = ?", done.burnt()))
                .isZero();
        assertThat(fixture.jdbc.queryForObject(
                        "select status from tandem.batch where lane = ? and batch = ?",
                        String.class,
                        lane,
                        done.burnt()))
                .isEqualTo("abandoned");
        noIdIsUsedTwice();
    }

    @Test
    void recordsThatAreSkippedAreNeverRead() {
        bad.add("v5");
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        StreamRuntime runtime = fixture.stream(
                handler,
                stream -> StreamContract.limits(1)
                        .apply(stream)
                        .failurePolicy(StreamFixture.failures(1, OnFailure.STOP, true)));
        runtime.start();
        fixture.until("failed", () -> StreamContract.state(runtime, lane) == LaneState.FAILED);
        StreamCommands commands = commands(runtime);
        commands.submit(
                StreamCommand.skip(fixture.name, Offsets.of(lane, 6), "poison").withLane(lane));
        commands.submit(StreamCommand.of(fixture.name, Action.RESUME).withLane(lane));
        fixture.awaitCaughtUp();
        assertThat(fixture.jdbc.queryForList("select val from seen order by off", String.class))
                .containsExactly("v0", "v1", "v2", "v3", "v4", "v6", "v7", "v8", "v9");
        assertThat(fixture.count("select count(*) from tandem.commit_log where status = 'skipped'"))
                .isEqualTo(1);
    }

    @Test
    @Tag("C6")
    void aStoppedStreamLeavesItsGroupEverywhereAndStaysSoAfterARestartUntilItIsStarted() {
        StreamContract.produce(fixture, 20);
        StreamRuntime one = start();
        StreamRuntime two = start();
        fixture.awaitSeen(20);
        CommandRecord done = commands(one).submit(StreamCommand.of(fixture.name, Action.STOP));
        assertThat(done.lanes()).hasSize(2);
        untilStopped(one);
        untilStopped(two);
        StreamContract.produce(fixture, 20);
        two.stop(STOP);
        two.start();
        assertThat(two.status().state()).isEqualTo(StreamStatus.State.STOPPED);
        assertThat(two.status().problem()).contains("an operator stopped the stream on all instances");
        StreamRuntime three = start();
        untilStopped(three);
        assertThat(fixture.seen()).isEqualTo(20);

        // One that was stopped here stays so, whatever an operator starts.
        three.stop(STOP);
        sql("start", null, null);
        fixture.awaitSeen(40);
        fixture.until("both run", () -> isRunning(one) && isRunning(two));
        assertThat(three.status().state()).isEqualTo(StreamStatus.State.STOPPED);
        assertThat(three.status().problem()).isNull();
        fixture.ledger.check(fixture.visible());
    }

    @Test
    void aBatchThatRunsWhileItsStreamIsStoppedIsRolledBack() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Topics.produce(fixture.topic, 0, 1, i -> "v");
        StreamRuntime runtime = fixture.stream(batch -> {
            StreamFixture.note(fixture.jdbc, batch);
            running.countDown();
            stopped.await();
        });
        runtime.start();
        running.await();
        sql("stop", null, null);
        stopped.countDown();
        untilStopped(runtime);
        assertThat(fixture.seen()).isZero();
        sql("start", null, null);
        fixture.awaitSeen(1);
        fixture.ledger.check(fixture.visible());
    }

    @Test
    void whatIsGivenBySqlWhileNothingRunsIsObeyedByWhoeverStarts() {
        produceTimed(0, 0, 50);
        StreamRuntime first = start();
        fixture.awaitSeen(50);
        first.stop(STOP);
        sql("rewind", lane, "{\"offsets\": {\"" + lane + "\": 40}}");
        sql("rewind", null, "{\"timestamp\": \"" + BEGIN.plusSeconds(30) + "\"}");
        sql("pause", fixture.topic + "-1", null);
        assertThat(status("rewind")).containsExactly("done", "pending");

        StreamRuntime second = start();
        fixture.awaitSeen(70);
        fixture.awaitCaughtUp();
        assertThat(status("rewind")).containsExactly("done", "done");
        assertThat(fixture.count("select count(*) from (select off from seen group by off having count(*) > 1) again"))
                .isEqualTo(20);
        assertThat(fixture.seen()).isBetween(70, 80);
        fixture.until("paused", () -> StreamContract.state(second, fixture.topic + "-1") == LaneState.PAUSED);
    }

    @Test
    void aTimeThatNoRecordIsAsYoungAsMovesNothing() {
        produceTimed(0, 0, 10);
        StreamCommands commands = commands(start());
        fixture.awaitSeen(10);
        CommandRecord done =
                commands.submit(StreamCommand.rewind(fixture.name, new ToTimestamp(BEGIN.plusSeconds(1000))));
        assertThat(done.status()).isEqualTo(CommandRecord.Status.DONE);
        assertThat(done.lanes()).isEmpty();
        assertThat(commands.submit(StreamCommand.rewind(fixture.name, new ToTimestamp(Instant.EPOCH))
                                .asDryRun())
                        .lanes())
                .extracting(LaneEffect::records)
                .containsExactly(10L);
        assertThat(fixture.seen()).isEqualTo(10);
    }

    // ---- dead letters

    @Test
    void aRedriveGivenBySqlIsCarriedOutOnceByWhicheverInstance() {
        park("v1", "v3", "v7");
        StreamRuntime other = start();
        bad.clear();
        sql("redrive", null, null);
        fixture.until("done", () -> status("redrive").equals(List.of("done")));
        assertThat(fixture.count("select count(*) from tandem.dead_letter where status = 'redriven'"))
                .isEqualTo(3);
        fixture.ledger.everyRecordOnce(fixture.visible());
        assertThat(commands(other).history(fixture.name, null, 1).get(0).deadLetters())
                .isEqualTo(3);
    }

    @Test
    void aRedriveTellsOfTheRecordsThatFailAgain() {
        StreamRuntime runtime = park("v1", "v3", "v7");
        StreamCommands commands = commands(runtime);
        bad.remove("v3");
        long third = fixture.count("select id from tandem.dead_letter where record_offset = 3");
        CommandRecord one =
                commands.submit(StreamCommand.of(fixture.name, Action.REDRIVE).withTarget(Letters.one(third)));
        assertThat(one.status()).isEqualTo(CommandRecord.Status.DONE);
        assertThat(one.deadLetters()).isEqualTo(1);
        bad.remove("v7");
        StreamCommand all = StreamCommand.of(fixture.name, Action.REDRIVE)
                .withTarget(new Letters(Set.of(), IllegalStateException.class.getName(), null));
        assertThat(commands.submit(all.asDryRun()).deadLetters()).isEqualTo(2);
        CommandRecord rest = commands.submit(all);
        assertThat(rest.status()).isEqualTo(CommandRecord.Status.FAILED);
        assertThat(rest.problem())
                .startsWith("1 were processed, 1 failed again, first dead letter ")
                .endsWith("IllegalStateException")
                .doesNotContain("v1");
        assertThat(fixture.jdbc.queryForList(
                        "select record_offset from tandem.dead_letter where status = 'parked'", Long.class))
                .containsExactly(1L);
        fixture.ledger.everyRecordOnce(fixture.visible());
    }

    @Test
    void whatAnInstanceLeftWhenItDiedIsTakenOver() {
        StreamRuntime runtime = park("v1");
        runtime.stop(STOP);
        bad.clear();
        fixture.jdbc.update(
                "insert into tandem.operator_command (stream, action, instance) values (?, 'redrive', 'dead')",
                fixture.name);
        fixture.jdbc.update("update tandem.operator_command set claimed_at = now() - interval '10 minutes'");
        runtime.start();
        fixture.until("done", () -> status("redrive").equals(List.of("done")));
        fixture.ledger.everyRecordOnce(fixture.visible());
        assertThat(fixture.jdbc.queryForObject("select instance from tandem.operator_command", String.class))
                .isEqualTo("test");
    }

    @Test
    void aRedriveThatAStopBreaksOffIsEndedByAnotherInstance() throws Exception {
        StreamRuntime first = park("v1", "v3", "v7");
        bad.clear();
        CountDownLatch released = new CountDownLatch(1);
        untilReleased = released;
        sql("redrive", null, null);
        stopDuringARecord(first, released);
        anotherInstanceEndsIt();
    }

    /** What is handed to an instance is ended by it, or given back, just as what it takes itself. */
    @Test
    void aRedriveGivenHereThatAStopBreaksOffIsEndedByAnotherInstance() throws Exception {
        StreamRuntime first = park("v1", "v3", "v7");
        bad.clear();
        CountDownLatch released = new CountDownLatch(1);
        untilReleased = released;
        FutureTask<CommandRecord> given =
                new FutureTask<>(() -> commands(first).submit(StreamCommand.of(fixture.name, Action.REDRIVE)));
        new Thread(given).start();
        stopDuringARecord(first, released);
        assertThat(given.get().status()).isEqualTo(CommandRecord.Status.PENDING);
        anotherInstanceEndsIt();
    }

    private void stopDuringARecord(StreamRuntime runtime, CountDownLatch released) throws InterruptedException {
        held.await();
        Thread stop = new Thread(() -> runtime.stop(STOP));
        stop.start();
        fixture.until("it stops", () -> runtime.status().state() == StreamStatus.State.STOPPED);
        released.countDown();
        stop.join();
    }

    private void anotherInstanceEndsIt() {
        assertThat(fixture.count("select count(*) from tandem.dead_letter where status = 'redriven'"))
                .isEqualTo(1);
        assertThat(fixture.count("select count(*) from tandem.operator_command where status = 'pending'"
                        + " and claimed_at is null"))
                .isEqualTo(1);

        start();
        fixture.until("done", () -> status("redrive").equals(List.of("done")));
        fixture.ledger.everyRecordOnce(fixture.visible());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStopOfTheStreamBreaksARedriveOffForGood(boolean hasLane) throws Exception {
        StreamRuntime runtime = park("v1", "v3", "v7");
        long first = fixture.count("select min(id) from tandem.dead_letter");
        bad.clear();
        assertThat(commands(runtime)
                        .submit(StreamCommand.of(fixture.name, Action.REDRIVE).withTarget(Letters.one(first)))
                        .status())
                .isEqualTo(CommandRecord.Status.DONE);
        CountDownLatch released = new CountDownLatch(1);
        untilReleased = released;
        FutureTask<CommandRecord> given =
                new FutureTask<>(() -> commands(runtime).submit(StreamCommand.of(fixture.name, Action.REDRIVE)));
        new Thread(given).start();
        held.await();
        sql("stop", hasLane ? lane : null, null);
        released.countDown();
        CommandRecord brokenOff = given.get();
        assertThat(brokenOff.status()).isEqualTo(CommandRecord.Status.FAILED);
        assertThat(brokenOff.problem())
                .isEqualTo("Command "
                        + fixture.count("select id from tandem.operator_command where action = 'stop'") + ", stop of "
                        + (hasLane ? "lane " + lane : "the stream")
                        + ", broke it off: 2 of its dead letters wait as before");
        assertThat(letters()).containsExactly("1 redriven 0", "3 parked 0", "7 parked 0");
        assertThat(fixture.count("select count(*) from seen where val in ('v3', 'v7')"))
                .isZero();

        sql("start", hasLane ? lane : null, null);
        Topics.produce(fixture.topic, 0, 1, i -> "later");
        fixture.until("it goes on", () -> fixture.count("select count(*) from seen where val = 'later'") == 1);
        assertThat(letters()).containsExactly("1 redriven 0", "3 parked 0", "7 parked 0");
        sql("stop", null, null);
        assertThat(commands(runtime)
                        .submit(StreamCommand.of(fixture.name, Action.REDRIVE))
                        .status())
                .isEqualTo(CommandRecord.Status.DONE);
        assertThat(letters()).containsExactly("1 redriven 0", "3 redriven 0", "7 redriven 0");
        fixture.ledger.everyRecordOnce(fixture.visible());
    }

    /** Where all of them fail, no commit finds it. */
    @Test
    void aStopBreaksARedriveOffWhoseRecordsFailAgain() throws Exception {
        StreamRuntime runtime = park("v1", "v3", "v7");
        CountDownLatch released = new CountDownLatch(1);
        untilReleased = released;
        FutureTask<CommandRecord> given =
                new FutureTask<>(() -> commands(runtime).submit(StreamCommand.of(fixture.name, Action.REDRIVE)));
        new Thread(given).start();
        held.await();
        sql("stop", null, null);
        fixture.until(
                "a sign of life is due",
                () -> fixture.count("select count(*) from tandem.operator_command where action = 'redrive'"
                                + " and now() - claimed_at > interval '2 s'")
                        == 1);
        released.countDown();
        assertThat(given.get().problem()).endsWith("broke it off: 3 of its dead letters wait as before");
        assertThat(letters()).containsExactly("1 parked 1", "3 parked 0", "7 parked 0");
    }

    private List<String> letters() {
        return fixture.jdbc.queryForList(
                "select record_offset || ' ' || status || ' ' || redrives from tandem.dead_letter order by record_offset",
                String.class);
    }

    /** A re-drive may take hours. */
    @Test
    void aRewindToATimeDoesntWaitForARedrive() throws Exception {
        park("v1");
        bad.clear();
        produceTimed(1, 0, 10);
        fixture.awaitSeen(19);
        CountDownLatch released = new CountDownLatch(1);
        untilReleased = released;
        sql("redrive", null, null);
        held.await();
        untilReleased = null;
        try {
            sql("rewind", fixture.topic + "-1", "{\"timestamp\": \"" + BEGIN.plusSeconds(5) + "\"}");
            fixture.until("rewound", () -> status("rewind").equals(List.of("done")));
            assertThat(status("redrive")).containsExactly("pending");
        } finally {
            released.countDown();
        }
        fixture.until("done", () -> status("redrive").equals(List.of("done")));
        fixture.awaitCaughtUp();
        assertThat(fixture.seen()).isEqualTo(25);
    }

    @Test
    void aRewindToATimeIsGivenThoughTheDatabaseCantCarryItOutNow() throws Exception {
        produceTimed(0, 0, 10);
        StreamRuntime runtime = start();
        fixture.awaitSeen(10);
        fixture.jdbc.execute("create function wait_for_it() returns trigger language plpgsql as $$ begin"
                + " raise exception using errcode = '55P03', message = 'somebody holds a lock'; end $$");
        fixture.jdbc.execute("create trigger a before update of resolved on tandem.operator_command"
                + " for each row execute function wait_for_it()");
        CommandRecord given =
                commands(runtime).submit(StreamCommand.rewind(fixture.name, new ToTimestamp(BEGIN.plusSeconds(5))));
        assertThat(given.status()).isEqualTo(CommandRecord.Status.PENDING);
        fixture.jdbc.execute("drop trigger a on tandem.operator_command");
        fixture.until("rewound", () -> status("rewind").equals(List.of("done")));
        fixture.awaitCaughtUp();
        assertThat(fixture.seen()).isEqualTo(15);
    }

    @Test
    void aRewindToATimeWaitsForTheSourceAndForWhicheverInstanceCanAskIt() {
        produceTimed(0, 0, 10);
        start();
        fixture.awaitSeen(10);
        fixture.kafka.put("bootstrap.servers", "localhost:1");
        fixture.kafka.put("default.api.timeout.ms", "1000");
        fixture.kafka.put("request.timeout.ms", "500");
        StreamRuntime cutOff = fixture.stream(handler);
        CommandRecord given =
                commands(cutOff).submit(StreamCommand.rewind(fixture.name, new ToTimestamp(BEGIN.plusSeconds(5))));
        assertThat(given.status()).isEqualTo(CommandRecord.Status.PENDING);
        fixture.awaitSeen(15);
        fixture.awaitCaughtUp();
        assertThat(status("rewind")).containsExactly("done");
        assertThat(fixture.seen()).isEqualTo(15);
    }

    /** What is wrong with another topic doesn't matter to a lane, nor do commands that wait for that topic. */
    @Test
    void aRewindOfALaneToATimeAsksAboutNoOtherAndWaitsForNoOther() {
        String other = Topics.create(1);
        produceTimed(0, 0, 10);
        start(Set.of(fixture.topic, other));
        fixture.awaitSeen(10);
        try (Denied ignored = Denied.topic(other)) {
            sql("rewind", other + "-0", "{\"timestamp\": \"" + BEGIN + "\"}");
            sql("rewind", lane, "{\"timestamp\": \"" + BEGIN.plusSeconds(5) + "\"}");
            fixture.until("rewound", () -> status("rewind").equals(List.of("pending", "done")));
        }
        fixture.until("both", () -> status("rewind").equals(List.of("done", "done")));
        fixture.awaitSeen(15);
        fixture.awaitCaughtUp();
        assertThat(fixture.seen()).isEqualTo(15);
    }

    @Test
    void aRewindOfTheStreamToATimeWaitsForATopicThatIsMissing() {
        String other = Topics.create(1);
        produceTimed(0, 0, 10);
        StreamRuntime runtime = start(Set.of(fixture.topic, other));
        fixture.awaitSeen(10);
        KafkaBroker broker = KafkaBroker.shared();
        broker.deleteTopic(other);
        fixture.until(
                "it is missing",
                () -> !KafkaBroker.await(broker.admin().listTopics().names()).contains(other));
        CommandRecord given =
                commands(runtime).submit(StreamCommand.rewind(fixture.name, new ToTimestamp(BEGIN.plusSeconds(5))));
        assertThat(given.status()).isEqualTo(CommandRecord.Status.PENDING);
        broker.createTopic(other, 1);
        fixture.until("rewound", () -> status("rewind").equals(List.of("done")));
        fixture.awaitSeen(15);
        fixture.awaitCaughtUp();
        assertThat(fixture.seen()).isEqualTo(15);
    }

    @Test
    void aRewindAndARedriveThatTheDatabaseCantCarryOutNowAreTriedAgainAfterARestEach() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger execution = (Logger) LoggerFactory.getLogger(CommandExecution.class);
        execution.addAppender(log);
        try {
            start();
            fixture.until("known", () -> fixture.count("select count(*) from tandem.lane") == 2);
            fixture.jdbc.execute("create function wait_for_it() returns trigger language plpgsql as $$ begin"
                    + " raise exception using errcode = '55P03', message = 'somebody holds a lock'; end $$");
            fixture.jdbc.execute("create trigger a before update of resolved, status on tandem.operator_command"
                    + " for each row execute function wait_for_it()");
            sql("rewind", null, "{\"timestamp\": \"" + BEGIN + "\"}");
            sql("redrive", null, null);
            for (long id : fixture.jdbc.queryForList("select id from tandem.operator_command", Long.class)) {
                fixture.until("tried again", () -> tries(log, id).size() > 1);
                List<Long> tries = tries(log, id);
                assertThat(tries.get(1) - tries.get(0)).as("ms").isGreaterThan(9_000);
            }
        } finally {
            execution.detachAppender(log);
        }
    }

    /** When a command was put off. */
    private static List<Long> tries(ListAppender<ILoggingEvent> log, long id) {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getFormattedMessage().contains("command " + id + " waits for its database"))
                .map(ILoggingEvent::getTimeStamp)
                .toList();
    }

    @Test
    void aRewindReadsDeadLettersAgain() {
        StreamRuntime runtime = park("v1", "v7");
        bad.clear();
        CommandRecord done =
                commands(runtime).submit(StreamCommand.rewind(fixture.name, new ToOffsets(Offsets.of(lane, 5))));
        assertThat(done.deadLetters()).isEqualTo(1);
        fixture.until("read again", () -> fixture.count("select count(*) from seen where val = 'v7'") == 1);
        fixture.awaitCaughtUp();
        assertThat(fixture.jdbc.queryForList(
                        "select record_offset || ' ' || status from tandem.dead_letter order by 1", String.class))
                .containsExactly("1 parked", "7 superseded");
    }

    /** Else whoever takes the topic over from the group would leave out what was to be read again. */
    @ParameterizedTest
    @EnumSource(
            value = LaneState.class,
            names = {"PAUSED", "FAILED"})
    void theGroupGoesBackWithALaneThatIsRewoundWhileItIsHeld(LaneState state) {
        Topics.produce(fixture.topic, 0, 20, i -> "v" + i);
        StreamRuntime runtime = fixture.stream(
                handler, stream -> stream.failurePolicy(StreamFixture.failures(1, OnFailure.STOP, true)));
        runtime.start();
        fixture.awaitSeen(20);
        fixture.until("the group was told", () -> groupOffset() == 20);
        if (state == LaneState.PAUSED) {
            commands(runtime).submit(StreamCommand.of(fixture.name, Action.PAUSE));
        } else {
            bad.add("bad");
            Topics.produce(fixture.topic, 0, 1, i -> "bad");
        }
        fixture.until("held", () -> lane(runtime, lane).state() == state);
        commands(runtime).submit(StreamCommand.rewind(fixture.name, new ToOffsets(Offsets.of(lane, 5))));
        fixture.until("the group stands where the lane does", () -> groupOffset() == 5);

        assertThat(lane(runtime, lane).state()).isEqualTo(state);
        assertThat(fixture.ledger.positions()).containsEntry(lane, 5L);
        assertThat(fixture.seen()).isEqualTo(20);
    }

    private long groupOffset() {
        return Topics.groupOffset(fixture.group(), fixture.topic, 0);
    }

    // ---- who gives them

    @Test
    void whatAnInstanceCommandsIsInTheTrailToo() {
        StreamContract.produce(fixture, 2);
        StreamRuntime runtime = start();
        fixture.awaitSeen(2);
        Streams streams = new Streams(List.of(runtime), STOP);
        streams.pause(fixture.name, lane);
        streams.resume(fixture.name);
        assertThat(fixture.jdbc.queryForList(
                        "select issued_by || ' ' || action || ' ' || coalesce(lane, '-') from tandem.operator_command"
                                + " order by id",
                        String.class))
                .containsExactly("test pause " + lane, "test resume -");
        StreamCommands commands = commands(runtime);
        assertThat(commands.version(fixture.name)).isEqualTo(2);
        assertThatThrownBy(() -> commands.submit(
                        StreamCommand.of(fixture.name, Action.PAUSE).expecting(1L)))
                .isInstanceOf(CommandConflictException.class);
        assertThatThrownBy(() -> commands.version("nowhere")).isInstanceOf(IllegalArgumentException.class);
    }

    private StreamRuntime start() {
        return start(Set.of(fixture.topic));
    }

    private StreamRuntime start(Set<String> topics) {
        StreamRuntime runtime = fixture.stream(
                handler,
                stream -> StreamContract.limits(10)
                        .apply(stream)
                        .source(fixture.source(topics))
                        .batchesToRetain(10_000));
        runtime.start();
        return runtime;
    }

    /** Ten records, of which these become dead letters. */
    private StreamRuntime park(String... values) {
        bad.addAll(Set.of(values));
        Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
        StreamRuntime runtime = start();
        fixture.awaitCaughtUp();
        return runtime;
    }

    private static StreamCommands commands(StreamRuntime... runtimes) {
        return new CommandedStreams(() -> List.of(runtimes));
    }

    private void sql(String action, @Nullable String lane, @Nullable String target) {
        fixture.jdbc.update(
                "insert into tandem.operator_command (stream, action, lane, target) values (?, ?, ?, ?::jsonb)",
                fixture.name,
                action,
                lane,
                target);
    }

    private List<String> status(String action) {
        return fixture.jdbc.queryForList(
                "select status from tandem.operator_command where action = ? order by id", String.class, action);
    }

    private void untilStopped(StreamRuntime runtime) {
        fixture.until(
                "stopped",
                () -> runtime.status().state() == StreamStatus.State.STOPPED
                        && runtime.status().problem() != null);
    }

    private static boolean isRunning(StreamRuntime runtime) {
        return runtime.status().state() == StreamStatus.State.RUNNING;
    }

    /** Records whose offset is the number of seconds after the begin. */
    private void produceTimed(int partition, int from, int to) {
        Topics.produce(IntStream.range(from, to)
                .mapToObj(i -> new ProducerRecord<byte[], byte[]>(
                        fixture.topic,
                        partition,
                        BEGIN.plusSeconds(i).toEpochMilli(),
                        null,
                        ("v" + i).getBytes(StandardCharsets.UTF_8)))
                .toList());
    }
}
