package io.github.tandemstreams.jdbc;

import static io.github.tandemstreams.checkpoint.SampleBatches.STREAM;
import static io.github.tandemstreams.checkpoint.SampleBatches.ahead;
import static io.github.tandemstreams.checkpoint.SampleBatches.claim;
import static io.github.tandemstreams.checkpoint.SampleBatches.lane;
import static io.github.tandemstreams.checkpoint.SampleBatches.next;
import static io.github.tandemstreams.checkpoint.SampleBatches.unplanned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.CommandConflictException;
import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRecord.LaneEffect;
import io.github.tandemstreams.CommandRecord.Status;
import io.github.tandemstreams.CommandRefusedException;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.StreamCommand.Letters;
import io.github.tandemstreams.StreamCommand.Target;
import io.github.tandemstreams.StreamCommand.ToBatch;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.StreamCommand.ToTimestamp;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.CommandStore;
import io.github.tandemstreams.checkpoint.CommandStore.Orders;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.SampleBatches;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.RawRecord;
import io.github.tandemstreams.test.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What commands do to the tables, whether they come as SQL or from an application. Two lanes, which start at offset 100. */
class OperatorCommandTest {

    private final CheckpointFixture fixture = new CheckpointFixture();
    private final CommandStore commands = fixture.a.commands();

