package io.github.tandemstreams.benchmarks.growth;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.benchmarks.servers.Broker;
import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.engine.StreamDefinition;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What a stream leaves in its database that has committed many batches: the same statements in the same transactions, as fast
 * as each lane can, without a record being read. The logs are pruned as often as the engine does it.
 */
final class History {

    private static final String SCHEMA = "tandem";

    /** Of the handler of all contenders; its topic is of the same name. */
    private static final String STREAM = "orders";

    /** With thousands of batches a second. */
    private static final int PRUNE_EVERY_SECONDS = 1;

    private static final int PRUNE_AT_MOST_SECONDS = 30;

    /** Until a server has counted what its sessions did. */
    private static final long COUNTED_MILLIS = 2_000;

    private final Database database;

    private History(Database database) {
        this.database = database;
    }

    /** The checkpoint's tables, the stream, and its lanes, which stand at the given offset. */
    static History begin(Database database, long offset) {
        new SchemaMigrator(SCHEMA).migrate(database.dataSource());
        Map<String, LaneStart> lanes = new TreeMap<>();
        for (int partition = 0; partition < Broker.PARTITIONS; partition++) {
            lanes.put(lane(partition), new LaneStart(STREAM, "", Offsets.of(lane(partition), offset)));
        }
        checkpoint(database.dataSource()).register(STREAM, Set.of(STREAM), lanes);
        return new History(database);
    }

    /** Commits so many batches of a record each in each lane, and prunes. */
    List<Pace> commit(int perLane) throws Exception {
        Paces paces = new Paces((long) perLane * Broker.PARTITIONS);
        try (HikariDataSource connections = connections()) {
            Checkpoint checkpoint = checkpoint(connections);
            TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(connections));
            ScheduledExecutorService pruner = Executors.newSingleThreadScheduledExecutor();
            ExecutorService workers = Executors.newFixedThreadPool(Broker.PARTITIONS);
            try {
                pruner.scheduleWithFixedDelay(
                        () -> prune(checkpoint), PRUNE_EVERY_SECONDS, PRUNE_EVERY_SECONDS, TimeUnit.SECONDS);
                List<Future<?>> running = new ArrayList<>();
                for (int partition = 0; partition < Broker.PARTITIONS; partition++) {
                    LaneId lane = new LaneId(STREAM, lane(partition));
                    running.add(workers.submit(
                            () -> new LaneHistory(checkpoint, transactions, lane, paces).commit(perLane)));
                }
                for (Future<?> each : running) {
                    each.get();
                }
            } finally {
                workers.shutdownNow();
                pruner.shutdown();
                pruner.awaitTermination(PRUNE_AT_MOST_SECONDS, TimeUnit.SECONDS);
            }
            prune(checkpoint);
        }
        Thread.sleep(COUNTED_MILLIS);
        return paces.all();
    }

    private static void prune(Checkpoint checkpoint) {
        checkpoint.prune(STREAM, StreamDefinition.DEFAULT_BATCHES_TO_RETAIN);
    }

    private static JdbcCheckpoint checkpoint(DataSource dataSource) {
        return new JdbcCheckpoint(dataSource, SCHEMA, "history");
    }

    private static String lane(int partition) {
        return STREAM + "-" + partition;
    }

    private HikariDataSource connections() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(Broker.PARTITIONS + 1);
        return new HikariDataSource(config);
    }
}
