package io.github.tandemstreams.jdbc;

import static io.github.tandemstreams.checkpoint.SampleBatches.STREAM;
import static io.github.tandemstreams.checkpoint.SampleBatches.ahead;
import static io.github.tandemstreams.checkpoint.SampleBatches.claim;
import static io.github.tandemstreams.checkpoint.SampleBatches.lane;
import static io.github.tandemstreams.checkpoint.SampleBatches.next;
import static io.github.tandemstreams.checkpoint.SampleBatches.unplanned;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.SampleBatches;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** They arrive together at the stream's row: all five wait for somebody who has it, and go on at the same moment. */
    @ParameterizedTest(name = "the stream is known: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("C11")
    void ofFiveInstancesOneRegisters(boolean streamIsKnown) throws Exception {
        int lanes = 20;
        if (streamIsKnown) {
            a.settle(STREAM, Map.of());
        }
        List<Future<Set<String>>> registered = new ArrayList<>();
        fixture.inTransaction(() -> {
            if (streamIsKnown) {
                fixture.jdbc.queryForList("select from tandem.stream for update");
            } else {
                fixture.jdbc.update("insert into tandem.stream (stream) values (?)", STREAM);
            }
            for (int i = 0; i < 5; i++) {
                long position = i;
                JdbcCheckpoint instance = new JdbcCheckpoint(fixture.database, "tandem", "instance-" + i);
                registered.add(
                        fixture.start(() -> instance.register(STREAM, Set.of("flights"), starts(lanes, position))));
            }
            fixture.awaitWaiting(5);
            return streamIsKnown ? 0 : fixture.jdbc.update("delete from tandem.stream");
        });
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

    private static Map<String, LaneStart> starts(int lanes, long position) {
        return IntStream.range(0, lanes)
                .mapToObj(SampleBatches::lane)
                .collect(Collectors.toMap(
                        LaneId::lane, lane -> new LaneStart("flights", "", Offsets.of(lane.lane(), position))));
    }
}
