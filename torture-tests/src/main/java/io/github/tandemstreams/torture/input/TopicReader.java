package io.github.tandemstreams.torture.input;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads what is committed in the whole topic. */
final class TopicReader {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration POLL = Duration.ofMillis(200);

    private final Clients clients;
    private final String topic;

    TopicReader(Clients clients, String topic) {
        this.clients = clients;
        this.topic = topic;
    }

    List<Visible> read(int partitions) {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        List<Visible> records = new ArrayList<>();
        Instant deadline = Instant.now().plus(PATIENCE);
        try (Consumer<byte[], byte[]> consumer = clients.reader("read_committed")) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = settledEnds(consumer, all, deadline);
            while (!ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
                if (Instant.now().isAfter(deadline)) {
                    throw new IllegalStateException("The topic can't be read to its ends " + ends);
                }
                consumer.poll(POLL).forEach(record -> records.add(visible(record)));
            }
        }
        return records;
    }

    /** The ends, once no transaction is open: a reader of committed records sees no further than the first open one. */
    private Map<TopicPartition, Long> settledEnds(
            Consumer<byte[], byte[]> committed, List<TopicPartition> all, Instant deadline) {
        try (Consumer<byte[], byte[]> uncommitted = clients.reader("read_uncommitted")) {
            Map<TopicPartition, Long> ends = uncommitted.endOffsets(all);
            while (!committed.endOffsets(all).equals(ends)) {
                if (Instant.now().isAfter(deadline)) {
                    throw new IllegalStateException("A transaction stays open");
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
            return ends;
        }
    }

    private static Visible visible(ConsumerRecord<byte[], byte[]> record) {
        Message message = Message.of(new String(record.key(), StandardCharsets.UTF_8));
        if (!Arrays.equals(message.value(), record.value())) {
            throw new IllegalStateException("Another value belongs to " + message.id());
        }
        return new Visible(record.partition(), record.offset(), message);
    }
}
