package io.github.tandemstreams.jdbc;

import static io.github.tandemstreams.jdbc.CheckpointFixture.STREAM;
import static io.github.tandemstreams.jdbc.CheckpointFixture.TOPIC_ID;
import static io.github.tandemstreams.jdbc.CheckpointFixture.ahead;
import static io.github.tandemstreams.jdbc.CheckpointFixture.claim;
import static io.github.tandemstreams.jdbc.CheckpointFixture.commit;
import static io.github.tandemstreams.jdbc.CheckpointFixture.lane;
import static io.github.tandemstreams.jdbc.CheckpointFixture.next;
import static io.github.tandemstreams.jdbc.CheckpointFixture.unplanned;
import static io.github.tandemstreams.jdbc.CheckpointFixture.withRidingPlan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.Trouble;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.test.PostgresServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import net.ttddyy.dsproxy.QueryCountHolder;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

/** What each operation of the checkpoint promises, with one instance at a time. */
class JdbcCheckpointTest {

    private final CheckpointFixture fixture = new CheckpointFixture();
    private final JdbcCheckpoint a = fixture.a;
    private final JdbcCheckpoint b = fixture.b;

    @AfterEach
    void close() {
        fixture.close();
    }

    // ---- streams and lanes

    @Test
    void aStreamIsKnownFromItsFirstRegistration() {
        assertThat(a.topics(STREAM)).isEmpty();
        fixture.register(2);
        assertThat(b.topics(STREAM)).containsExactly("flights");
        assertThat(b.position(lane(1))).contains(Offsets.of("flights-1", 100));
        assertThat(b.position(lane(2))).isEmpty();
        assertThat(b.topics("other")).isEmpty();
    }

    @Test
    void topicsThatAreRegisteredKeepTheirLanes() {
        fixture.register(1);
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
        fixture.register(1);
        a.add(lane(5), new LaneStart("", "", Offsets.of("flights-5", 1)));
        b.add(lane(5), new LaneStart("", "", Offsets.of("flights-5", 2)));
        Claim claim = claim(b, lane(5));
        assertThat(claim.fence().position()).isEqualTo(Offsets.of("flights-5", 1));
        assertThat(claim.topicId()).isEmpty();
    }

    // ---- claims

    @Test
    void aClaimRaisesTheEpochAndTellsWhatIsThere() {
        fixture.register(1);
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
        fixture.register(1);
        Fence first = claim(a, lane(0)).fence();
        assertThat(fixture.commit(a, unplanned(first))).containsExactly(lane(0));
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
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        assertThat(a.reclaim(lane(0), fence.epoch(), UUID.randomUUID())).isPresent();
        assertThat(a.reclaim(lane(0), fence.epoch(), UUID.randomUUID())).isEmpty();
    }

