package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.CheckpointStore;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.test.PostgresServer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An empty checkpoint, two instances that share it, and threads to run them against each other. */
final class CheckpointFixture implements CheckpointStore {

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
                "truncate tandem.stream, tandem.lane, tandem.offset_log, tandem.commit_log, tandem.dead_letter,"
                        + " tandem.lane_end, tandem.operator_command");
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

    @Override
    public Checkpoint a() {
        return a;
    }

    @Override
    public Checkpoint b() {
        return b;
    }

    @Override
    public List<String> log(LaneId lane) {
        return jdbc.queryForList(
                "select format('%s [%s, %s) %s', batch, start_offset, end_offset, status) from tandem.batch"
                        + " where lane = ? order by batch",
                String.class, lane.lane());
    }

    @Override
    public <T> T whileClaimed(LaneId lane, Supplier<T> work) {
        return inTransaction(() -> {
            jdbc.update(
                    "update tandem.lane set epoch = epoch + 1, owner = ? where lane = ?",
                    UUID.randomUUID(),
                    lane.lane());
            return work.get();
        });
    }

    @Override
    public TransactionTemplate transactions() {
        return transactions;
    }

    @Override
    public <T> Future<T> start(Callable<T> work) {
        return threads.submit(work);
    }

    @Override
    public void awaitWaiting(int sessions) {
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
