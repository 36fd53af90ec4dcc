package io.github.tandemstreams.checkpoint;

import static io.github.tandemstreams.checkpoint.SampleBatches.STREAM;
import static io.github.tandemstreams.checkpoint.SampleBatches.TOPIC_ID;
import static io.github.tandemstreams.checkpoint.SampleBatches.ahead;
import static io.github.tandemstreams.checkpoint.SampleBatches.claim;
import static io.github.tandemstreams.checkpoint.SampleBatches.commit;
import static io.github.tandemstreams.checkpoint.SampleBatches.lane;
import static io.github.tandemstreams.checkpoint.SampleBatches.next;
import static io.github.tandemstreams.checkpoint.SampleBatches.unplanned;
import static io.github.tandemstreams.checkpoint.SampleBatches.withRidingPlan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.IllegalTransactionStateException;

/** What every checkpoint promises: each operation by itself, and who waits for whom and what the later one finds. */
@Timeout(60)
public abstract class CheckpointContract {

    private final CheckpointStore store;
    private final Checkpoint a;
    private final Checkpoint b;

    /** @param store empty, and this test's own */
    protected CheckpointContract(CheckpointStore store) {
        this.store = store;
        this.a = store.a();
        this.b = store.b();
    }

    @AfterEach
    void close() {
        store.close();
    }

    // ---- streams and lanes

    @Test
    void aStreamIsKnownFromItsFirstRegistration() {
        assertThat(a.topics(STREAM)).isEmpty();
        store.register(2);
        assertThat(b.topics(STREAM)).containsExactly("flights");
        assertThat(b.position(lane(1))).contains(Offsets.of("flights-1", 100));
        assertThat(b.position(lane(2))).isEmpty();
        assertThat(b.topics("other")).isEmpty();
    }

    @Test
    void topicsThatAreRegisteredKeepTheirLanes() {
        store.register(1);
        Map<String, LaneStart> starts = Map.of(
                "flights-0", new LaneStart("flights", "x", Offsets.of("flights-0", 0)),
                "flights-1", new LaneStart("flights", "x", Offsets.of("flights-1", 0)),
                "delays-0", new LaneStart("delays", "y", Offsets.of("delays-0", 3)));
        assertThat(b.register(STREAM, Set.of("flights", "delays"), starts)).containsExactly("delays");
        assertThat(a.topics(STREAM)).containsExactlyInAnyOrder("flights", "delays");
        assertThat(a.position(lane(0))).contains(Offsets.of("flights-0", 100));
        assertThat(a.position(lane(1))).isEmpty();
        assertThat(a.position(new LaneId(STREAM, "delays-0"))).contains(Offsets.of("delays-0", 3));
    }

    @Test
    void whatIsSettledOnceStays() {
        assertThat(a.settle(STREAM, Map.of("isolation-level", "read_committed")))
                .isEqualTo(Map.of("isolation-level", "read_committed"));
        assertThat(b.settle(STREAM, Map.of("isolation-level", "read_uncommitted", "starting-offsets", "latest")))
                .isEqualTo(Map.of("isolation-level", "read_committed", "starting-offsets", "latest"));
        assertThat(a.topics(STREAM)).isEmpty();
    }

    @Test
    void aLaneThatIsAddedLaterIsAddedOnce() {
        store.register(1);
        a.add(lane(5), new LaneStart("", "", Offsets.of("flights-5", 1)));
        b.add(lane(5), new LaneStart("", "", Offsets.of("flights-5", 2)));
        Claim claim = claim(b, lane(5));
        assertThat(claim.fence().position()).isEqualTo(Offsets.of("flights-5", 1));
        assertThat(claim.topicId()).isEmpty();
    }

    // ---- claims

    @Test
    void aClaimRaisesTheEpochAndTellsWhatIsThere() {
        store.register(1);
        UUID owner = UUID.randomUUID();
        assertThat(a.claim(lane(0), owner))
                .contains(new Claim(
                        new Fence(lane(0), 1, owner, -1, Offsets.of("flights-0", 100)),
                        0,
                        TOPIC_ID,
                        LaneState.ACTIVE,
                        null,
                        Optional.empty(),
                        Trouble.NONE,
                        0,
                        OptionalLong.empty()));
        assertThat(claim(b, lane(0)).fence().epoch()).isEqualTo(2);
        assertThat(a.claim(lane(9), owner)).isEmpty();
    }

