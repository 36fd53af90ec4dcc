package io.github.tandemstreams.benchmarks.pekko;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.benchmarks.contenders.Finish;
import io.github.tandemstreams.benchmarks.contenders.Said;
import io.github.tandemstreams.benchmarks.contenders.Task;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.projection.Projection;
import org.apache.pekko.projection.ProjectionBehavior;
import org.apache.pekko.projection.ProjectionId;
import org.apache.pekko.projection.jdbc.javadsl.JdbcProjection;

/** Exactly once in groups: each partition is a projection, whose offset is stored with each group's rows. */
public final class PekkoProjection {

    private static final int PARTITIONS = 4;
    private static final int GROUP = 5_000;
    private static final Duration GROUP_WITHIN = Duration.ofMillis(100);

    private PekkoProjection() {}

    /** Runs until all records are committed. */
    public static void main(String[] args) throws Exception {
        Task task = Task.ofThisProcess();
        Said.configuration("groupedWithin", GROUP + " envelopes, " + GROUP_WITHIN.toMillis() + " ms");
        Said.configuration("projections", "one for each of " + PARTITIONS + " partitions");
        Said.configuration("max.poll.records", PartitionSource.RECORDS_PER_POLL);
        Said.configuration("reWriteBatchedInserts", true);
        Finish finish = new Finish(task.records());
        DataSource pool = pool(task);
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "benchmark");
        JdbcProjection.createTablesIfNotExists(() -> new PooledSession(pool), system)
                .toCompletableFuture()
                .get();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            system.systemActorOf(
                    projection(task, partition, pool, finish, system), "projection-" + partition, Props.empty());
        }
        finish.await();
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().get();
        System.exit(0);
    }

    private static DataSource pool(Task task) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(task.jdbcUrl() + "&reWriteBatchedInserts=true");
        config.setMaximumPoolSize(PARTITIONS);
        config.setAutoCommit(false);
        return new HikariDataSource(config);
    }

    private static Behavior<ProjectionBehavior.Command> projection(
            Task task, int partition, DataSource pool, Finish finish, ActorSystem<?> system) {
        TopicPartition from = new TopicPartition(task.topic(), partition);
        Projection<ConsumerRecord<byte[], byte[]>> projection = JdbcProjection.groupedWithin(
                        ProjectionId.of(task.workload().label(), String.valueOf(partition)),
                        new PartitionSource(from, task.bootstrapServers(), system),
                        () -> new PooledSession(pool),
                        () -> GroupHandler.of(task.workload()),
                        system)
                .withGroup(GROUP, GROUP_WITHIN)
                .withStatusObserver(new CommittedOffsets(finish));
        return ProjectionBehavior.create(projection);
    }
}
