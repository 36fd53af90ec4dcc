package io.github.tandemstreams.benchmarks.contenders.copyloop;

import io.github.tandemstreams.benchmarks.contenders.Finish;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** What was polled is one transaction: the rows, then the offsets. */
record PollAndCopy(
        KafkaConsumer<byte[], byte[]> consumer,
        Connection connection,
        BatchWriter writer,
        StoredOffsets offsets,
        Finish finish) {

    private static final Duration POLL = Duration.ofMillis(100);

    void run() throws SQLException {
        while (!finish.isReached()) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                writer.write(records);
                offsets.store(records.nextOffsets());
                connection.commit();
                finish.add(records.count());
            }
        }
    }
}