    OperatorCommandTest() {
        fixture.register(2);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    // ---- states

    @Test
    void aStateIsCommandedBySqlAloneAndFencesWhoeverOwnsTheLane() {
        Fence fence = claim(fixture.a, lane(0)).fence();
        Map<String, Object> told = sql("pause", "flights-0", null);
        assertThat(told).containsEntry("status", "done").containsEntry("version", 1L);
        assertThat(told.get("result").toString()).contains("\"lane\": \"flights-0\"");
        assertThat(fixture.commit(fixture.a, unplanned(fence))).isEmpty();
        assertThat(claim(fixture.b, lane(0)).state()).isEqualTo(LaneState.PAUSED);
        assertThat(claim(fixture.b, lane(1)).state()).isEqualTo(LaneState.ACTIVE);

        sql("resume", null, null);
        assertThat(claim(fixture.b, lane(0)).state()).isEqualTo(LaneState.ACTIVE);
        assertThat(column("select action || ' ' || version from tandem.operator_command order by id"))
                .containsExactly("pause 1", "resume 2");
    }

    @Test
    void aLaneThatWasStoppedIsStartedAndNotResumed() {
        give(Action.STOP, "flights-1");
        give(Action.PAUSE, null);
        assertThat(states()).containsExactly("flights-0 paused", "flights-1 stopped");
        assertThat(lanes(give(Action.RESUME, null))).containsExactly("flights-0");
        assertThatThrownBy(() -> give(Action.RESUME, "flights-1"))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessage("Stream 'flights', lane flights-1: is stopped; start it");
        assertThat(lanes(give(Action.START, "flights-1"))).containsExactly("flights-1");
        assertThat(states()).containsExactly("flights-0 active", "flights-1 active");
    }

    @Test
    void noLaneOfAStoppedStreamCanRunWhoeverClaimsIt() {
        give(Action.STOP, "flights-1");
        Fence before = claim(fixture.a, lane(0)).fence();
        give(Action.STOP, null);
        assertThat(commands.orders(STREAM)).isEqualTo(new Orders(true, List.of(), List.of()));
        assertThat(fixture.commit(fixture.a, unplanned(before))).isEmpty();
        Claim after = claim(fixture.b, lane(0));
        assertThat(after.state()).isEqualTo(LaneState.STOPPED);
        assertThat(lanes(give(Action.STOP, null))).as("it is already").isEmpty();

        assertThat(lanes(give(Action.START, null))).containsExactly("flights-0", "flights-1");
        assertThat(commands.orders(STREAM).stopped()).isFalse();
        assertThat(fixture.a.holding(List.of(after.fence())).mine())
                .as("its owner has to notice")
                .isEmpty();
        assertThat(claim(fixture.b, lane(0)).state()).isEqualTo(LaneState.ACTIVE);
        assertThat(claim(fixture.b, lane(1)).state()).isEqualTo(LaneState.ACTIVE);
    }

    // ---- rewind and skip

    @Test
    void aRewindToABatchBurnsThePlanAndCountsOn() {
        Fence fence = batches(lane(0), 5);
        fixture.a.plan(List.of(ahead(fence)));
        CommandRecord done = agreed(rewind("flights-0", new ToBatch(2)));

        assertThat(column("select epoch || ' ' || (owner is null) from tandem.lane where lane = 'flights-0'"))
                .containsExactly(fence.epoch() + 1 + " true");
        assertThat(done.lanes())
                .containsExactly(new LaneEffect(
                        "flights-0", Offsets.of("flights-0", 150), Offsets.of("flights-0", 120), 3, 21, 0, 0, 5L));
        assertThat(fixture.commit(fixture.a, unplanned(fence))).as("fenced").isEmpty();
        Claim claim = claim(fixture.b, lane(0));
        assertThat(claim.fence().position()).isEqualTo(Offsets.of("flights-0", 120));
        assertThat(claim.fence().lastBatch()).isEqualTo(5);
        assertThat(claim.plan()).isEmpty();
        assertThat(fixture.commit(fixture.b, unplanned(claim.fence()))).hasSize(1);
        assertThat(fixture.log(lane(0)))
                .containsExactly(
                        "0 [100, 110) committed",
                        "1 [110, 120) committed",
                        "2 [120, 130) committed",
                        "3 [130, 140) committed",
                        "4 [140, 150) committed",
                        "5 [150, 160) abandoned",
                        "6 [120, 130) committed");
        assertThat(column("select epoch::text from tandem.commit_log where lane = 'flights-0' order by batch"))
                .isSorted();
    }

    @Test
    void aCommitThatTheRewindWaitsForCountsAndSoDoesThePlanThatRodeAlong() throws Exception {
        Fence fence = batches(lane(0), 2);
        Future<CommandRecord> rewound = fixture.inTransaction(() -> {
            assertThat(fixture.a.commit(List.of(SampleBatches.withRidingPlan(fence)), List.of()))
                    .hasSize(1);
            Future<CommandRecord> later =
                    fixture.start(() -> commands.give(rewind(null, new ToOffsets(Offsets.of("flights-0", 115)))));
            fixture.awaitWaiting(1);
            return later;
        });
        assertThat(rewound.get().lanes())
                .containsExactly(new LaneEffect(
                        "flights-0", Offsets.of("flights-0", 130), Offsets.of("flights-0", 115), 2, 12, 0, 0, 3L));
        assertThat(fixture.log(lane(0))).endsWith("2 [120, 130) committed", "3 [130, 140) abandoned");
    }

    /** What was processed several times counts once: it is what will be processed. */
    @Test
    void aSecondRewindCountsTheRecordsOnce() {
        batches(lane(0), 4);
        commands.give(rewind(null, new ToOffsets(Offsets.of("flights-0", 110))));
        batches(lane(0), 3);
        CommandRecord again = agreed(rewind(null, new ToOffsets(Offsets.of("flights-0", 105))));
        assertThat(again.lanes())
                .containsExactly(new LaneEffect(
                        "flights-0", Offsets.of("flights-0", 140), Offsets.of("flights-0", 105), 4, 26, 0, 0, null));
    }

    @Test
    void aRewindBeyondTheLogsTellsOfHowManyOffsetsTheyNoLongerTell() {
        batches(lane(0), 5);
        fixture.a.prune(STREAM, 2);
        assertThat(agreed(rewind(null, new ToOffsets(Offsets.of("flights-0", 104))))
                        .lanes())
                .containsExactly(new LaneEffect(
                        "flights-0", Offsets.of("flights-0", 150), Offsets.of("flights-0", 104), 2, 14, 26, 0, null));
    }

    @Test
    void severalLanesAreRewoundAtOnceAndOthersLeftAlone() {
        batches(lane(0), 3);
        batches(lane(1), 3);
        Fence other = claim(fixture.a, lane(1)).fence();
        CommandRecord done =
                agreed(rewind(null, new ToOffsets(Offsets.of(Map.of("flights-0", 101L, "flights-1", 130L)))));
        assertThat(lanes(done)).as("the other one stands there").containsExactly("flights-0");
        assertThat(fixture.a.holding(List.of(other)).mine()).hasSize(1);
        assertThat(lanes(commands.give(
                        rewind(null, new ToOffsets(Offsets.of(Map.of("flights-0", 100L, "flights-1", 129L)))))))
                .containsExactly("flights-0", "flights-1");
    }

    @Test
    void aRewindSupersedesTheDeadLettersOfItsRangeAlone() {
        Fence fence = claim(fixture.a, lane(0)).fence();
        fixture.commit(
                fixture.a,
                SampleBatches.commit(fence, false, Optional.empty(), List.of(letter(101), letter(103), letter(107))));
        PostgresServer.execute(
                fixture.database,
                "update tandem.dead_letter set status = 'held' where record_offset = 107;"
                        + "update tandem.dead_letter set status = 'discarded' where record_offset = 103");
        CommandRecord done = agreed(rewind(null, new ToOffsets(Offsets.of("flights-0", 102))));
        assertThat(done.deadLetters()).isEqualTo(1);
        assertThat(column("select record_offset || ' ' || status from tandem.dead_letter order by 1"))
                .containsExactly("101 parked", "103 discarded", "107 superseded");
    }

    /** A re-drive may take long: whoever waits for it must not keep the lanes from going on. */
    @Test
    void aRewindThatWaitsForADeadLetterHoldsNoLane() throws Exception {
        Fence fence = claim(fixture.a, lane(0)).fence();
        fixture.commit(fixture.a, SampleBatches.commit(fence, false, Optional.empty(), List.of(letter(101))));
        Future<CommandRecord> rewound = fixture.inTransaction(() -> {
            fixture.jdbc.update("update tandem.dead_letter set status = 'redriven'");
            Future<CommandRecord> later =
                    fixture.start(() -> commands.give(rewind(null, new ToOffsets(Offsets.of("flights-0", 100)))));
            fixture.awaitWaiting(1);
            assertThat(fixture.start(() -> claim(fixture.b, lane(0)))).succeedsWithin(Duration.ofSeconds(3));
            return later;
        });
        assertThat(rewound.get().deadLetters()).isZero();
        assertThat(column("select status from tandem.dead_letter")).containsExactly("redriven");
    }

    @Test
    void aSkipIsABatchOfItsOwn() {
        Fence fence = batches(lane(0), 1);
        fixture.a.plan(List.of(ahead(fence)));
        CommandRecord done = agreed(StreamCommand.skip(STREAM, Offsets.of("flights-0", 130), "poison")
                .by("anna"));
        assertThat(done.lanes())
                .containsExactly(new LaneEffect(
                        "flights-0", Offsets.of("flights-0", 110), Offsets.of("flights-0", 130), 1, 20, 0, 0, 1L));
        assertThat(done.command().issuedBy()).isEqualTo("anna");
        assertThat(fixture.log(lane(0)))
                .containsExactly("0 [100, 110) committed", "1 [110, 120) abandoned", "2 [110, 130) skipped");
        Claim claim = claim(fixture.b, lane(0));
        assertThat(claim.fence().position()).isEqualTo(Offsets.of("flights-0", 130));
        assertThat(claim.fence().lastBatch()).isEqualTo(2);
    }

    @Test
    void aSkipMayBeBoundToWhereTheLaneStands() {
        assertThatThrownBy(
                        () -> sql("skip", null, "{\"offsets\": {\"flights-0\": 130}, \"from\": {\"flights-0\": 99}}"))
                .hasMessageContaining("doesn't stand where it was expected, but flights-0 at 100");
        assertThat(sql("skip", null, "{\"offsets\": {\"flights-0\": 130}, \"from\": {\"flights-0\": 100}}"))
                .containsEntry("status", "done");
    }

    @Test
    void aRewindOfAFailedOrPausedLaneLeavesItsState() {
        Fence fence = batches(lane(0), 1);
        fixture.a.fail(fence, "poison", null);
        commands.give(rewind(null, new ToOffsets(Offsets.of("flights-0", 100))));
        assertThat(claim(fixture.b, lane(0)).failure()).isEqualTo("poison");
        give(Action.RESUME, null);
        assertThat(claim(fixture.b, lane(0)).state()).isEqualTo(LaneState.ACTIVE);
    }

    @Test
    void aLaneThatFailedForAnotherTopicIsMovedIntoItByACommandThatCameAfterThat() {
        Fence fence = batches(lane(0), 1);
        String before = claim(fixture.b, lane(1)).topicId();
        CommandRecord given = commands.give(rewind(null, new ToTimestamp(Instant.EPOCH)));
        fixture.a.fail(fence, "created anew", "another");
        commands.rewind(STREAM, given.id(), Offsets.of("flights-0", 105));
        assertThat(column("select topic_id || ' ' || position from tandem.lane where lane = 'flights-0'"))
                .containsExactly(before + " {\"flights-0\": 105}");

        assertThat(agreed(rewind(null, new ToOffsets(Offsets.of("flights-0", 105))))
                        .lanes())
                .as("also to where it stands")
                .hasSize(1);
        assertThat(column("select topic_id || ' ' || position from tandem.lane where lane = 'flights-0'"))
                .containsExactly("another {\"flights-0\": 105}");
        assertThat(lanes(commands.give(rewind(null, new ToOffsets(Offsets.of("flights-0", 105))))))
                .as("once")
                .isEmpty();
    }

    @Test
    void restoredRaisesTheGenerationOfNewPlansAlone() {
        Fence fence = batches(lane(0), 1);
        fixture.a.plan(List.of(ahead(fence)));
        agreed(StreamCommand.of(STREAM, Action.RESTORED));
        Claim claim = claim(fixture.b, lane(0));
        assertThat(claim.generation()).isEqualTo(1);
        assertThat(claim.plan().orElseThrow().generation()).isZero();
        assertThat(claim(fixture.b, lane(1)).generation()).isEqualTo(1);
        assertThat(fixture.commit(fixture.a, unplanned(fence))).isEmpty();
    }

    // ---- what waits for an instance

    @Test
    void aRewindToATimestampWaitsForAnInstanceAndIsAppliedOnce() {
        batches(lane(0), 3);
        Instant time = Instant.parse("2026-01-02T03:04:05.123456Z");
        CommandRecord given = commands.give(rewind(null, new ToTimestamp(time)));
        assertThat(given.status()).isEqualTo(Status.PENDING);
        assertThat(given.command().target()).isEqualTo(new ToTimestamp(time));
        assertThat(fixture.b.commands().orders(STREAM).rewinds())
                .as("who gave it is at it")
                .isEmpty();
        assertThat(fixture.b.commands().take(STREAM, given.id())).isEmpty();

        PostgresServer.execute(
                fixture.database, "update tandem.operator_command set claimed_at = now() - interval '2 minutes'");
        assertThat(fixture.b.commands().orders(STREAM)).isEqualTo(new Orders(false, List.of(given.id()), List.of()));
        assertThat(fixture.b.commands().take(STREAM, given.id())).isPresent();
        Offsets found = Offsets.of(Map.of("flights-0", 115L, "flights-1", 400L, "new-0", 7L));
        CommandRecord done = fixture.b.commands().rewind(STREAM, given.id(), found);
        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.instance()).isEqualTo("instance-b");
        assertThat(done.version())
                .as("it moved lanes now")
                .isEqualTo(given.version() + 1)
                .isEqualTo(commands.version(STREAM));
        assertThat(done.lanes())
                .as("never ahead")
                .containsExactly(new LaneEffect(
                        "flights-0", Offsets.of("flights-0", 130), Offsets.of("flights-0", 115), 2, 12, 0, 0, null));
        long epoch = claim(fixture.a, lane(0)).fence().epoch();
        assertThat(commands.rewind(STREAM, given.id(), Offsets.of("flights-0", 100)))
                .isEqualTo(done);
        assertThat(claim(fixture.a, lane(0)).fence().epoch()).isEqualTo(epoch + 1);
        assertThat(commands.orders(STREAM)).isEqualTo(Orders.NONE);
    }

