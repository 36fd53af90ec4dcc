package io.github.tandemstreams.test;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A real broker on a port of its own: one for all tests of a JVM, told apart by topics and groups with names of their own.
 * With {@code TANDEM_TEST_KAFKA=127.0.0.1:9092} it is that one instead, which may be older than the clients.
 */
public final class KafkaBroker {

    private static final @Nullable String EXTERNAL = System.getenv("TANDEM_TEST_KAFKA");

    private static final AtomicInteger NAMES = new AtomicInteger();

    /** A broker that is shared with other JVMs, and with earlier runs, has their topics. */
    private static final String RUN =
            Long.toString(ProcessHandle.current().pid(), 36) + Long.toString(System.nanoTime(), 36);

    private final String bootstrapServers;
    private final boolean knowsConsumerProtocol;
    private final Admin admin;
    private final Producer<byte[], byte[]> producer;

    private static final class Shared {
        private static final KafkaBroker BROKER = new KafkaBroker();
    }

    private KafkaBroker() {
        bootstrapServers = EXTERNAL == null ? startEmbedded() : EXTERNAL;
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
        // A topic is written to as soon as it exists. There an idempotent producer whose first requests overtake each
        // other is
        // refused for ever, with OUT_OF_ORDER_SEQUENCE_NUMBER; one request at a time keeps the order just as well.
        producer = newProducer(Map.of(
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                false,
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                1));
        knowsConsumerProtocol = await(admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .containsKey("group.version");
    }

    private static String startEmbedded() {
        EmbeddedKafkaKraftBroker embedded = new EmbeddedKafkaKraftBroker(1, 1);
        settings().forEach((name, value) -> embedded.brokerProperty((String) name, value));
        embedded.afterPropertiesSet();
        Runtime.getRuntime().addShutdownHook(new Thread(embedded::destroy));
        return embedded.getBrokersAsString();
    }

    private static Properties settings() {
        try (InputStream file = KafkaBroker.class.getResourceAsStream("broker.properties")) {
            Properties settings = new Properties();
            settings.load(file);
            return settings;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The one broker of this JVM. */
    public static KafkaBroker shared() {
        return Shared.BROKER;
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Properties of a consumer of this broker; skips the test if it doesn't know the protocol, as before Kafka 4. */
    public Map<String, Object> consumerProperties(GroupProtocol protocol) {
        assumeTrue(protocol == GroupProtocol.CLASSIC || knowsConsumerProtocol, "the broker knows the protocol");
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
        String name = kind + "-" + NAMES.incrementAndGet();
        return EXTERNAL == null ? name : name + "-" + RUN;
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
        write(IntStream.range(from, to)
                .mapToObj(i -> new ProducerRecord<byte[], byte[]>(
                        topic, partition, null, String.valueOf(i).getBytes()))
                .toList());
    }

    /** Writes records and waits until each of them is there. */
    public void write(List<ProducerRecord<byte[], byte[]>> records) {
        List<Future<RecordMetadata>> sent =
                records.stream().map(record -> producer.send(record)).toList();
        sent.forEach(KafkaBroker::await);
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

    public static <T> T await(Future<T> answer) {
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
