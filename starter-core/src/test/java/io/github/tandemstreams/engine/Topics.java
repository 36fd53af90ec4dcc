package io.github.tandemstreams.engine;

import static io.github.tandemstreams.test.KafkaBroker.await;

import io.github.tandemstreams.test.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** What the engine's tests do to topics of the shared broker. */
final class Topics {

    private Topics() {}

    static String create(int partitions) {
        return KafkaBroker.shared().newTopic(partitions);
    }

    /** A topic that is compacted as soon as a record a minute younger than its first one begins a new segment. */
    static String createCompacted() {
        String topic = KafkaBroker.shared().newName("compacted");
        await(KafkaBroker.shared()
                .admin()
                .createTopics(List.of(new NewTopic(topic, 1, (short) 1)
                        .configs(Map.of(
                                "cleanup.policy", "compact",
                                "segment.ms", "60000",
                                "min.cleanable.dirty.ratio", "0.01"))))
                .all());
        return topic;
    }

    /** Writes records with these keys and this time to a partition and waits until they are there. */
    static void produce(String topic, int partition, int records, IntFunction<@Nullable String> key, Instant at) {
        produce(IntStream.range(0, records)
                .mapToObj(key)
                .map(text -> new ProducerRecord<>(
                        topic,
                        partition,
                        at.toEpochMilli(),
                        text == null ? null : text.getBytes(StandardCharsets.UTF_8),
                        new byte[] {'v'}))
                .toList());
    }

    /** Writes records with these values to a partition and waits until they are there. */
    static void produce(String topic, int partition, int records, IntFunction<@Nullable String> value) {
        produce(IntStream.range(0, records)
                .mapToObj(i -> record(topic, partition, value.apply(i)))
                .toList());
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, int partition, @Nullable String value) {
        return new ProducerRecord<>(
                topic, partition, null, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes these records and waits until they are there. */
    static void produce(List<ProducerRecord<byte[], byte[]>> records) {
        KafkaBroker.shared().write(records);
    }

    /** Kafka transactions of one record each; those that aren't committed are aborted. */
    static void produceTransactions(String topic, int partition, int transactions, IntPredicate committed) {
        try (Producer<byte[], byte[]> producer = KafkaBroker.shared().transactionalProducer()) {
            for (int i = 0; i < transactions; i++) {
                producer.beginTransaction();
                producer.send(record(topic, partition, "tx-" + i));
                producer.flush();
                if (committed.test(i)) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
    }

    static void addPartitions(String topic, int partitions) {
        await(KafkaBroker.shared()
                .admin()
                .createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all());
    }

    static void deleteRecordsBefore(String topic, int partition, long offset) {
        await(KafkaBroker.shared()
                .admin()
                .deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                .all());
    }

    static void deleteGroup(String group) {
        await(KafkaBroker.shared().admin().deleteConsumerGroups(List.of(group)).all());
    }

    /** The group's offset, -1 if it has none. */
    static long groupOffset(String group, String topic, int partition) {
        OffsetAndMetadata offset = await(KafkaBroker.shared()
                        .admin()
                        .listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata())
                .get(new TopicPartition(topic, partition));
        return offset == null ? -1 : offset.offset();
    }

    /** The end of each partition's log. */
    static Map<Integer, Long> endOffsets(String topic) {
        int partitions = await(KafkaBroker.shared()
                        .admin()
                        .describeTopics(List.of(topic))
                        .allTopicNames())
                .get(topic)
                .partitions()
                .size();
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            wanted.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        Map<TopicPartition, ListOffsetsResultInfo> ends =
                await(KafkaBroker.shared().admin().listOffsets(wanted).all());
        return ends.entrySet().stream()
                .collect(Collectors.toMap(
                        end -> end.getKey().partition(), end -> end.getValue().offset()));
    }

    /** The offsets of all records that a reader of committed records sees, by partition. */
    static Map<Integer, List<Long>> visibleOffsets(String topic) {
        Map<Integer, Long> ends = endOffsets(topic);
        Map<Integer, List<Long>> visible = new TreeMap<>();
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", KafkaBroker.shared().bootstrapServers());
        properties.put("isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = ends.keySet().stream()
                    .map(partition -> new TopicPartition(topic, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.get(partition.partition()))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    visible.computeIfAbsent(record.partition(), p -> new ArrayList<>())
                            .add(record.offset());
                }
            }
        }
        return visible;
    }
}