    /** Whoever commands meanwhile lets lanes go on, or moves them: then it would read again what nobody looked at. */
    @Test
    void aRewindToATimestampIsGivenUpIfAnotherCommandCameFirst() {
        batches(lane(0), 3);
        CommandRecord given = commands.give(rewind(null, new ToTimestamp(Instant.EPOCH)));
        give(Action.PAUSE, null);
        CommandRecord resume = give(Action.RESUME, "flights-1");
        CommandRecord ended = commands.rewind(STREAM, given.id(), Offsets.of("flights-0", 100));
        assertThat(ended.status()).isEqualTo(Status.FAILED);
        assertThat(ended.problem())
                .isEqualTo("Command " + resume.id()
                        + ", resume of lane flights-1, came before an instance could carry"
                        + " this one out. Nothing was moved; look again");
        assertThat(fixture.a.position(lane(0))).contains(Offsets.of("flights-0", 130));
        assertThat(commands.orders(STREAM)).isEqualTo(Orders.NONE);
    }

    /** Which of two came first is decided by the lock of their stream, not by who asked for it first. */
    @Test
    void aRewindToATimestampIsGivenUpThoughTheOtherCommandBeganBeforeIt() throws Exception {
        batches(lane(0), 3);
        give(Action.PAUSE, null);
        List<Future<CommandRecord>> resumed = new ArrayList<>();
        long given = fixture.inTransaction(() -> {
            fixture.jdbc.execute("select from tandem.stream for update");
            resumed.add(fixture.start(() -> give(Action.RESUME, null)));
            fixture.awaitWaiting(1);
            return fixture.count("insert into tandem.operator_command (stream, action, target) values"
                    + " ('flights', 'rewind', '{\"timestamp\": \"2026-01-02T03:04:05Z\"}') returning id");
        });
        CommandRecord resume = resumed.get(0).get();
        assertThat(states()).containsExactly("flights-0 active", "flights-1 active");

        CommandRecord ended = commands.rewind(STREAM, given, Offsets.of("flights-0", 100));
        assertThat(ended.status()).isEqualTo(Status.FAILED);
        assertThat(ended.problem())
                .startsWith("Command " + resume.id() + ", resume of the stream, came before an instance could carry");
        assertThat(fixture.a.position(lane(0))).contains(Offsets.of("flights-0", 130));
        assertThat(resume.id()).isGreaterThan(given);
    }