    @Test
    void aClaimFindsThePlanThatWasLeftAndTheEpochOfTheLastCommit() {
        store.register(1);
        Fence first = claim(a, lane(0)).fence();
        assertThat(store.commit(a, unplanned(first))).containsExactly(lane(0));
        Fence second = first.after(next(first));
        assertThat(a.plan(List.of(ahead(second)))).containsExactly(lane(0));

        Claim claim = claim(b, lane(0));
        assertThat(claim.plan()).contains(new Plan(1, 0, OffsetRange.of("flights-0", 110, 120)));
        assertThat(claim.lastCommitEpoch()).hasValue(1);
        assertThat(claim.fence().lastBatch()).isZero();
        assertThat(claim.fence().position()).isEqualTo(Offsets.of("flights-0", 110));
    }

    @Test
    void aDoubtIsSettledOnlyWhileNobodyElseHasClaimed() {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        assertThat(a.reclaim(lane(0), fence.epoch(), UUID.randomUUID())).isPresent();
        assertThat(a.reclaim(lane(0), fence.epoch(), UUID.randomUUID())).isEmpty();
    }

    @Test
    void holdingTellsWhichFencesStillHold() {
        store.register(3);
        List<Fence> fences = List.of(
                claim(a, lane(0)).fence(),
                claim(a, lane(1)).fence(),
                claim(a, lane(2)).fence());
        claim(b, lane(1));
        assertThat(a.holding(fences).mine()).containsExactlyInAnyOrder(lane(0), lane(2));
        assertThat(a.holding(fences).commanded()).isEmpty();
        assertThat(a.holding(List.of()).mine()).isEmpty();
    }

    @Test
    void holdingTellsWhichLanesACommandTookAwayUntilSomebodyClaimsThem() {
        store.register(2);
        List<Fence> fences =
                List.of(claim(a, lane(0)).fence(), claim(a, lane(1)).fence());
        command(b, "flights-0", Action.PAUSE);
        assertThat(a.holding(fences).mine()).containsExactly(lane(1));
        assertThat(a.holding(fences).commanded()).containsExactly(lane(0));

        claim(b, lane(0));
        assertThat(a.holding(fences).mine()).containsExactly(lane(1));
        assertThat(a.holding(fences).commanded()).as("a rival has it").isEmpty();
    }

    // ---- the compare

    /** One thing at a time that an owner may be wrong about. */
    enum Wrong {
        EPOCH,
        OWNER,
        LAST_BATCH,
        POSITION;

