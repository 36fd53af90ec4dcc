package io.github.tandemstreams.torture.servers;

import io.github.tandemstreams.torture.process.OrphanWatch;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A broker that is its own controller. Arguments: directory, port, port of the controller. */
final class BrokerMain {

    private static final int NODE = 1;
    private static final String CONTROLLER = "CONTROLLER";

    /** Always the same: a directory that has another one's is refused. */
    private static final String CLUSTER = "dGFuZGVtLXRvcnR1cmUwMA";

    private BrokerMain() {}

    /** Runs it until SIGTERM. */
    public static void main(String[] args) throws Exception {
        OrphanWatch.start();
        String directory = args[0];
        format(directory);
        KafkaRaftServer server =
                new KafkaRaftServer(new KafkaConfig(settings(directory, args[1], args[2]), false), Time.SYSTEM);
        Exit.addShutdownHook("shutdown", server::shutdown);
        server.startup();
        server.awaitShutdown();
    }

    /** Does nothing to a directory that is formatted already. */
    private static void format(String directory) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
                .setNodeId(NODE)
                .setClusterId(CLUSTER)
                .addDirectory(directory)
                .setMetadataLogDirectory(directory)
                .setControllerListenerName(CONTROLLER)
                .setIgnoreFormatted(true)
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
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                // A broker that comes back waits until its former life is over.
                Map.entry("broker.session.timeout.ms", "2000"),
                Map.entry("broker.heartbeat.interval.ms", "500"),
                // Whoever was killed is missed soon.
                Map.entry("group.min.session.timeout.ms", "1000"),
                Map.entry("group.consumer.min.session.timeout.ms", "1000"),
                Map.entry("group.consumer.session.timeout.ms", "6000"),
                Map.entry("group.consumer.min.heartbeat.interval.ms", "200"),
                Map.entry("group.consumer.heartbeat.interval.ms", "1000"),
                // What a producer left open doesn't hold up its readers for long.
                Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "2000"));
    }
}
