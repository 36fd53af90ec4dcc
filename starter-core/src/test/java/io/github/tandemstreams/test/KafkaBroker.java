package io.github.tandemstreams.test;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A real broker on a port of its own: one for all tests of a JVM, told apart by topics and groups with names of their own. */
public final class KafkaBroker {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final EmbeddedKafkaKraftBroker embedded;
    private final Admin admin;
    private final Producer<byte[], byte[]> producer;

    private static final class Shared {
        private static final KafkaBroker BROKER = new KafkaBroker();
    }

    private KafkaBroker() {
        embedded = new EmbeddedKafkaKraftBroker(1, 1);
        embedded.brokerProperties(Map.of(
                "offsets.topic.num.partitions", "2",
                "offsets.topic.replication.factor", "1",
                "transaction.state.log.num.partitions", "2",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "group.initial.rebalance.delay.ms", "0",
                // Everybody may do everything, until a test says otherwise of its own group or topic.
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "allow.everyone.if.no.acl.found", "true"));
        // The heartbeat is what a group of the consumer protocol rebalances by.
        embedded.brokerProperty("group.consumer.min.session.timeout.ms", "6000");
        embedded.brokerProperty("group.consumer.session.timeout.ms", "6000");
        embedded.brokerProperty("group.consumer.min.heartbeat.interval.ms", "200");
        embedded.brokerProperty("group.consumer.heartbeat.interval.ms", "200");
        // Compacted topics are compacted soon.
        embedded.brokerProperty("log.cleaner.backoff.ms", "200");
        embedded.afterPropertiesSet();
        Runtime.getRuntime().addShutdownHook(new Thread(embedded::destroy));
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
        producer = newProducer(Map.of());
    }

    /** The one broker of this JVM. */
    public static KafkaBroker shared() {
        return Shared.BROKER;
    }

    public String bootstrapServers() {
        return embedded.getBrokersAsString();
    }

    /** Properties of a consumer of this broker. */
    public Map<String, Object> consumerProperties(GroupProtocol protocol) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, List.of(bootstrapServers()));
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol.name().toLowerCase());
        // Members that join are heard of at the next heartbeat.
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 200);
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        return properties;
    }

    /** A name that no other test uses. */
    public String newName(String kind) {
        return kind + "-" + NAMES.incrementAndGet();
    }

    /** A topic that no other test uses. */
    public String newTopic(int partitions) {
        String topic = newName("topic");
        createTopic(topic, partitions);
        return topic;
    }

    public void createTopic(String topic, int partitions) {
        await(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                .all());
    }

    public void deleteTopic(String topic) {
        await(admin.deleteTopics(List.of(topic)).all());
    }

    public Admin admin() {
        return admin;
    }

    /** Writes records {@code from}, {@code from + 1} … below {@code to}, as text, and waits until they are there. */
    public void send(String topic, int partition, int from, int to) {
        for (int i = from; i < to; i++) {
            producer.send(new ProducerRecord<>(
                    topic, partition, null, String.valueOf(i).getBytes()));
        }
        producer.flush();
    }

    public Producer<byte[], byte[]> producer() {
        return producer;
    }

    public Producer<byte[], byte[]> transactionalProducer() {
        Producer<byte[], byte[]> transactional =
                newProducer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, newName("transactional")));
        transactional.initTransactions();
        return transactional;
    }

    private Producer<byte[], byte[]> newProducer(Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 1);
        return new KafkaProducer<>(properties);
    }

    public static <T> T await(KafkaFuture<T> answer) {
        try {
            return answer.get(Duration.ofSeconds(30).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