        Fence in(Fence fence) {
            return new Fence(
                    fence.lane(),
                    fence.epoch() + (this == EPOCH ? 1 : 0),
                    this == OWNER ? UUID.randomUUID() : fence.owner(),
                    fence.lastBatch() + (this == LAST_BATCH ? 1 : 0),
                    this == POSITION ? Offsets.of(fence.lane().lane(), 101) : fence.position());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B5")
    void nothingIsWrittenUnderAFenceThatIsWrong(Wrong wrong) {
        store.register(2);
        Fence good = claim(a, lane(1)).fence();
        Fence bad = wrong.in(claim(a, lane(0)).fence());

        assertThat(a.plan(List.of(ahead(bad), ahead(good)))).containsExactly(lane(1));
        Commit planned = commit(good, true, Optional.empty(), List.of());
        assertThat(store.commit(a, unplanned(bad), planned)).containsExactly(lane(1));
        assertThat(ride(List.of(planned), bad)).containsExactly(lane(1));
        assertThat(a.fail(bad, "broken", null)).isFalse();
        assertThat(a.skip(bad, next(bad), "topic-2")).isFalse();

        assertThat(store.log(lane(0))).isEmpty();
        assertThat(store.log(lane(1))).containsExactly("0 [100, 110) committed");
        assertThat(a.holding(List.of(bad, good.after(next(good)))).mine()).containsExactly(lane(1));
        assertThat(claim(b, lane(0)).state()).isEqualTo(LaneState.ACTIVE);
    }

    /** Commits the batches, and with them the next plans of other lanes. */
    private Set<LaneId> ride(List<Commit> commits, Fence... riding) {
        return store.inTransaction(() ->
                a.commit(commits, Stream.of(riding).map(SampleBatches::ahead).toList()));
    }

    // ---- plans and commits

    @Test
    void aPlanThatIsThereIsNeverChangedAndNeverMine() {
        store.register(2);
        Fence fence = claim(a, lane(0)).fence();
        Fence other = claim(a, lane(1)).fence();
        assertThat(a.plan(List.of(ahead(fence)))).containsExactly(lane(0));
        assertThat(a.plan(List.of(ahead(fence), ahead(other)))).containsExactly(lane(1));
        Plan longer = new Plan(0, 3, OffsetRange.of("flights-0", 100, 999));
        assertThat(a.plan(List.of(new Checkpoint.PlannedBatch(fence, longer)))).isEmpty();
        assertThat(claim(b, lane(0)).plan()).contains(next(fence));
    }

    @Test
    void aKeyThatIsTakenLeavesEverythingOut() {
        store.register(2);
        Fence fence = claim(a, lane(0)).fence();
        Fence other = claim(a, lane(1)).fence();
        a.plan(List.of(ahead(fence)));
        assertThat(store.commit(a, unplanned(fence), unplanned(other))).isEmpty();
        assertThat(a.holding(List.of(fence, other)).mine()).hasSize(2);
        assertThat(store.commit(a, commit(fence, true, Optional.empty(), List.of())))
                .containsExactly(lane(0));
    }

    @Test
    void thePositionIsMergedNotReplaced() {
        Offsets start = Offsets.of(Map.of("flights-0", 5L, "flights-1", 7L));
        a.register(STREAM, Set.of("flights"), Map.of("all", new LaneStart("flights", "", start)));
        LaneId all = new LaneId(STREAM, "all");
        Fence fence = claim(a, all).fence();
        Plan plan = new Plan(0, 0, OffsetRange.of("flights-1", 7, 9));
        Commit commit =
                new Commit(fence, plan, false, Optional.empty(), "", 0, List.of(), 0, Run.begunAt(Instant.now()));
        assertThat(store.commit(a, commit)).containsExactly(all);
        assertThat(a.position(all)).contains(Offsets.of(Map.of("flights-0", 5L, "flights-1", 9L)));
    }

    @Test
    void batchIdsMustFollow() {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Fence ahead = fence.after(next(fence));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.plan(List.of(new Checkpoint.PlannedBatch(fence, next(ahead)))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.commit(a, commit(fence, false, Optional.of(next(fence)), List.of())));
    }

    @Test
    void allElseNeedsAThreadWithoutTransaction() {
        assertThatThrownBy(() -> store.inTransaction(() -> a.topics(STREAM)))
                .isInstanceOf(IllegalTransactionStateException.class);
    }

    @Test
    void aCommitMovesTheLaneAndLogsTheBatchAndTheNextPlan() {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        assertThat(store.commit(a, withRidingPlan(fence))).containsExactly(lane(0));
        assertThat(a.position(lane(0))).contains(Offsets.of("flights-0", 110));
        assertThat(store.log(lane(0))).containsExactly("0 [100, 110) committed", "1 [110, 120) planned");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "2, 1", "2, 2"})
    void plansOfOtherLanesRideAlong(int commits, int riders) {
        store.register(commits + riders);
        List<Fence> fences = IntStream.range(0, commits + riders)
                .mapToObj(number -> claim(a, lane(number)).fence())
                .toList();
        List<Fence> riding = fences.subList(0, riders);
        List<Commit> committing = fences.subList(riders, fences.size()).stream()
                .map(SampleBatches::unplanned)
                .toList();
        assertThat(ride(committing, riding.toArray(Fence[]::new))).hasSize(commits + riders);
        for (Fence planned : riding) {
            assertThat(store.log(planned.lane())).containsExactly("0 [100, 110) planned");
            assertThat(claim(b, planned.lane()).plan()).contains(next(planned));
        }
        committing.forEach(
                commit -> assertThat(store.log(commit.fence().lane())).containsExactly("0 [100, 110) committed"));
    }

