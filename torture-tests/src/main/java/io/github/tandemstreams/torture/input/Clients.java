package io.github.tandemstreams.torture.input;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Clients of the broker that give up soon. */
final class Clients {

    private final String bootstrapServers;

    Clients(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    Producer<byte[], byte[]> producer() {
        return new KafkaProducer<>(producing(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    Producer<byte[], byte[]> transactional(String id) {
        Map<String, Object> properties = producing();
        properties.put("transactional.id", id);
        properties.put("transaction.timeout.ms", 15_000);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    Consumer<byte[], byte[]> reader(String isolationLevel) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "isolation.level",
                        isolationLevel,
                        "enable.auto.commit",
                        false,
                        "auto.offset.reset",
                        "none",
                        "max.poll.records",
                        5_000),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private Map<String, Object> producing() {
        return new HashMap<>(Map.of(
                "bootstrap.servers", bootstrapServers,
                "acks", "all",
                "linger.ms", 5,
                "metadata.max.age.ms", 2_000,
                "max.block.ms", 15_000,
                "request.timeout.ms", 5_000,
                "delivery.timeout.ms", 15_000));
    }
}
