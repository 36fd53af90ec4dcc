package io.github.tandemstreams.benchmarks.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A broker that is its own controller, until its standard input ends. Arguments: directory, port, port of the controller. */
final class BrokerMain {

    private static final int NODE = 1;
    private static final String CONTROLLER = "CONTROLLER";
    private static final String CLUSTER = "dGFuZGVtLWJlbmNobWFya3";

    private BrokerMain() {}

    /** Starts it, and ends with whoever started it. */
    public static void main(String[] args) throws Exception {
        String directory = args[0];
        format(directory);
        KafkaRaftServer server =
                new KafkaRaftServer(new KafkaConfig(settings(directory, args[1], args[2]), false), Time.SYSTEM);
        server.startup();
        waitForEndOfInput();
        server.shutdown();
        server.awaitShutdown();
    }

    private static void waitForEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // nothing is ever written
        }
    }

    private static void format(String directory) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
                .setNodeId(NODE)
                .setClusterId(CLUSTER)
                .addDirectory(directory)
                .setMetadataLogDirectory(directory)
                .setControllerListenerName(CONTROLLER)
                .run();
    }

    private static Map<String, Object> settings(String directory, String port, String controllerPort) {
        return Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", String.valueOf(NODE)),
                Map.entry("controller.quorum.voters", NODE + "@127.0.0.1:" + controllerPort),
                Map.entry("controller.listener.names", CONTROLLER),
                Map.entry(
                        "listeners",
                        "PLAINTEXT://127.0.0.1:" + port + "," + CONTROLLER + "://127.0.0.1:" + controllerPort),
                Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT"),
                Map.entry("log.dirs", directory),
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
}
