package io.github.tandemstreams.benchmarks.servers;

import io.github.tandemstreams.benchmarks.workloads.Input;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A broker in a JVM of its own. */
public final class Broker implements AutoCloseable {

    /** Of each topic, unless a benchmark says otherwise. */
    public static final int PARTITIONS = 4;

    private final Process process;
    private final String bootstrapServers;

    private Broker(Process process, String bootstrapServers) {
        this.process = process;
        this.bootstrapServers = bootstrapServers;
    }

    static Broker start(Path directory, Path logs) throws IOException, InterruptedException, ExecutionException {
        Path data = Files.createDirectories(directory.resolve("kafka"));
        int[] ports = freePorts();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerMain.class.getName(),
                        data.toString(),
                        String.valueOf(ports[0]),
                        String.valueOf(ports[1]))
                .redirectErrorStream(true)
                .redirectOutput(logs.resolve("kafka.log").toFile())
                .start();
        Broker broker = new Broker(process, "127.0.0.1:" + ports[0]);
        broker.awaitReady();
        return broker;
    }

    private static int[] freePorts() throws IOException {
        try (ServerSocket broker = new ServerSocket(0);
                ServerSocket controller = new ServerSocket(0)) {
            return new int[] {broker.getLocalPort(), controller.getLocalPort()};
        }
    }

    private void awaitReady() throws InterruptedException, ExecutionException {
        try (Admin admin = admin()) {
            admin.describeCluster().nodes().get();
        }
    }

    /** Where it is. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Creates the topic, and spreads the records over its partitions in turn. */
    public void fill(Input input) throws ExecutionException, InterruptedException {
        // One request at a time: in a topic this new, an idempotent producer's first ones may be refused for ever.
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", bootstrapServers,
                "linger.ms", 5,
                "batch.size", 65_536,
                "enable.idempotence", false,
                "max.in.flight.requests.per.connection", 1);
        // A record less, and a run would wait for it for ever.
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        try (Admin admin = Admin.create(properties);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            create(input.topic(), PARTITIONS, Map.of(), admin);
            for (long i = 0; i < input.records(); i++) {
                byte[] value = input.lines().apply(i).getBytes(StandardCharsets.UTF_8);
                producer.send(
                        new ProducerRecord<>(input.topic(), (int) (i % PARTITIONS), null, value),
                        (sent, exception) -> failure.compareAndSet(null, exception));
            }
        }
        if (failure.get() != null) {
            throw new ExecutionException("topic " + input.topic() + " couldn't be filled", failure.get());
        }
    }

    /** Creates a topic with nothing in it. */
    public void create(String topic, int partitions, Map<String, String> settings)
            throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            create(topic, partitions, settings, admin);
        }
    }

    private static void create(String topic, int partitions, Map<String, String> settings, Admin admin)
            throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
                .all()
                .get();
    }

    /** Deletes one, so that its partitions cost nobody anything. */
    public void delete(String topic) {
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(topic));
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