    @Test
    void aDryRunOfATimestampWaitsAndChangesNothing() {
        batches(lane(0), 3);
        CommandRecord given =
                commands.give(rewind(null, new ToTimestamp(Instant.EPOCH)).asDryRun());
        CommandRecord done = commands.rewind(STREAM, given.id(), Offsets.of("flights-0", 100));
        assertThat(lanes(done)).containsExactly("flights-0");
        assertThat(fixture.a.position(lane(0))).contains(Offsets.of("flights-0", 130));
        assertThat(commands.version(STREAM)).isZero();
    }

    @Test
    void aCommandThatIsGivenBackIsAnybodys() {
        CommandRecord given = commands.give(StreamCommand.of(STREAM, Action.REDRIVE));
        fixture.b.commands().giveBack(STREAM, given.id());
        assertThat(fixture.b.commands().orders(STREAM)).as("not its own").isEqualTo(Orders.NONE);
        commands.giveBack(STREAM, given.id());
        assertThat(fixture.b.commands().orders(STREAM)).isEqualTo(new Orders(false, List.of(), List.of(given.id())));
        assertThat(fixture.b.commands().take(STREAM, given.id())).isPresent();
        assertThat(commands.settle(STREAM, given.id(), "one failed").status()).isEqualTo(Status.FAILED);
        assertThat(commands.settle(STREAM, given.id(), null).problem()).isEqualTo("one failed");
    }

    // ---- dead letters

