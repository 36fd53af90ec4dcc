package io.github.tandemstreams.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.tandemstreams.test.KafkaBroker;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing ends a source but {@code stop()}. */
class KafkaSourceTroubleTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String group = broker.newName("group");
    private final String topic = broker.newTopic(1);
    private final String lane = topic + "-0";
    private RecordingLanes lanes = RecordingLanes.fromTheStart();
    private KafkaSource source;

    @AfterEach
    void stop() {
        if (source != null) { // else the broker doesn't know the protocol
            source.stop();
        }
        assertThat(lanes.held).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void missingRightsOnTheGroupAreToldOnceAndWaitedFor(GroupProtocol protocol) {
        missingRights(protocol, new ResourcePattern(ResourceType.GROUP, group, PatternType.LITERAL));
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void missingRightsOnTheTopicAreToldOnceAndWaitedFor(GroupProtocol protocol) {
        missingRights(protocol, new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL));
    }

    private void missingRights(GroupProtocol protocol, ResourcePattern resource) {
        broker.send(topic, 0, 0, 10);
        AclBinding denied = new AclBinding(
                resource, new AccessControlEntry("User:*", "*", AclOperation.READ, AclPermissionType.DENY));
        AclBinding allowed = new AclBinding(
                resource, new AccessControlEntry("User:*", "*", AclOperation.ALL, AclPermissionType.ALLOW));
        KafkaBroker.await(broker.admin().createAcls(List.of(denied, allowed)).all());
        start(protocol);
        until("told", () -> lanes.troubles.size() == 1);
        assertThat(lanes.troubles.get(0)).contains(group, topic, "READ", broker.bootstrapServers());

        KafkaBroker.await(broker.admin().deleteAcls(List.of(denied.toFilter())).all());
        until("read", () -> lanes.held.containsKey(lane) && lanes.held.get(lane).position() == 10);
        until("recovered", () -> lanes.recoveries.size() == 1);
        assertThat(lanes.troubles).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void rightsThatAreTakenAwayAndGivenBack(GroupProtocol protocol) {
        broker.send(topic, 0, 0, 10);
        start(protocol);
        until("read", () -> lanes.held.containsKey(lane) && lanes.held.get(lane).position() == 10);
        AclBinding denied = new AclBinding(
                new ResourcePattern(ResourceType.GROUP, group, PatternType.LITERAL),
                new AccessControlEntry("User:*", "*", AclOperation.READ, AclPermissionType.DENY));
        KafkaBroker.await(broker.admin().createAcls(List.of(denied)).all());
        until("told", () -> lanes.troubles.size() == 1);
        KafkaBroker.await(broker.admin().deleteAcls(List.of(denied.toFilter())).all());
        broker.send(topic, 0, 10, 20);
        until("read", () -> lanes.held.containsKey(lane) && lanes.held.get(lane).position() == 20);
        until("recovered", () -> lanes.recoveries.size() == 1);
    }

    /** An error on the consumer's thread may have kept records from their lane: it must not go on behind the gap. */
    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void afterAnErrorOfOursLanesAreAssignedAnew(GroupProtocol protocol) {
        broker.send(topic, 0, 0, 10);
        AtomicInteger assigned = new AtomicInteger();
        lanes = new RecordingLanes(intake -> {
            if (assigned.incrementAndGet() == 1) {
                throw new IllegalStateException("A planted error in a rebalance callback");
            }
            if (assigned.get() == 2) {
                intake.failOnce();
            }
            intake.seek(0);
        });
        start(protocol);
        until("read", () -> lanes.held.containsKey(lane) && lanes.held.get(lane).position() == 10);
        assertThat(lanes.held.get(lane).offsets()).hasSize(10);
        assertThat(assigned).hasValue(3);
        until("recovered", () -> lanes.recoveries.size() == lanes.troubles.size());
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void startsBeforeTheBrokerCanBeReached(GroupProtocol protocol) throws IOException {
        broker.send(topic, 0, 0, 10);
        int port = KafkaSourceStartTest.freePort();
        Map<String, Object> properties = broker.consumerProperties(protocol);
        properties.put("bootstrap.servers", "localhost:" + port);
        source = KafkaSource.builder(List.of(topic), group)
                .consumerProperties(properties)
                .build();
        source.start(lanes);
        await("nothing happens for a while")
                .pollDelay(Duration.ofSeconds(2))
                .until(() -> lanes.all.isEmpty() && lanes.troubles.isEmpty());
        try (Door ignored = new Door(port, broker.bootstrapServers())) {
            until(
                    "read",
                    () -> lanes.held.containsKey(lane) && lanes.held.get(lane).position() == 10);
        }
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void stopsWhileTheBrokerCantBeReached(GroupProtocol protocol) throws IOException {
        Map<String, Object> properties = broker.consumerProperties(protocol);
        properties.put("bootstrap.servers", "localhost:" + KafkaSourceStartTest.freePort());
        source = KafkaSource.builder(List.of(topic), group)
                .consumerProperties(properties)
                .build();
        source.start(lanes);
        await("it polls").pollDelay(Duration.ofSeconds(1)).until(() -> true);
        long begun = System.nanoTime();
        source.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(22));
    }

    private void start(GroupProtocol protocol) {
        source = KafkaSource.builder(List.of(topic), group)
                .consumerProperties(broker.consumerProperties(protocol))
                .build();
        source.start(lanes);
    }

    private void until(String condition, Callable<Boolean> holds) {
        await().atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(5))
                .alias(condition + " " + group + " " + lanes)
                .until(holds);
    }

    /** A port behind which the broker is found: the first connection only, then the broker tells its own address. */
    private static final class Door implements AutoCloseable {

        private final ServerSocket server;

        Door(int port, String target) throws IOException {
            server = new ServerSocket(port);
            String[] hostAndPort = target.split(":");
            Thread accepting = new Thread(() -> {
                while (!server.isClosed()) {
                    try {
                        Socket in = server.accept();
                        Socket out = new Socket(hostAndPort[0], Integer.parseInt(hostAndPort[1]));
                        pump(in, out);
                        pump(out, in);
                    } catch (IOException closed) {
                        return;
                    }
                }
            });
            accepting.setDaemon(true);
            accepting.start();
        }

        private static void pump(Socket from, Socket to) {
            Thread pumping = new Thread(() -> {
                try (from;
                        to;
                        InputStream in = from.getInputStream()) {
                    in.transferTo(to.getOutputStream());
                } catch (IOException closed) {
                    // The other side ends too.
                }
            });
            pumping.setDaemon(true);
            pumping.start();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
