package io.github.tandemstreams.jdbc;

import static io.github.tandemstreams.checkpoint.SampleBatches.STREAM;
import static io.github.tandemstreams.checkpoint.SampleBatches.claim;
import static io.github.tandemstreams.checkpoint.SampleBatches.commit;
import static io.github.tandemstreams.checkpoint.SampleBatches.lane;
import static io.github.tandemstreams.checkpoint.SampleBatches.unplanned;
import static io.github.tandemstreams.checkpoint.SampleBatches.withRidingPlan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.SampleBatches;
import io.github.tandemstreams.test.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import net.ttddyy.dsproxy.QueryCountHolder;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

    // ---- plans and commits

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
            assertThat(checkpoint.commit(List.of(commits), List.of())).hasSize(2);
            assertThat(QueryCountHolder.getGrandTotal().getTotal()).isEqualTo(1);
        });
    }

    @Test
    void aCommitNeedsATransactionOnItsOwnDataSource() {
        fixture.register(1);
        List<Commit> commits = List.of(unplanned(claim(a, lane(0)).fence()));
        assertThatThrownBy(() -> a.commit(commits, List.of())).isInstanceOf(IllegalTransactionStateException.class);
        TransactionTemplate elsewhere =
                new TransactionTemplate(new JdbcTransactionManager(PostgresServer.newDatabase()));
        assertThatThrownBy(() -> elsewhere.executeWithoutResult(status -> {
                    a.commit(commits, List.of());
                }))
                .isInstanceOf(IllegalTransactionStateException.class);
        assertThat(a.holding(List.of(commits.get(0).fence())).mine()).hasSize(1);
    }

    @Test
    void aStatementHoldsManyMoreLanesThanParameters() {
        int lanes = 70_000;
        fixture.register(lanes);
        fixture.jdbc.update("update tandem.lane set epoch = 1, owner = ?", new UUID(0, 1));
        List<Fence> fences = IntStream.range(0, lanes)
                .mapToObj(i -> new Fence(lane(i), 1, new UUID(0, 1), -1, Offsets.of(lane(i).lane(), 100)))
                .toList();
        assertThat(a.plan(fences.stream().map(SampleBatches::ahead).toList())).hasSize(lanes);
        List<Commit> commits = new ArrayList<>();
        fences.forEach(fence -> commits.add(commit(fence, true, Optional.empty(), List.of())));
        assertThat(fixture.commit(a, commits.toArray(Commit[]::new))).hasSize(lanes);
        assertThat(a.holding(fences).mine()).isEmpty();
        assertThat(a.prune(STREAM, 0)).isEqualTo(2 * lanes);
    }
}