    @Test
    void deadLettersAreToldByIdCauseTimeAndLane() {
        Fence fence = claim(fixture.a, lane(0)).fence();
        fixture.commit(
                fixture.a,
                SampleBatches.commit(fence, false, Optional.empty(), List.of(letter(101), letter(102), letter(103))));
        PostgresServer.execute(
                fixture.database,
                "update tandem.dead_letter set cause_class = 'Other' where record_offset = 102;"
                        + "update tandem.dead_letter set parked_at = '2026-01-01Z' where record_offset = 103");
        long first = id(101);
        assertThat(letters(new Letters(Set.of(first, id(102), 4711L), null, null), null))
                .isEqualTo(2);
        assertThat(letters(new Letters(Set.of(), "Other", null), null)).isEqualTo(1);
        assertThat(letters(new Letters(Set.of(), null, Instant.parse("2026-01-02T00:00:00Z")), null))
                .isEqualTo(1);
        assertThat(letters(new Letters(Set.of(first), "Other", null), null)).isZero();
        assertThat(letters(Letters.ALL, "flights-1")).isZero();
        assertThat(letters(null, "flights-0")).isEqualTo(3);

        PostgresServer.execute(
                fixture.database,
                "update tandem.dead_letter set key = 'k';"
                        + "update tandem.dead_letter set status = 'held', cause_class = 'Held', parked_at = now()"
                        + " where record_offset = 103");
        assertThat(letters(new Letters(Set.of(), "Other", null), null))
                .as("with what is held behind it")
                .isEqualTo(2);

        CommandRecord done = agreed(StreamCommand.of(STREAM, Action.DISCARD)
                .withTarget(Letters.one(first))
                .because("a test record"));
        assertThat(done.deadLetters()).isEqualTo(1);
        assertThat(column("select record_offset || ' ' || status || ' ' || coalesce(reason, '') from tandem.dead_letter"
                        + " order by 1"))
                .containsExactly("101 discarded a test record", "102 parked ", "103 held ");
        assertThat(agreed(StreamCommand.of(STREAM, Action.DISCARD)
                                .withTarget(new Letters(Set.of(), "Other", null))
                                .because("of no use"))
                        .deadLetters())
                .as("a good record waits behind it")
                .isEqualTo(1);
        PostgresServer.execute(
                fixture.database, "update tandem.dead_letter set status = 'parked' where record_offset = 102");
        assertThat(agreed(StreamCommand.of(STREAM, Action.DISCARD).because("all"))
                        .deadLetters())
                .isEqualTo(2);
    }

    @Test
    void aRedriveIsAboutTheLettersThatWaitedWhenItWasGiven() {
        Fence fence = claim(fixture.a, lane(0)).fence();
        fixture.commit(fixture.a, SampleBatches.commit(fence, false, Optional.empty(), List.of(letter(101))));
        CommandRecord given = commands.give(StreamCommand.of(STREAM, Action.REDRIVE));
        assertThat(given.deadLetters()).isEqualTo(1);
        Fence then = claim(fixture.a, lane(0)).fence();
        fixture.commit(fixture.a, SampleBatches.commit(then, false, Optional.empty(), List.of(letter(112))));
        assertThat(commands.letters(STREAM, given.id(), 0, 10)).containsExactly(id(101));
        assertThat(commands.letters(STREAM, given.id(), id(101), 10)).isEmpty();
    }

    @Test
    void aStopBreaksOffTheRedrivesOfItsLanes() {
        Fence fence = claim(fixture.a, lane(0)).fence();
        fixture.commit(
                fixture.a, SampleBatches.commit(fence, false, Optional.empty(), List.of(letter(101), letter(102))));
        for (String lane : new String[] {"flights-0", "flights-1", null}) {
            give(Action.REDRIVE, lane);
        }
        commands.give(StreamCommand.of(STREAM, Action.STOP).asDryRun());
        give(Action.PAUSE, null);
        assertThat(redrives()).containsExactly("pending", "pending", "pending");
        String ofLane = "failed Command " + give(Action.STOP, "flights-0").id()
                + ", stop of lane flights-0, broke it off: 2 of its dead letters wait as before";
        assertThat(redrives()).containsExactly(ofLane, "pending", ofLane);
        long stop = give(Action.STOP, null).id();
        assertThat(redrives().get(1))
                .isEqualTo("failed Command " + stop
                        + ", stop of the stream, broke it off: 0 of its dead letters wait as before");
        give(Action.REDRIVE, null);
        assertThat(redrives().get(3)).isEqualTo("pending");
    }

    private List<String> redrives() {
        return column("select concat_ws(' ', status, problem) from tandem.operator_command where action = 'redrive'"
                + " order by id");
    }

    @Test
    void whatIsSettledIsKeptAsLongFromThenOn() {
        Instant monthAgo = Instant.now().minus(Duration.ofDays(30));
        Fence fence = claim(fixture.a, lane(0)).fence();
        fixture.commit(
                fixture.a,
                SampleBatches.commit(fence, false, Optional.empty(), List.of(letter(101), letter(102), letter(103))));
        PostgresServer.execute(
                fixture.database, "update tandem.dead_letter set parked_at = now() - interval '31 days'");
        for (long offset : new long[] {101, 102}) {
            fixture.a.deadLetters().discard(STREAM, id(offset), "a test record");
        }
        assertThat(fixture.a.deadLetters().prune(STREAM, monthAgo)).isZero();
        PostgresServer.execute(
                fixture.database,
                "update tandem.dead_letter set settled_at = now() - interval '31 days' where record_offset = 102");
        assertThat(fixture.a.deadLetters().prune(STREAM, monthAgo)).isEqualTo(1);
        assertThat(column("select record_offset || ' ' || status || ' ' || coalesce(reason, '') from tandem.dead_letter"
                        + " order by 1"))
                .containsExactly("101 discarded a test record", "103 parked ");
    }

