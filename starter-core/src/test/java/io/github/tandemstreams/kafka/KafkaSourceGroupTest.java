package io.github.tandemstreams.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.tandemstreams.test.KafkaBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several sources of one group: each lane belongs to one of them, and each coming and going is heard. */
class KafkaSourceGroupTest {

    private static final int LANES = 6;

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String group = broker.newName("group");
    private final String topic = broker.newTopic(LANES);
    private final List<Member> members = new CopyOnWriteArrayList<>();

    private record Member(KafkaSource source, RecordingLanes lanes) {}

    @AfterEach
    void stop() {
        members.forEach(member -> member.source().stop());
        assertThat(members).allSatisfy(member -> assertThat(member.lanes().held).isEmpty());
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void everyLaneBelongsToOneMember(GroupProtocol protocol) {
        sendToAll(0, 100);
        Member first = join(protocol, RecordingLanes.fromTheStart());
        until("the first has all", () -> first.lanes().held.size() == LANES);
        until("all read", () -> first.lanes().held.values().stream().allMatch(lane -> lane.position() == 100));
        List<RecordingIntake> before = List.copyOf(first.lanes().all);

        Member second = join(protocol, RecordingLanes.fromTheStart());
        until("they share", () -> isShared(first, second));
        assertThat(before.stream().filter(RecordingIntake::isRevoked)).hasSizeGreaterThanOrEqualTo(LANES / 2);
        until("the second reads", () -> second.lanes().held.values().stream().allMatch(lane -> lane.position() == 100));

        second.source().stop();
        assertThat(second.lanes().all).allMatch(RecordingIntake::isRevoked);
        until("the first has all again", () -> first.lanes().held.size() == LANES);
        sendToAll(100, 150);
        until("all read again", () -> first.lanes().held.values().stream().allMatch(lane -> lane.position() == 150));
        // What came back came back as another assignment.
        assertThat(first.lanes().all.stream().distinct()).hasSizeGreaterThanOrEqualTo(LANES + LANES / 2);
        assertThat(first.lanes().all.stream().filter(lane -> !lane.isRevoked())).hasSize(LANES);
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void aPartitionThatTheTopicGainsIsAssigned(GroupProtocol protocol) {
        Member only = join(protocol, RecordingLanes.fromTheStart());
        until("all assigned", () -> only.lanes().held.size() == LANES);
        KafkaBroker.await(broker.admin()
                .createPartitions(Map.of(topic, NewPartitions.increaseTo(LANES + 1)))
                .all());
        until("the new one too", () -> only.lanes().names().contains(topic + "-" + LANES));
    }

    /**
     * A wake-up that meets a blocking call in a rebalance callback kills a consumer for good. Here workers claim on threads
     * of their own and wake all the time while members come and go.
     */
    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void survivesWakeUpsWhileMembersComeAndGo(GroupProtocol protocol) throws InterruptedException {
        sendToAll(0, 1_000);
        ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor();
        AtomicBoolean done = new AtomicBoolean();
        Thread waking = new Thread(() -> {
            while (!done.get()) {
                members.forEach(member -> member.source().wakeUp());
                LockSupport.parkNanos(300_000);
            }
        });
        try {
            waking.start();
            Member steady = join(protocol, claimedBy(worker));
            until("the first has all", () -> steady.lanes().held.size() == LANES);
            for (int turn = 0; turn < 5; turn++) {
                Member guest = join(protocol, claimedBy(worker));
                until("they share", () -> isShared(steady, guest));
                guest.source().stop();
                until("the steady one has all again", () -> steady.lanes().held.size() == LANES);
            }
            until(
                    "all read, under wake-ups",
                    () -> steady.lanes().held.values().stream().allMatch(lane -> lane.position() == 1_000));
            assertThat(steady.lanes().all.stream().filter(lane -> !lane.isRevoked()))
                    .hasSize(LANES);
        } finally {
            done.set(true);
            waking.join();
            worker.shutdownNow();
        }
        assertThat(members)
                .allSatisfy(member -> assertThat(member.lanes().troubles).isEmpty());
    }

    /** Claims as a worker would: a moment later, on a thread of its own, with a wake-up after it. */
    private RecordingLanes claimedBy(ScheduledExecutorService worker) {
        return new RecordingLanes(intake -> worker.schedule(() -> intake.seek(0), 2, TimeUnit.MILLISECONDS));
    }

    private Member join(GroupProtocol protocol, RecordingLanes lanes) {
        Member member = new Member(source(protocol), lanes);
        members.add(member);
        member.source().start(lanes);
        return member;
    }

    private KafkaSource source(GroupProtocol protocol) {
        var properties = broker.consumerProperties(protocol);
        properties.put("metadata.max.age.ms", 500);
        return KafkaSource.builder(List.of(topic), group)
                .consumerProperties(properties)
                .clientIdPrefix(group + "-" + (members.size() + 1))
                .build();
    }

    private boolean isShared(Member one, Member other) {
        Set<String> ones = one.lanes().names();
        Set<String> others = other.lanes().names();
        Set<String> both = new TreeSet<>(ones);
        both.addAll(others);
        return both.size() == LANES && ones.size() == LANES / 2 && others.size() == LANES / 2;
    }

    private void sendToAll(int from, int to) {
        for (int partition = 0; partition < LANES; partition++) {
            broker.send(topic, partition, from, to);
        }
    }

    private void until(String condition, Callable<Boolean> holds) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .alias(condition + " " + members)
                .until(holds);
    }
}