    @Test
    void aPlanThatRodeAlongGoesWithItsTransaction() {
        store.register(2);
        Fence zombie = Wrong.EPOCH.in(claim(a, lane(0)).fence());
        Fence riding = claim(a, lane(1)).fence();
        store.transactions().executeWithoutResult(status -> {
            assertThat(a.commit(List.of(unplanned(zombie)), List.of(ahead(riding))))
                    .doesNotContain(lane(0));
            status.setRollbackOnly();
        });
        assertThat(store.log(lane(1))).isEmpty();
        assertThat(a.plan(List.of(ahead(riding)))).containsExactly(lane(1));
    }

    @Test
    void aPlanThatIsThereDoesntRideAndLeavesTheCommitAlone() {
        store.register(2);
        Fence fence = claim(a, lane(0)).fence();
        Fence planned = claim(a, lane(1)).fence();
        a.plan(List.of(ahead(planned)));
        assertThat(ride(List.of(unplanned(fence)), planned)).containsExactly(lane(0));
        assertThat(store.log(lane(0))).containsExactly("0 [100, 110) committed");
        assertThat(store.log(lane(1))).containsExactly("0 [100, 110) planned");
    }

    @Test
    void aCommitNeedsATransaction() {
        store.register(1);
        List<Commit> commits = List.of(unplanned(claim(a, lane(0)).fence()));
        assertThatThrownBy(() -> a.commit(commits, List.of())).isInstanceOf(IllegalTransactionStateException.class);
        assertThatThrownBy(() -> a.verify(false)).isInstanceOf(IllegalTransactionStateException.class);
        assertThat(store.log(lane(0))).isEmpty();
    }

    // ---- out of the ordinary

    @Test
    void whatIsNotedOfABatchIsFoundByTheNextClaimAndForgottenByACommand() {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Search search = Search.from(100, false).trying(105, fence.owner());
        Trouble trouble = new Trouble(2, Set.of(fence.owner()), Optional.of(search), Optional.empty());
        assertThat(a.note(fence, trouble)).as("without a plan").isFalse();
        a.plan(List.of(ahead(fence)));
        assertThat(a.note(fence, trouble)).isTrue();
        Claim claim = claim(b, lane(0));
        assertThat(claim.trouble()).isEqualTo(trouble);
        assertThat(a.note(fence, Trouble.NONE)).as("fenced").isFalse();

        command(b, null, Action.PAUSE);
        assertThat(claim(b, lane(0)).trouble()).isEqualTo(trouble);
        command(b, null, Action.RESUME);
        assertThat(claim(b, lane(0)).trouble()).isEqualTo(Trouble.NONE);
    }

    @Test
    void whoBeganIsKnownUntilItTellsThatItEnded() {
        store.register(1);
        Fence first = claim(a, lane(0)).fence();
        a.plan(List.of(ahead(first)));
        a.note(first, Trouble.NONE);
        a.note(first, Trouble.NONE.attempts(1));
        Claim second = claim(b, lane(0));
        assertThat(second.trouble().begun()).containsExactly(first.owner());

        b.note(second.fence(), second.trouble());
        a.ended(first);
        assertThat(claim(a, lane(0)).trouble())
                .isEqualTo(new Trouble(1, Set.of(second.fence().owner()), Optional.empty(), Optional.empty()));
        b.ended(second.fence());
        assertThat(claim(a, lane(0)).trouble().begun()).isEmpty();
    }

    @Test
    void aFailedLaneSaysWhyUntilItIsResumed() {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        assertThat(a.fail(fence, "bad\0data", null)).isTrue();
        assertThat(a.holding(List.of(fence)).mine()).hasSize(1);

        Claim claim = claim(b, lane(0));
        assertThat(claim.state()).isEqualTo(LaneState.FAILED);
        assertThat(claim.failure()).isEqualTo("bad\uFFFDdata");
        assertThat(command(a, null, Action.RESUME)).containsExactly(lane(0));
        assertThat(b.holding(List.of(claim.fence())).mine()).isEmpty();
        assertThat(claim(b, lane(0)).failure()).isNull();
    }

