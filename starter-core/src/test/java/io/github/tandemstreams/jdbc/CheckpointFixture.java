package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Checkpoint.PlannedBatch;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.test.PostgresServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An empty checkpoint, two instances that share it, and threads to run them against each other. */
final class CheckpointFixture implements AutoCloseable {

    static final String STREAM = "flights";
    static final String TOPIC_ID = "topic-1";

    private static final PGSimpleDataSource DATABASE = migrated();

    final PGSimpleDataSource database;
    final JdbcTemplate jdbc;
    final JdbcCheckpoint a;
    final JdbcCheckpoint b;

    private final TransactionTemplate transactions;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    CheckpointFixture() {
        this(DATABASE);
        PostgresServer.execute(
                database,
                "truncate tandem.stream, tandem.lane, tandem.offset_log, tandem.commit_log, tandem.dead_letter");
    }

    private CheckpointFixture(PGSimpleDataSource database) {
        this.database = database;
        jdbc = new JdbcTemplate(database);
        transactions = new TransactionTemplate(new JdbcTransactionManager(database));
        a = new JdbcCheckpoint(database, "tandem", "instance-a");
        b = new JdbcCheckpoint(database, "tandem", "instance-b");
    }

    private static PGSimpleDataSource migrated() {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        new SchemaMigrator("tandem").migrate(database);
        return database;
    }

    /** The same checkpoint, over sessions that begin with these settings, such as {@code synchronous_commit=off}. */
    CheckpointFixture withSessions(String setting) {
        PGSimpleDataSource copy = PostgresServer.as(database, database.getUser(), database.getPassword());
        copy.setOptions("-c " + setting);
        return new CheckpointFixture(copy);
    }

    static LaneId lane(int partition) {
        return new LaneId(STREAM, "flights-" + partition);
    }

    /** Registers so many lanes, which start at offset 100. */
    void register(int lanes) {
        Map<String, LaneStart> starts = IntStream.range(0, lanes)
                .mapToObj(CheckpointFixture::lane)
                .collect(Collectors.toMap(
                        LaneId::lane, lane -> new LaneStart("flights", TOPIC_ID, Offsets.of(lane.lane(), 100))));
        a.register(STREAM, Set.of("flights"), starts);
    }

    /** A claim of a lane that was registered. */
    static Claim claim(JdbcCheckpoint checkpoint, LaneId lane) {
        return checkpoint.claim(lane, UUID.randomUUID()).orElseThrow();
    }

    /** The next ten offsets of the lane. */
    static Plan next(Fence fence) {
        long start = fence.position().get(fence.lane().lane());
        return new Plan(fence.lastBatch() + 1, 0, OffsetRange.of(fence.lane().lane(), start, start + 10));
    }

    static PlannedBatch ahead(Fence fence) {
        return new PlannedBatch(fence, next(fence));
    }

    /** A commit of the next batch with its plan. */
    static Commit unplanned(Fence fence) {
        return commit(fence, false, Optional.empty(), List.of());
    }

    static Commit withRidingPlan(Fence fence) {
        return commit(fence, false, Optional.of(next(fence.after(next(fence)))), List.of());
    }

    static Commit commit(Fence fence, boolean planned, Optional<Plan> riding, List<DeadLetter> deadLetters) {
        return new Commit(
                fence,
                next(fence),
                planned,
                riding,
                TOPIC_ID,
                7,
                deadLetters,
                0,
                Instant.parse("2026-01-02T03:04:05Z"));
    }

    /** Commits in a transaction of the user's. */
    Set<LaneId> commit(JdbcCheckpoint checkpoint, Commit... commits) {
        return transactions.execute(status -> {
            Set<LaneId> committed = checkpoint.commit(List.of(commits));
            if (committed.size() < commits.length) {
                status.setRollbackOnly();
            }
            return committed;
        });
    }

    <T> T inTransaction(Supplier<T> work) {
        return transactions.execute(status -> work.get());
    }

    <T> Future<T> start(Callable<T> work) {
        return threads.submit(work);
    }

    /** Waits until so many sessions of this database wait for a lock. */
    void awaitWaiting(int sessions) {
        Awaitility.await(sessions + " sessions wait for a lock").until(() -> waiting() == sessions);
    }

    private int waiting() {
        return count("select count(*) from pg_stat_activity where datname = current_database()"
                + " and wait_event_type = 'Lock'");
    }

    int count(String sql, Object... arguments) {
        return jdbc.queryForObject(sql, Integer.class, arguments);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
