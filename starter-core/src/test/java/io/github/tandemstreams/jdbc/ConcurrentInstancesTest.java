package io.github.tandemstreams.jdbc;

import static io.github.tandemstreams.jdbc.CheckpointFixture.STREAM;
import static io.github.tandemstreams.jdbc.CheckpointFixture.ahead;
import static io.github.tandemstreams.jdbc.CheckpointFixture.claim;
import static io.github.tandemstreams.jdbc.CheckpointFixture.lane;
import static io.github.tandemstreams.jdbc.CheckpointFixture.next;
import static io.github.tandemstreams.jdbc.CheckpointFixture.unplanned;
import static io.github.tandemstreams.jdbc.CheckpointFixture.withRidingPlan;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two instances at the same time: who waits for whom, and what the later one finds. */
@Timeout(60)
class ConcurrentInstancesTest {

    private final CheckpointFixture fixture = new CheckpointFixture();
    private final JdbcCheckpoint a = fixture.a;
    private final JdbcCheckpoint b = fixture.b;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aClaimWaitsForACommitInFlightAndSeesThePlanThatRodeAlong() throws Exception {
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Future<Claim> claim = fixture.inTransaction(() -> {
            assertThat(a.commit(List.of(withRidingPlan(fence)))).hasSize(1);
            Future<Claim> later = fixture.start(() -> claim(b, lane(0)));
            fixture.awaitWaiting(1);
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
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Future<Claim> claim = fixture.inTransaction(() -> {
            a.commit(List.of(withRidingPlan(fence)));
            Future<Claim> later = fixture.start(
                    () -> a.reclaim(lane(0), fence.epoch(), UUID.randomUUID()).orElseThrow());
            fixture.awaitWaiting(1);
            return later;
        });
        assertThat(claim.get().fence().lastBatch()).isZero();
        assertThat(claim.get().plan()).isPresent();
    }

    @Test
    void aZombiesCommitIsFencedByAClaim() {
        fixture.register(1);
        Fence zombie = claim(a, lane(0)).fence();
        claim(b, lane(0));
        assertThat(fixture.commit(a, unplanned(zombie))).isEmpty();
        assertThat(a.plan(List.of(ahead(zombie)))).isEmpty();
    }

    @Test
    void aCommitWaitsForAClaimInFlightAndIsFenced() throws Exception {
        fixture.register(2);
        Fence zombie = claim(a, lane(0)).fence();
        Fence held = claim(a, lane(1)).fence();
        Future<Set<LaneId>> committed =
                whileClaimed(lane(0), () -> fixture.start(() -> fixture.commit(a, unplanned(zombie), unplanned(held))));
        assertThat(committed.get()).containsExactly(lane(1));
        assertThat(fixture.count("select count(*) from tandem.commit_log")).isZero();
    }

    @Test
    void aPlanWaitsForAClaimInFlightAndIsFenced() throws Exception {
        fixture.register(1);
        Fence zombie = claim(a, lane(0)).fence();
        Future<Set<LaneId>> planned = whileClaimed(lane(0), () -> fixture.start(() -> a.plan(List.of(ahead(zombie)))));
        assertThat(planned.get()).isEmpty();
        assertThat(claim(b, lane(0)).plan()).isEmpty();
    }

    @Test
    void aClaimWaitsForAPlanInFlightAndSeesIt() throws Exception {
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        List<Future<?>> both = new ArrayList<>();
        fixture.inTransaction(() -> {
            // The plan stops half-way, at a row of the same key that isn't decided yet.
            fixture.jdbc.update(
                    "insert into tandem.offset_log values (?, ?, 0, 0, '{}', '{}')", STREAM, lane(0).lane());
            both.add(fixture.start(() -> a.plan(List.of(ahead(fence)))));
            fixture.awaitWaiting(1);
            both.add(fixture.start(() -> claim(b, lane(0)).plan()));
            fixture.awaitWaiting(2);
            return fixture.jdbc.update("delete from tandem.offset_log");
        });
        assertThat(both.get(0).get()).isEqualTo(Set.of(lane(0)));
        assertThat(both.get(1).get()).isEqualTo(Optional.of(next(fence)));
    }

    @Test
    void groupsThatShareLanesInAnotherOrderDontDeadlock() throws Exception {
        fixture.register(3);
        List<Commit> commits = IntStream.range(0, 3)
                .mapToObj(i -> unplanned(claim(a, lane(i)).fence()))
                .toList();
        List<Future<Set<LaneId>>> both = new ArrayList<>();
        // A join that follows the order of the parameters; others happen to lock in the order of the table.
        CheckpointFixture nested =
                fixture.withSessions("enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off");
        fixture.inTransaction(() -> {
            // In the order of the lists each would hold its first lane and wait for this one, then for the other's
            // first.
            fixture.jdbc.queryForList("select lane from tandem.lane where lane = 'flights-2' for update");
            both.add(fixture.start(() -> nested.commit(nested.a, commits.get(0), commits.get(2), commits.get(1))));
            fixture.awaitWaiting(1);
            both.add(fixture.start(() -> nested.commit(nested.b, commits.get(1), commits.get(2), commits.get(0))));
            fixture.awaitWaiting(2);
            return "";
        });
        assertThat(both.get(0).get()).hasSize(3);
        assertThat(both.get(1).get()).isEmpty();
    }

    @Test
    void ofFiveInstancesOneRegisters() throws Exception {
        int lanes = 20;
        CyclicBarrier together = new CyclicBarrier(5);
        List<Future<Set<String>>> registered = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            long position = i;
            JdbcCheckpoint instance = new JdbcCheckpoint(fixture.database, "tandem", "instance-" + i);
            registered.add(fixture.start(() -> {
                together.await();
                return instance.register(STREAM, Set.of("flights"), starts(lanes, position));
            }));
        }
        int winner = -1;
        for (int i = 0; i < 5; i++) {
            if (!registered.get(i).get().isEmpty()) {
                assertThat(winner).as("one registers").isEqualTo(-1);
                winner = i;
            }
        }
        Set<Long> positions = new HashSet<>();
        for (int i = 0; i < lanes; i++) {
            positions.add(a.position(lane(i)).orElseThrow().get(lane(i).lane()));
        }
        assertThat(positions).containsExactly((long) winner);
        assertThat(a.topics(STREAM)).containsExactly("flights");
    }

    @Test
    void aCommandFencesACommitThatComesAfterIt() throws Exception {
        fixture.register(1);
        Fence fence = claim(a, lane(0)).fence();
        Future<Set<LaneId>> command = fixture.inTransaction(() -> {
            assertThat(a.commit(List.of(unplanned(fence)))).hasSize(1);
            Future<Set<LaneId>> later = fixture.start(() -> b.command(STREAM, null, LaneState.PAUSED));
            fixture.awaitWaiting(1);
            return later;
        });
        assertThat(command.get()).containsExactly(lane(0));
        assertThat(fixture.commit(a, unplanned(fence.after(next(fence))))).isEmpty();
        Claim claim = claim(b, lane(0));
        assertThat(claim.state()).isEqualTo(LaneState.PAUSED);
        assertThat(claim.fence().lastBatch()).isZero();
    }

    private static Map<String, LaneStart> starts(int lanes, long position) {
        return IntStream.range(0, lanes)
                .mapToObj(CheckpointFixture::lane)
                .collect(Collectors.toMap(
                        LaneId::lane, lane -> new LaneStart("flights", "", Offsets.of(lane.lane(), position))));
    }

    /** Starts the work while another instance's claim isn't committed yet, and commits that once the work waits for it. */
    private <T> Future<T> whileClaimed(LaneId lane, Supplier<Future<T>> start) {
        return fixture.inTransaction(() -> {
            fixture.jdbc.update(
                    "update tandem.lane set epoch = epoch + 1, owner = ? where lane = ?",
                    UUID.randomUUID(),
                    lane.lane());
            Future<T> work = start.get();
            fixture.awaitWaiting(1);
            return work;
        });
    }
}