    @Test
    void aCommandReachesOneLaneOrAllAndOnlyThoseThatItChanges() {
        store.register(3);
        Fence fence = claim(a, lane(2)).fence();
        assertThat(command(b, "flights-1", Action.PAUSE)).containsExactly(lane(1));
        assertThat(claim(a, lane(1)).state()).isEqualTo(LaneState.PAUSED);
        assertThat(command(b, null, Action.RESUME)).containsExactly(lane(1));
        assertThat(a.holding(List.of(fence)).mine()).containsExactly(lane(2));
        assertThat(command(b, null, Action.PAUSE)).hasSize(3);
        assertThat(a.holding(List.of(fence)).mine()).isEmpty();
    }

    @Test
    void aGapIsABatchOfItsOwn() {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Plan gap = new Plan(0, 0, OffsetRange.of("flights-0", 50, 50));
        assertThat(a.skip(fence, gap, "topic-2")).isTrue();

        Claim claim = claim(a, lane(0));
        assertThat(claim.fence().lastBatch()).isZero();
        assertThat(claim.fence().position()).isEqualTo(Offsets.of("flights-0", 50));
        assertThat(claim.topicId()).isEqualTo("topic-2");
        assertThat(claim.plan()).isEmpty();
        assertThat(store.log(lane(0))).containsExactly("0 [50, 50) lost");
    }

    @Test
    void aGapBurnsThePlanThatWasLeft() {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        a.plan(List.of(ahead(fence)));
        assertThat(a.skip(fence, new Plan(0, 0, OffsetRange.of("flights-0", 100, 105)), TOPIC_ID))
                .isTrue();
        assertThat(store.log(lane(0))).containsExactly("0 [100, 110) lost");
        assertThat(claim(a, lane(0)).fence().position()).isEqualTo(Offsets.of("flights-0", 105));
        assertThat(a.skip(fence, new Plan(0, 0, OffsetRange.of("flights-0", 100, 105)), TOPIC_ID))
                .isFalse();
    }

    @Test
    void pruningKeepsTheLastBatchesOfEachLaneAndWhatIsPlanned() {
        store.register(2);
        Fence fence = claim(a, lane(0)).fence();
        for (int i = 0; i < 5; i++) {
            store.commit(a, commit(fence, i > 0, Optional.of(next(fence.after(next(fence)))), List.of()));
            fence = fence.after(next(fence));
        }
        store.commit(a, unplanned(claim(a, lane(1)).fence()));

        assertThat(b.prune("other", 0)).isZero();
        assertThat(b.prune(STREAM, 2)).isEqualTo(6);
        assertThat(store.log(lane(0)))
                .containsExactly("3 [130, 140) committed", "4 [140, 150) committed", "5 [150, 160) planned");
        assertThat(store.log(lane(1))).containsExactly("0 [100, 110) committed");
    }

    // ---- two instances at the same time

    @Test
    void aClaimWaitsForACommitInFlightAndSeesThePlanThatRodeAlong() throws Exception {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Future<Claim> claim = store.inTransaction(() -> {
            assertThat(a.commit(List.of(withRidingPlan(fence)), List.of())).hasSize(1);
            Future<Claim> later = store.start(() -> claim(b, lane(0)));
            store.awaitWaiting(1);
            return later;
        });
        Fence after = fence.after(next(fence));
        assertThat(claim.get().fence().lastBatch()).isZero();
        assertThat(claim.get().fence().position()).isEqualTo(after.position());
        assertThat(claim.get().plan()).contains(next(after));
        assertThat(claim.get().lastCommitEpoch()).hasValue(fence.epoch());
    }

    @Test
    void aDoubtIsSettledOnceTheOldBackendIsThrough() throws Exception {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Future<Claim> claim = store.inTransaction(() -> {
            a.commit(List.of(withRidingPlan(fence)), List.of());
            Future<Claim> later = store.start(
                    () -> a.reclaim(lane(0), fence.epoch(), UUID.randomUUID()).orElseThrow());
            store.awaitWaiting(1);
            return later;
        });
        assertThat(claim.get().fence().lastBatch()).isZero();
        assertThat(claim.get().plan()).isPresent();
    }

    @Test
    void aZombiesCommitIsFencedByAClaim() {
        store.register(1);
        Fence zombie = claim(a, lane(0)).fence();
        claim(b, lane(0));
        assertThat(store.commit(a, unplanned(zombie))).isEmpty();
        assertThat(a.plan(List.of(ahead(zombie)))).isEmpty();
    }

