package io.github.tandemstreams.torture.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Checkpoint.PlannedBatch;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.Run;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The planted fault does to the real statements what it is meant to: an owner that lost its lane goes on with it. */
class NoCompareTest {

    private static final LaneId LANE = new LaneId("torture", "torture-0");
    private static final Plan FIRST = new Plan(0, 0, OffsetRange.of("torture-0", 0, 10));

    private static EmbeddedPostgres server;

    private DataSource database;

    @BeforeAll
    static void startServer() throws IOException {
        server = EmbeddedPostgres.start();
        new SchemaMigrator("tandem").migrate(server.getPostgresDatabase());
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @BeforeEach
    void empty() {
        database = server.getPostgresDatabase();
        new JdbcTemplate(database).execute("truncate tandem.stream, tandem.lane, tandem.offset_log, tandem.commit_log");
    }

    @Test
    void planAndCommitAreFencedWithTheCompare() {
        JdbcCheckpoint checkpoint = new JdbcCheckpoint(database, "tandem", "test");
        Fence lost = lostFence(checkpoint);

        assertThat(checkpoint.plan(List.of(new PlannedBatch(lost, FIRST)))).isEmpty();
        assertThat(commit(checkpoint, database, lost)).isEmpty();
    }

    @Test
    void planAndCommitGoThroughWithoutIt() {
        DataSource rewriting = new RewritingDataSource(database, NoCompare::without);
        JdbcCheckpoint checkpoint = new JdbcCheckpoint(rewriting, "tandem", "test");
        Fence lost = lostFence(checkpoint);

        assertThat(checkpoint.plan(List.of(new PlannedBatch(lost, FIRST)))).containsExactly(LANE);
        assertThat(commit(checkpoint, rewriting, lost)).containsExactly(LANE);
    }

    /** What the lane's first owner believes, after the lane was claimed by another. */
    private static Fence lostFence(Checkpoint checkpoint) {
        checkpoint.register(
                "torture",
                Set.of("torture"),
                Map.of("torture-0", new LaneStart("torture", "id", Offsets.of("torture-0", 0))));
        Fence lost = checkpoint.claim(LANE, UUID.randomUUID()).orElseThrow().fence();
        checkpoint.claim(LANE, UUID.randomUUID());
        return lost;
    }

    private static Set<LaneId> commit(Checkpoint checkpoint, DataSource database, Fence fence) {
        Commit first =
                new Commit(fence, FIRST, true, Optional.empty(), "id", 1, List.of(), 0, Run.begunAt(Instant.EPOCH));
        return new TransactionTemplate(new JdbcTransactionManager(database))
                .execute(status -> checkpoint.commit(List.of(first), List.of()));
    }
}