    @Test
    void holdingTellsWhichFencesStillHold() {
        fixture.register(3);
        List<Fence> fences = List.of(
                claim(a, lane(0)).fence(),
                claim(a, lane(1)).fence(),
                claim(a, lane(2)).fence());
        claim(b, lane(1));
        assertThat(a.holding(fences)).containsExactlyInAnyOrder(lane(0), lane(2));
        assertThat(a.holding(List.of())).isEmpty();
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
    void nothingIsWrittenUnderAFenceThatIsWrong(Wrong wrong) {
        fixture.register(2);
        Fence good = claim(a, lane(1)).fence();
        Fence bad = wrong.in(claim(a, lane(0)).fence());

        assertThat(a.plan(List.of(ahead(bad), ahead(good)))).containsExactly(lane(1));
        Commit planned = commit(good, true, Optional.empty(), List.of());
        assertThat(fixture.commit(a, unplanned(bad), planned)).containsExactly(lane(1));
        assertThat(a.holding(List.of(bad, good))).containsExactly(lane(1));
        assertThat(a.fail(bad, "broken")).isFalse();
        assertThat(a.skip(bad, next(bad), "topic-2")).isFalse();

        assertThat(fixture.count("select count(*) from tandem.offset_log where lane = 'flights-0'"))
                .isZero();
        assertThat(fixture.count("select count(*) from tandem.commit_log")).isZero();
        assertThat(claim(b, lane(0)).state()).isEqualTo(LaneState.ACTIVE);
    }

    // ---- plans and commits

    @Test
    void aPlanThatIsThereIsNeverChangedAndNeverMine() {
        fixture.register(2);
        Fence fence = claim(a, lane(0)).fence();
        Fence other = claim(a, lane(1)).fence();
        assertThat(a.plan(List.of(ahead(fence)))).containsExactly(lane(0));
        assertThat(a.plan(List.of(ahead(fence), ahead(other)))).containsExactly(lane(1));
        Plan longer = new Plan(0, 3, OffsetRange.of("flights-0", 100, 999));
        assertThat(a.plan(List.of(new JdbcCheckpoint.PlannedBatch(fence, longer))))
                .isEmpty();
        assertThat(claim(b, lane(0)).plan()).contains(next(fence));
    }

    @Test
    void aCommitMovesTheLaneAndLogsTheBatchWithItsPlanAndTheNextOne() {
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        assertThat(fixture.commit(a, withRidingPlan(fence))).containsExactly(lane(0));

        Claim claim = claim(b, lane(0));
        assertThat(claim.fence().lastBatch()).isZero();
        assertThat(claim.fence().position()).isEqualTo(Offsets.of("flights-0", 110));
        assertThat(claim.plan()).contains(new Plan(1, 0, OffsetRange.of("flights-0", 110, 120)));
        assertThat(fixture.jdbc.queryForList("""
                        select batch, partition, start_offset, end_offset, status, epoch, instance, records,
                               started_at = timestamptz '2026-01-02 03:04:05Z' and committed_at <= now() as timed
                          from tandem.batch order by batch
                        """))
                .extracting(row ->
                        List.copyOf(row.values().stream().map(String::valueOf).toList()))
                .containsExactly(
                        List.of("0", "flights-0", "100", "110", "committed", "1", "instance-a", "7", "true"),
                        List.of("1", "flights-0", "110", "120", "planned", "null", "null", "null", "null"));
    }

    @Test
    void aKeyThatIsTakenLeavesEverythingOut() {
        fixture.register(2);
        Fence fence = claim(a, lane(0)).fence();
        Fence other = claim(a, lane(1)).fence();
        a.plan(List.of(ahead(fence)));
        assertThat(fixture.commit(a, unplanned(fence), unplanned(other))).isEmpty();
        assertThat(a.holding(List.of(fence, other))).hasSize(2);
        assertThat(fixture.commit(a, commit(fence, true, Optional.empty(), List.of())))
                .containsExactly(lane(0));
    }

    @Test
    void thePositionIsMergedNotReplaced() {
        Offsets start = Offsets.of(Map.of("flights-0", 5L, "flights-1", 7L));
        a.register(STREAM, Set.of("flights"), Map.of("all", new LaneStart("flights", "", start)));
        LaneId all = new LaneId(STREAM, "all");
        Fence fence = claim(a, all).fence();
        Plan plan = new Plan(0, 0, OffsetRange.of("flights-1", 7, 9));
        Commit commit = new Commit(fence, plan, false, Optional.empty(), "", 0, List.of(), 0, Instant.now());
        assertThat(fixture.commit(a, commit)).containsExactly(all);
        assertThat(a.position(all)).contains(Offsets.of(Map.of("flights-0", 5L, "flights-1", 9L)));
    }

    @Test
    void batchIdsMustFollow() {
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Fence ahead = fence.after(next(fence));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.plan(List.of(new JdbcCheckpoint.PlannedBatch(fence, next(ahead)))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fixture.commit(a, commit(fence, false, Optional.of(next(fence)), List.of())));
    }

    @Test
    void aCommitIsOneStatement() {
        fixture.register(2);
        var counting =
                ProxyDataSourceBuilder.create(fixture.database).countQuery().build();
        JdbcCheckpoint checkpoint = new JdbcCheckpoint(counting, "tandem", "test");
        Commit[] commits = {
            withRidingPlan(claim(checkpoint, lane(0)).fence()),
            withRidingPlan(claim(checkpoint, lane(1)).fence())
        };
        new TransactionTemplate(new DataSourceTransactionManager(counting)).executeWithoutResult(status -> {
            QueryCountHolder.clear();
            assertThat(checkpoint.commit(List.of(commits))).hasSize(2);
            assertThat(QueryCountHolder.getGrandTotal().getTotal()).isEqualTo(1);
        });
    }

    @Test
    void aCommitNeedsATransactionOnItsOwnDataSource() {
        fixture.register(1);
        List<Commit> commits = List.of(unplanned(claim(a, lane(0)).fence()));
        assertThatThrownBy(() -> a.commit(commits)).isInstanceOf(IllegalTransactionStateException.class);
        TransactionTemplate elsewhere =
                new TransactionTemplate(new JdbcTransactionManager(PostgresServer.newDatabase()));
        assertThatThrownBy(() -> elsewhere.executeWithoutResult(status -> {
                    a.commit(commits);
                }))
                .isInstanceOf(IllegalTransactionStateException.class);
        assertThat(a.holding(List.of(commits.get(0).fence()))).hasSize(1);
    }

    @Test
    void allElseNeedsAThreadWithoutTransaction() {
        assertThatThrownBy(() -> fixture.inTransaction(() -> a.topics(STREAM)))
                .isInstanceOf(IllegalTransactionStateException.class);
    }

    @Test
    void aStatementHoldsManyMoreLanesThanParameters() {
        int lanes = 70_000;
        fixture.register(lanes);
        fixture.jdbc.update("update tandem.lane set epoch = 1, owner = ?", new UUID(0, 1));
        List<Fence> fences = IntStream.range(0, lanes)
                .mapToObj(i -> new Fence(lane(i), 1, new UUID(0, 1), -1, Offsets.of(lane(i).lane(), 100)))
                .toList();
        assertThat(a.plan(fences.stream().map(CheckpointFixture::ahead).toList()))
                .hasSize(lanes);
        List<Commit> commits = new ArrayList<>();
        fences.forEach(fence -> commits.add(commit(fence, true, Optional.empty(), List.of())));
        assertThat(fixture.commit(a, commits.toArray(Commit[]::new))).hasSize(lanes);
        assertThat(a.holding(fences)).isEmpty();
        assertThat(a.prune(STREAM, 0)).isEqualTo(2 * lanes);
    }

    // ---- out of the ordinary

    @Test
    void aFailedLaneSaysWhyUntilItIsResumed() {
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        assertThat(a.fail(fence, "bad\0data")).isTrue();
        assertThat(a.holding(List.of(fence))).hasSize(1);

        Claim claim = claim(b, lane(0));
        assertThat(claim.state()).isEqualTo(LaneState.FAILED);
        assertThat(claim.failure()).isEqualTo("bad\uFFFDdata");
        assertThat(a.command(STREAM, null, LaneState.ACTIVE)).containsExactly(lane(0));
        assertThat(b.holding(List.of(claim.fence()))).isEmpty();
        assertThat(claim(b, lane(0)).failure()).isNull();
    }

    @Test
    void aCommandReachesOneLaneOrAllAndOnlyThoseThatItChanges() {
        fixture.register(3);
        Fence fence = claim(a, lane(2)).fence();
        assertThat(b.command(STREAM, "flights-1", LaneState.PAUSED)).containsExactly(lane(1));
        assertThat(claim(a, lane(1)).state()).isEqualTo(LaneState.PAUSED);
        assertThat(b.command(STREAM, null, LaneState.ACTIVE)).containsExactly(lane(1));
        assertThat(a.holding(List.of(fence))).containsExactly(lane(2));
        assertThat(b.command(STREAM, null, LaneState.PAUSED)).hasSize(3);
        assertThat(a.holding(List.of(fence))).isEmpty();
        assertThat(b.command("other", null, LaneState.PAUSED)).isEmpty();
        assertThat(b.command(STREAM, "flights-9", LaneState.PAUSED)).isEmpty();
    }

    @Test
    void aGapIsABatchOfItsOwn() {
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Plan gap = new Plan(0, 0, OffsetRange.of("flights-0", 50, 50));
        assertThat(a.skip(fence, gap, "topic-2")).isTrue();

        Claim claim = claim(a, lane(0));
        assertThat(claim.fence().lastBatch()).isZero();
        assertThat(claim.fence().position()).isEqualTo(Offsets.of("flights-0", 50));
        assertThat(claim.topicId()).isEqualTo("topic-2");
        assertThat(claim.plan()).isEmpty();
        assertThat(fixture.jdbc.queryForList("select status, records from tandem.batch"))
                .containsExactly(Map.of("status", "lost", "records", 0));
    }

    @Test
    void aGapBurnsThePlanThatWasLeft() {
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        a.plan(List.of(ahead(fence)));
        assertThat(a.skip(fence, new Plan(0, 0, OffsetRange.of("flights-0", 100, 105)), TOPIC_ID))
                .isTrue();
        assertThat(fixture.jdbc.queryForList("select end_offset, status from tandem.batch"))
                .containsExactly(Map.of("end_offset", 110L, "status", "lost"));
        assertThat(claim(a, lane(0)).fence().position()).isEqualTo(Offsets.of("flights-0", 105));
        assertThat(a.skip(fence, new Plan(0, 0, OffsetRange.of("flights-0", 100, 105)), TOPIC_ID))
                .isFalse();
    }

    @Test
    void pruningKeepsTheLastBatchesOfEachLaneAndWhatIsPlanned() {
        fixture.register(2);
        Fence fence = claim(a, lane(0)).fence();
        for (int i = 0; i < 5; i++) {
            fixture.commit(a, commit(fence, i > 0, Optional.of(next(fence.after(next(fence)))), List.of()));
            fence = fence.after(next(fence));
        }
        fixture.commit(a, unplanned(claim(a, lane(1)).fence()));

        assertThat(b.prune("other", 0)).isZero();
        assertThat(b.prune(STREAM, 2)).isEqualTo(6);
        assertThat(fixture.jdbc.queryForList(
                        "select batch from tandem.offset_log where lane = 'flights-0' order by batch", Long.class))
                .containsExactly(3L, 4L, 5L);
        assertThat(fixture.jdbc.queryForList(
                        "select batch from tandem.commit_log where lane = 'flights-0' order by batch", Long.class))
                .containsExactly(3L, 4L);
        assertThat(fixture.count("select count(*) from tandem.batch where lane = 'flights-1'"))
                .isEqualTo(1);
    }
}
