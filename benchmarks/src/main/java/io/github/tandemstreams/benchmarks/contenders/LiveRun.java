package io.github.tandemstreams.benchmarks.contenders;

import io.github.tandemstreams.benchmarks.servers.Broker;
import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.benchmarks.servers.OpenLoop;
import io.github.tandemstreams.benchmarks.servers.Servers;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.springframework.jdbc.core.JdbcTemplate;

/** A topic and a database of their own, for a contender that brings orders from one to the other as they come. */
public final class LiveRun implements AutoCloseable {

    private static final Duration GIVE_UP = Duration.ofMinutes(2);
    private static final long LOOK_EVERY_MILLIS = 50;

    private static final String LAST_COMMIT = "select max(pg_xact_commit_timestamp(xmin)) from orders";
    private static final String TRANSACTIONS =
            "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()";

    private final String name;
    private final Path files;
    private final Broker broker;
    private final Database database;
    private final OpenLoop orders;

    private LiveRun(String name, Path files, Broker broker, int partitions, Database database) {
        this.name = name;
        this.files = files;
        this.broker = broker;
        this.database = database;
        orders = new OpenLoop(name, partitions, broker.bootstrapServers());
    }

    /** With nothing in them, under a name that no other run has. */
    public static LiveRun prepare(Servers servers, String name, Path directory)
            throws IOException, InterruptedException, ExecutionException {
        return prepare(servers, name, directory, Broker.PARTITIONS, Map.of());
    }

    /** The same with a topic of so many partitions, and settings of its own. */
    public static LiveRun prepare(
            Servers servers, String name, Path directory, int partitions, Map<String, String> settings)
            throws IOException, InterruptedException, ExecutionException {
        Path files = Files.createDirectories(directory.resolve(name));
        servers.broker().create(name, partitions, settings);
        Database database = servers.postgres().newDatabase();
        database.jdbc().execute(Workload.ORDERS.ddl());
        return new LiveRun(name, files, servers.broker(), partitions, database);
    }

    /** Starts the contender, which ends by itself after so many records. */
    public ContenderProcess start(Contender contender, long records, String log) throws IOException {
        return start(contender, records, database.url(), log);
    }

    /** Starts it as one of several instances, which never end by themselves. What it is called, Postgres knows it by, too. */
    public ContenderProcess startInstance(Contender contender, String instance) throws IOException {
        return start(contender, Long.MAX_VALUE, database.url() + "&ApplicationName=" + instance, instance);
    }

    private ContenderProcess start(Contender contender, long records, String url, String log) throws IOException {
        Task task =
                new Task(name, Workload.ORDERS, name, records, true, broker.bootstrapServers(), url, files.toString());
        return ContenderProcess.start(contender, task, files.resolve(log));
    }

    /** What sends to the topic. */
    public OpenLoop orders() {
        return orders;
    }

    /** To look into the database. */
    public JdbcTemplate jdbc() {
        return database.jdbc();
    }

    /** How many orders are there. Each has its id for a key: as many as were sent are exactly those. */
    public long rows() {
        return Objects.requireNonNull(jdbc().queryForObject(Workload.ORDERS.countSql(), Long.class));
    }

    /** When the last of them was committed, as Postgres stamped it. */
    public Instant lastCommit() {
        return Objects.requireNonNull(jdbc().queryForObject(LAST_COMMIT, OffsetDateTime.class))
                .toInstant();
    }

    /** How many transactions the database has seen, those that look into it included. */
    public long transactions() {
        return Objects.requireNonNull(jdbc().queryForObject(TRANSACTIONS, Long.class));
    }

    /** Waits until so many orders are there. */
    public void awaitRows(long rows, ContenderProcess process) throws InterruptedException {
        Instant giveUp = Instant.now().plus(GIVE_UP);
        while (rows() < rows) {
            if (!process.isAlive() || Instant.now().isAfter(giveUp)) {
                throw new IllegalStateException("it wrote " + rows() + " rows instead of " + rows);
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }

    /** Waits for the contender to end in order, with every order written once. */
    public void awaitEnd(long rows, ContenderProcess process) throws InterruptedException {
        process.awaitEnd(GIVE_UP);
        if (rows() != rows) {
            throw new IllegalStateException(rows() + " rows instead of " + rows);
        }
    }

    @Override
    public void close() {
        orders.close();
        database.close();
        broker.delete(name);
    }
}