    /** However short they are kept: it tells of those behind it that they are part of the re-drive. */
    @Test
    void whatARedriveHasProcessedIsKeptUntilItIsDone() {
        Fence fence = claim(fixture.a, lane(0)).fence();
        fixture.commit(
                fixture.a, SampleBatches.commit(fence, false, Optional.empty(), List.of(letter(101), letter(102))));
        PostgresServer.execute(
                fixture.database,
                "update tandem.dead_letter set key = 'k', status = case record_offset when 101 then 'parked' else 'held' end,"
                        + " cause_class = case record_offset when 101 then 'Cause' else 'Held' end");
        CommandRecord given = commands.give(
                StreamCommand.of(STREAM, Action.REDRIVE).withTarget(new Letters(Set.of(), "Cause", null)));
        assertThat(given.deadLetters()).isEqualTo(2);
        PostgresServer.execute(
                fixture.database,
                "update tandem.dead_letter set status = 'redriven', settled_at = clock_timestamp()"
                        + " where record_offset = 101");
        Instant later = Instant.now().plus(Duration.ofDays(1));
        assertThat(fixture.a.deadLetters().prune(STREAM, later)).isZero();
        assertThat(commands.letters(STREAM, given.id(), 0, 10)).containsExactly(id(102));
        commands.settle(STREAM, given.id(), null);
        assertThat(fixture.a.deadLetters().prune(STREAM, later)).isEqualTo(1);
    }

    /** Though its batch had begun before. */
    @Test
    void aLetterThatIsCommittedAfterADryRunIsNoneOfThoseBeforeIt() throws Exception {
        Fence fence = claim(fixture.a, lane(0)).fence();
        StreamCommand discard = StreamCommand.of(STREAM, Action.DISCARD).because("test data");
        Future<CommandRecord> dry = fixture.inTransaction(() -> {
            fixture.count("select 1");
            Future<CommandRecord> told = fixture.start(() -> commands.give(discard.asDryRun()));
            assertThat(told).succeedsWithin(Duration.ofSeconds(10));
            fixture.a.commit(
                    List.of(SampleBatches.commit(fence, false, Optional.empty(), List.of(letter(101)))), List.of());
            return told;
        });
        Letters seen = new Letters(Set.of(), null, dry.get().issuedAt());
        assertThat(commands.give(discard.withTarget(seen)).deadLetters()).isZero();
        assertThat(column("select status from tandem.dead_letter")).containsExactly("parked");
    }

    // ---- two operators

    @Test
    void aCommandThatExpectsAnotherVersionIsRefusedAndSaysWhoCameInBetween() {
        long seen = commands.version(STREAM);
        commands.give(StreamCommand.of(STREAM, Action.PAUSE).by("anna"));
        assertThatThrownBy(() -> commands.give(
                        StreamCommand.of(STREAM, Action.RESUME).by("ben").expecting(seen)))
                .isInstanceOf(CommandConflictException.class)
                .hasMessageStartingWith("Stream 'flights' is at version 1, not at 0 as expected: the last command was"
                        + " pause of the stream, by anna at 20");
        assertThat(states()).containsExactly("flights-0 paused", "flights-1 paused");
        assertThat(commands.give(StreamCommand.of(STREAM, Action.RESUME).expecting(1L))
                        .version())
                .isEqualTo(2);
    }

    @Test
    void aVersionThatTheStreamNeverHadIsRefusedThoughNobodyCameInBetween() {
        assertThatThrownBy(() ->
                        commands.give(StreamCommand.of(STREAM, Action.PAUSE).expecting(7L)))
                .isInstanceOf(CommandConflictException.class)
                .hasMessage("Stream 'flights' is at version 0, not at 7 as expected: it has had no command yet."
                        + " Nothing was done; look again");
    }

    @Test
    void ofTwoOperatorsAtTheSameTimeOneWins() throws Exception {
        for (int round = 0; round < 20; round++) {
            long seen = commands.version(STREAM);
            CyclicBarrier together = new CyclicBarrier(2);
            List<Future<String>> ends = new ArrayList<>();
            for (Action action : List.of(Action.PAUSE, Action.RESTORED)) {
                ends.add(fixture.start(() -> {
                    together.await();
                    try {
                        commands.give(StreamCommand.of(STREAM, action).expecting(seen));
                        return "done";
                    } catch (CommandConflictException conflict) {
                        return "conflict";
                    }
                }));
            }
            assertThat(List.of(ends.get(0).get(), ends.get(1).get())).containsExactlyInAnyOrder("done", "conflict");
            assertThat(commands.version(STREAM)).isEqualTo(seen + 1);
        }
    }

