package io.github.tandemstreams.benchmarks.contenders.copyloop;

import io.github.tandemstreams.benchmarks.contenders.Finish;
import io.github.tandemstreams.benchmarks.contenders.Said;
import io.github.tandemstreams.benchmarks.contenders.Task;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Each thread has a consumer, a connection and its share of the partitions. Argument: the number of threads. */
public final class CopyLoop {

    private static final int RECORDS_PER_POLL = 10_000;

    private CopyLoop() {}

    /** Runs until all records are committed. */
    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        Task task = Task.ofThisProcess();
        Said.configuration("threads", threads);
        Said.configuration("max.poll.records", RECORDS_PER_POLL);
        Said.configuration("assignment", "fixed, without a group");
        Said.configuration("offsets", "a row for each partition, in the same transaction");
        createOffsets(task);
        Finish finish = new Finish(task.records());
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int share = thread;
            running.add(executor.submit(() -> {
                run(task, share, threads, finish);
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        executor.shutdown();
    }

    private static void createOffsets(Task task) throws SQLException {
        try (Connection connection = DriverManager.getConnection(task.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(StoredOffsets.DDL);
        }
    }

    private static void run(Task task, int share, int shares, Finish finish) throws SQLException {
        try (Connection connection = DriverManager.getConnection(task.jdbcUrl());
                KafkaConsumer<byte[], byte[]> consumer = consumer(task)) {
            connection.setAutoCommit(false);
            StoredOffsets offsets = new StoredOffsets(connection);
            List<TopicPartition> partitions = share(consumer.partitionsFor(task.topic()), share, shares);
            consumer.assign(partitions);
            for (TopicPartition partition : partitions) {
                consumer.seek(partition, offsets.next(partition));
            }
            new PollAndCopy(consumer, connection, BatchWriter.of(task.workload(), connection), offsets, finish).run();
        }
    }

    private static List<TopicPartition> share(List<PartitionInfo> partitions, int share, int shares) {
        return partitions.stream()
                .filter(each -> each.partition() % shares == share)
                .map(each -> new TopicPartition(each.topic(), each.partition()))
                .toList();
    }

    private static KafkaConsumer<byte[], byte[]> consumer(Task task) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        task.bootstrapServers(),
                        "enable.auto.commit",
                        false,
                        "auto.offset.reset",
                        "none",
                        "max.poll.records",
                        RECORDS_PER_POLL),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