    @Test
    void aCommitWaitsForAClaimInFlightAndIsFenced() throws Exception {
        store.register(2);
        Fence zombie = claim(a, lane(0)).fence();
        Fence held = claim(a, lane(1)).fence();
        Future<Set<LaneId>> committed =
                store.untilClaimed(lane(0), () -> store.commit(a, unplanned(zombie), unplanned(held)));
        assertThat(committed.get()).containsExactly(lane(1));
        assertThat(store.log(lane(0))).isEmpty();
        assertThat(store.log(lane(1))).isEmpty();
    }

    @Test
    void aPlanWaitsForAClaimInFlightAndIsFenced() throws Exception {
        store.register(1);
        Fence zombie = claim(a, lane(0)).fence();
        Future<Set<LaneId>> planned = store.untilClaimed(lane(0), () -> a.plan(List.of(ahead(zombie))));
        assertThat(planned.get()).isEmpty();
        assertThat(claim(b, lane(0)).plan()).isEmpty();
    }

    @Test
    void aClaimWaitsForACommitThatItsLanesPlanRidesAlongWith() throws Exception {
        store.register(2);
        Fence fence = claim(a, lane(0)).fence();
        Fence riding = claim(a, lane(1)).fence();
        Future<Claim> claim = store.inTransaction(() -> {
            assertThat(a.commit(List.of(unplanned(fence)), List.of(ahead(riding))))
                    .hasSize(2);
            Future<Claim> later = store.start(() -> claim(b, lane(1)));
            store.awaitWaiting(1);
            return later;
        });
        assertThat(claim.get().plan()).contains(next(riding));
    }

    @Test
    void aCommitWaitsForNoLaneWhosePlanWasToRideAlong() {
        store.register(2);
        Fence fence = claim(a, lane(0)).fence();
        Fence zombie = claim(a, lane(1)).fence();
        store.whileClaimed(
                lane(1),
                () -> assertThat(store.start(() -> ride(List.of(unplanned(fence)), zombie)))
                        .succeedsWithin(Duration.ofSeconds(30))
                        .isEqualTo(Set.of(lane(0))));
        assertThat(store.log(lane(0))).containsExactly("0 [100, 110) committed");
        assertThat(store.log(lane(1))).isEmpty();
    }

    /** Else it could wait for somebody who waits for that lane. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCommitThatWaitsHoldsNoLaneWhosePlanIsToRideAlong(int commits) throws Exception {
        store.register(3);
        Fence riding = claim(a, lane(0)).fence();
        List<Commit> committing = IntStream.rangeClosed(1, commits)
                .mapToObj(number -> unplanned(claim(a, lane(number)).fence()))
                .toList();
        Future<Set<LaneId>> committed = store.whileClaimed(lane(1), () -> {
            Future<Set<LaneId>> commit = store.start(() -> ride(committing, riding));
            store.awaitWaiting(1);
            assertThat(store.start(() -> claim(b, lane(0)))).succeedsWithin(Duration.ofSeconds(30));
            return commit;
        });
        assertThat(committed.get()).hasSize(commits - 1);
        assertThat(claim(b, lane(0)).plan()).isEmpty();
    }

    @Test
    void aCommandFencesACommitThatComesAfterIt() throws Exception {
        store.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Future<Set<LaneId>> command = store.inTransaction(() -> {
            assertThat(a.commit(List.of(unplanned(fence)), List.of())).hasSize(1);
            Future<Set<LaneId>> later = store.start(() -> command(b, null, Action.PAUSE));
            store.awaitWaiting(1);
            return later;
        });
        assertThat(command.get()).containsExactly(lane(0));
        assertThat(store.commit(a, unplanned(fence.after(next(fence))))).isEmpty();
        Claim claim = claim(b, lane(0));
        assertThat(claim.state()).isEqualTo(LaneState.PAUSED);
        assertThat(claim.fence().lastBatch()).isZero();
    }

    /** The lanes that a command changed. */
    private static Set<LaneId> command(Checkpoint checkpoint, @Nullable String lane, Action action) {
        StreamCommand command = StreamCommand.of(STREAM, action).withLane(lane);
        return checkpoint.commands().give(command).lanes().stream()
                .map(effect -> new LaneId(STREAM, effect.lane()))
                .collect(Collectors.toSet());
    }
}