    // ---- refusals

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            quoteCharacter = '~',
            value = {
                "halt     | -         | -                                      | there is no action 'halt'; there are pause, resume",
                "pause    | flights-9 | -                                      | has no lane flights-9; there are: flights-0, flights-1",
                "pause    | -         | {\"batch\": 1}                         | pause takes no target",
                "restored | flights-0 | -                                      | restored takes no lane",
                "rewind   | -         | -                                      | it takes {\"batch\": n} with a lane",
                "rewind   | -         | {\"batch\": 1}                         | a rewind to one needs the lane",
                "rewind   | flights-0 | {\"batch\": 9}                         | the logs don't have batch 9; they have 0 to 1",
                "rewind   | flights-0 | {\"batch\": 1.5}                       | 1.5 is no batch",
                "rewind   | flights-1 | {\"batch\": 0}                         | they have none yet",
                "rewind   | -         | {\"offsets\": {\"flights-0\": 121}}    | flights-0 121, which stands at 120; a rewind goes back",
                "rewind   | -         | {\"offsets\": {\"flights-9\": 1}}      | flights-9 is no partition that is to be moved; there are flights-0, flights-1",
                "rewind   | flights-1 | {\"offsets\": {\"flights-0\": 1}}      | there are flights-1",
                "rewind   | -         | {\"offsets\": {\"flights-0\": \"1\"}}  | \"1\" is no offset of flights-0",
                "rewind   | -         | {\"offsets\": {}}                      | offsets are written",
                "rewind   | -         | {\"timestamp\": \"soon\"}              | \"soon\" is no time",
                "rewind   | -         | {\"timestamp\": \"infinity\"}          | is no time",
                "rewind   | -         | {\"batch\": 1, \"lane\": \"x\"}        | can't be done with target",
                "skip     | -         | {\"offsets\": {\"flights-0\": 120}}    | a skip goes ahead",
                "skip     | -         | {\"batch\": 1}                         | can't be done with target",
                "redrive  | -         | {\"letters\": {\"id\": 1}}             | letters are told by ids, cause_class and parked_before",
                "redrive  | -         | {\"letters\": {\"ids\": 1}}            | ids are an array of numbers",
                "redrive  | -         | {\"letters\": {\"ids\": [99999999999999999999]}} | ids are an array of numbers",
                "discard  | -         | {\"batch\": 1}                         | can't be done with target"
            })
    void whatMakesNoSenseIsRefusedWithWhatWouldBePossible(
            String action, @Nullable String lane, @Nullable String target, String message) {
        batches(lane(0), 2);
        List<String> before = tables();
        assertThatThrownBy(() -> sql(action, lane, target)).hasMessageContaining(message);
        assertThat(tables()).isEqualTo(before);
    }

    @Test
    void whatLosesRecordsNeedsAReason() {
        assertThatThrownBy(() -> give(Action.DISCARD, null))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessageContaining("discard loses records, so it needs a reason");
        assertThatThrownBy(() -> commands.give(StreamCommand.skip(STREAM, Offsets.of("flights-0", 130), " ")))
                .hasMessageContaining("reason");
    }

    @Test
    void aStreamThatWasNeverStartedIsRefused() {
        assertThatThrownBy(() -> commands.give(StreamCommand.of("other", Action.PAUSE)))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessage("Stream 'other' isn't known here; there are: flights");
        assertThat(commands.version("other")).isZero();
        assertThat(commands.orders("other")).isEqualTo(Orders.NONE);
    }

    @ParameterizedTest
    @CsvSource({"repeatable read", "serializable"})
    void aTransactionWhoseSnapshotIsOlderThanItsLocksIsRefused(String level) {
        fixture.transactions().executeWithoutResult(transaction -> {
            fixture.jdbc.execute("set transaction isolation level " + level);
            assertThatThrownBy(() -> sql("pause", null, null)).hasMessageContaining("READ COMMITTED");
            transaction.setRollbackOnly();
        });
    }

    // ---- the audit trail

    @Test
    void theTrailTellsTheNewestFirstAndNoDryRuns() {
        give(Action.PAUSE, "flights-0");
        commands.give(StreamCommand.of(STREAM, Action.PAUSE).asDryRun());
        CommandRecord last =
                commands.give(StreamCommand.of(STREAM, Action.RESUME).by("anna").because("mended\0"));
        List<CommandRecord> trail = commands.history(STREAM, null, 10);
        assertThat(trail).extracting(record -> record.command().action()).containsExactly(Action.RESUME, Action.PAUSE);
        assertThat(trail.get(0)).isEqualTo(last);
        assertThat(last.command().reason()).isEqualTo("mended\uFFFD");
        assertThat(last.settledAt()).isNotNull();
        assertThat(trail.get(1).command().issuedBy()).isEqualTo(fixture.database.getUser());
        assertThat(commands.history(STREAM, last.id(), 10)).hasSize(1);
        assertThat(commands.history(STREAM, null, 1)).hasSize(1);
        assertThat(commands.find(STREAM, last.id())).contains(last);
        assertThat(commands.find("other", last.id())).isEmpty();
    }

    @Test
    void aRoleThatMayOnlyInsertCommandsCommandsAndChangesNothingElse() {
        String role = "operator_" + fixture.database.getDatabaseName();
        PostgresServer.execute(
                fixture.database,
                "CREATE ROLE " + role + " LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA tandem TO " + role
                        + "; GRANT INSERT, SELECT ON tandem.operator_command TO " + role);
        PGSimpleDataSource operator = PostgresServer.as(fixture.database, role, "secret");
        JdbcTemplate jdbc = new JdbcTemplate(operator);
        String given = jdbc.queryForObject(
                "insert into tandem.operator_command (stream, action, issued_by, database_user, status, result, settled_at)"
                        + " values ('flights', 'pause', 'somebody', 'postgres', 'failed', '{}', now())"
                        + " returning status || ' ' || issued_by || ' ' || database_user || ' ' || version",
                String.class);
        assertThat(given).isEqualTo("done somebody " + role + " 1");
        assertThat(states()).containsExactly("flights-0 paused", "flights-1 paused");
        for (String forbidden : List.of(
                "update tandem.operator_command set issued_by = 'anna'",
                "delete from tandem.operator_command",
                "update tandem.lane set state = 'active'",
                "select * from tandem.lane")) {
            assertThatThrownBy(() -> jdbc.execute(forbidden)).hasStackTraceContaining("permission denied");
        }
        // A table of the caller's own must not be taken for ours.
        try (var session = new SingleConnectionDataSource(operator.getUrl(), role, "secret", true)) {
            JdbcTemplate same = new JdbcTemplate(session);
            same.execute("create temp table lane as select 1 as stream");
            same.execute("insert into tandem.operator_command (stream, action) values ('flights', 'resume')");
            // Nor do such a table's triggers get the rights of the schema's owner.
            same.execute("create temp table mine (like tandem.operator_command)");
            assertThatThrownBy(() -> same.execute("create trigger give before insert on mine for each row"
                            + " execute function tandem.give_command()"))
                    .hasStackTraceContaining("permission denied for function tandem.give_command");
        }
        // Nor is there a command without its row.
        assertThat(jdbc.update("insert into tandem.operator_command (id, stream, action) overriding system value"
                        + " values (1, 'flights', 'restored') on conflict do nothing"))
                .isOne();
        assertThat(fixture.jdbc.queryForObject("select count(*) from tandem.operator_command", Long.class))
                .isEqualTo(commands.version(STREAM));
        assertThat(states()).containsExactly("flights-0 active", "flights-1 active");
    }

    @Test
    void whatWasCommandedIsNeverChanged() {
        give(Action.PAUSE, null);
        CommandRecord pending = commands.give(StreamCommand.of(STREAM, Action.REDRIVE));
        for (String change : List.of(
                "update tandem.operator_command set reason = 'x' where status = 'done'",
                "update tandem.operator_command set status = 'pending' where status = 'done'",
                "update tandem.operator_command set issued_by = 'x' where id = " + pending.id(),
                "update tandem.operator_command set resolved = '{\"flights-0\": 1}' where id = " + pending.id())) {
            assertThatThrownBy(() -> fixture.jdbc.execute(change), change).isInstanceOf(DataAccessException.class);
        }
    }

    // ---- helpers

    /** Commits so many batches of ten offsets and seven records, and tells where the lane stands. */
    private Fence batches(LaneId lane, int batches) {
        Fence fence = claim(fixture.a, lane).fence();
        for (int i = 0; i < batches; i++) {
            assertThat(fixture.commit(fixture.a, unplanned(fence))).hasSize(1);
            fence = fence.after(next(fence));
        }
        return fence;
    }

    /** Gives it as a dry run, which must change nothing and tell what the real one does then. */
    private CommandRecord agreed(StreamCommand command) {
        List<String> before = tables();
        CommandRecord dry = commands.give(command.asDryRun());
        assertThat(tables()).isEqualTo(before);
        CommandRecord done = commands.give(command);
        assertThat(dry.lanes()).isEqualTo(done.lanes());
        assertThat(dry.deadLetters()).isEqualTo(done.deadLetters());
        assertThat(dry.version() + 1).isEqualTo(done.version());
        assertThat(done.status()).isEqualTo(Status.DONE);
        return done;
    }

    private List<String> tables() {
        List<String> all = new ArrayList<>();
        for (String table : List.of("stream", "lane", "offset_log", "commit_log", "dead_letter")) {
            all.addAll(column("select t::text from tandem." + table + " t order by 1"));
        }
        return all;
    }

    private static StreamCommand rewind(@Nullable String lane, Target to) {
        return StreamCommand.rewind(STREAM, to).withLane(lane);
    }

    private CommandRecord give(Action action, @Nullable String lane) {
        return commands.give(StreamCommand.of(STREAM, action).withLane(lane));
    }

    private long letters(@Nullable Letters which, @Nullable String lane) {
        return commands.give(StreamCommand.of(STREAM, Action.REDRIVE)
                        .withTarget(which)
                        .withLane(lane)
                        .asDryRun())
                .deadLetters();
    }

    private Map<String, Object> sql(String action, @Nullable String lane, @Nullable String target) {
        return fixture.jdbc.queryForMap(
                "insert into tandem.operator_command (stream, lane, action, target, reason)"
                        + " values ('flights', ?, ?, ?::jsonb, 'a test') returning status, result, version",
                lane,
                action,
                target);
    }

    private static List<String> lanes(CommandRecord command) {
        return command.lanes().stream().map(LaneEffect::lane).toList();
    }

    private List<String> states() {
        return column("select lane || ' ' || state from tandem.lane order by 1");
    }

    private List<String> column(String query) {
        return fixture.jdbc.queryForList(query, String.class);
    }

    private long id(long offset) {
        return fixture.count("select id from tandem.dead_letter where record_offset = ?", offset);
    }

    private static DeadLetter letter(long offset) {
        return DeadLetter.of(
                new RawRecord("flights", 0, offset, 0, null, new byte[] {1}, List.of()),
                new IllegalStateException("no"));
    }
}
