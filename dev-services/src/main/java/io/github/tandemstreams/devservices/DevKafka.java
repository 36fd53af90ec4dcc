package io.github.tandemstreams.devservices;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An embedded Kafka broker, which is its own controller. It is Kafka's internal API, and all of the product that touches it
 * stands here.
 */
final class DevKafka implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DevKafka.class);
    private static final int NODE = 1;
    private static final String CONTROLLER = "CONTROLLER";

    /** Always the same: a directory that was kept is refused under another one. */
    private static final String CLUSTER = "dGFuZGVtLWRldi1zdmNzMA";

    private final KafkaRaftServer server;
    private final int port;
    private final DataDirectory directory;

    private DevKafka(KafkaRaftServer server, int port, DataDirectory directory) {
        this.server = server;
        this.port = port;
        this.directory = directory;
    }

    static DevKafka start(@Nullable Path dataDir) {
        DataDirectory directory = DataDirectory.of(dataDir, "kafka");
        try {
            Path logs = Files.createDirectories(directory.resolve("logs"));
            format(logs);
            int[] ports = freePorts();
            KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings(logs, ports), false), Time.SYSTEM);
            server.startup();
            return new DevKafka(server, ports[0], directory);
        } catch (Exception failure) {
            directory.close();
            throw new IllegalStateException("The embedded Kafka broker doesn't start", failure);
        }
    }

    /** Does nothing to a directory that is formatted already. */
    private static void format(Path logs) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
                .setNodeId(NODE)
                .setClusterId(CLUSTER)
                .addDirectory(logs.toString())
                .setMetadataLogDirectory(logs.toString())
                .setControllerListenerName(CONTROLLER)
                .setIgnoreFormatted(true)
                .run();
    }

    private static Map<String, Object> settings(Path logs, int[] ports) {
        return Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", String.valueOf(NODE)),
                Map.entry("controller.quorum.voters", NODE + "@localhost:" + ports[1]),
                Map.entry("controller.listener.names", CONTROLLER),
                Map.entry(
                        "listeners",
                        "PLAINTEXT://localhost:" + ports[0] + "," + CONTROLLER + "://localhost:" + ports[1]),
                Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT"),
                Map.entry("log.dirs", logs.toString()),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("transaction.state.log.num.partitions", "1"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("share.coordinator.state.topic.replication.factor", "1"),
                Map.entry("share.coordinator.state.topic.min.isr", "1"),
                Map.entry("group.initial.rebalance.delay.ms", "0"));
    }

    private static int[] freePorts() throws IOException {
        try (ServerSocket broker = new ServerSocket(0);
                ServerSocket controller = new ServerSocket(0)) {
            return new int[] {broker.getLocalPort(), controller.getLocalPort()};
        }
    }

    String bootstrapServers() {
        return "localhost:" + port;
    }

    void announce() {
        log.info("Development services: no Kafka broker is configured, an embedded one runs at {}", bootstrapServers());
    }

    @Override
    public void close() {
        try {
            server.shutdown();
            server.awaitShutdown();
        } finally {
            directory.close();
        }
    }
}
