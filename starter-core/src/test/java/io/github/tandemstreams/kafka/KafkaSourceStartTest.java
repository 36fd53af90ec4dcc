package io.github.tandemstreams.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.SourceUnavailableException;
import io.github.tandemstreams.source.TopicNotFoundException;
import io.github.tandemstreams.test.KafkaBroker;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where lanes start, what is there of them, and how it is told when Kafka can't say. */
class KafkaSourceStartTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String topic = broker.newTopic(2);
    private final KafkaSource source = source(IsolationLevel.READ_COMMITTED);

    @AfterEach
    void stop() {
        source.stop();
    }

    @Test
    void earliestIsWhatTheTopicStillHas() {
        broker.send(topic, 1, 0, 10);
        deleteBefore(1, 4);
        assertThat(starts(new StartingOffsets.Earliest())).isEqualTo(Offsets.of(Map.of(lane(0), 0L, lane(1), 4L)));
    }

    @Test
    void latestIsTheEnd() {
        broker.send(topic, 1, 0, 10);
        assertThat(starts(new StartingOffsets.Latest())).isEqualTo(Offsets.of(Map.of(lane(0), 0L, lane(1), 10L)));
    }

    @Test
    void latestIsWhatCanBeRead() {
        Producer<byte[], byte[]> producer = broker.transactionalProducer();
        broker.send(topic, 0, 0, 3);
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, 0, null, "open".getBytes()));
        producer.flush();
        KafkaSource uncommitted = source(IsolationLevel.READ_UNCOMMITTED);

        assertThat(starts(new StartingOffsets.Latest()).get(lane(0))).isEqualTo(3);
        assertThat(source.bounds(lane(0)).latest().get(lane(0))).isEqualTo(3);
        assertThat(uncommitted.bounds(lane(0)).latest().get(lane(0))).isEqualTo(4);
        producer.commitTransaction();
        producer.close();
        uncommitted.stop();
        await("the marker is written")
                .until(() -> starts(new StartingOffsets.Latest()).get(lane(0)) == 5);
    }

    @Test
    @Tag("A11")
    void aTimestampIsTheFirstRecordFromThenOnOrTheEnd() {
        Instant noon = Instant.parse("2026-01-31T12:00:00Z");
        for (int minute = 0; minute < 10; minute++) {
            long at = noon.plusSeconds(60L * minute).toEpochMilli();
            broker.producer().send(new ProducerRecord<>(topic, 0, at, null, new byte[0]));
            broker.producer().send(new ProducerRecord<>(topic, 1, at - 3_600_000, null, new byte[0]));
        }
        broker.producer().flush();
        assertThat(starts(new StartingOffsets.AtTimestamp(noon.plusSeconds(150))))
                .isEqualTo(Offsets.of(Map.of(lane(0), 3L, lane(1), 10L)));
    }

    @Test
    void aGroupIsWhereItStands() {
        broker.send(topic, 0, 0, 10);
        broker.send(topic, 1, 0, 10);
        String group = broker.newName("old-group");
        KafkaBroker.await(broker.admin()
                .alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(7)))
                .all());
        assertThat(starts(new StartingOffsets.OfGroup(group))).isEqualTo(Offsets.of(Map.of(lane(0), 7L, lane(1), 0L)));

        deleteBefore(0, 9);
        assertThat(starts(new StartingOffsets.OfGroup(group))).isEqualTo(Offsets.of(Map.of(lane(0), 9L, lane(1), 0L)));
        assertThat(starts(new StartingOffsets.OfGroup("no-such-group")))
                .isEqualTo(Offsets.of(Map.of(lane(0), 9L, lane(1), 0L)));
    }

    @Test
    void aTopicThatIsCreatedAgainHasAnotherId() {
        broker.send(topic, 1, 0, 10);
        LaneBounds before = source.bounds(lane(1));
        assertThat(before.earliest().get(lane(1))).isZero();
        assertThat(before.latest().get(lane(1))).isEqualTo(10);
        LaneStart start =
                source.resolve(List.of(topic), new StartingOffsets.Earliest()).get(lane(1));
        assertThat(start.topic()).isEqualTo(topic);
        assertThat(start.topicId()).isEqualTo(before.topicId()).isNotBlank();

        broker.deleteTopic(topic);
        await("it is gone").until(() -> isMissing());
        broker.createTopic(topic, 1);
        await("it is back").until(() -> !isMissing());

        assertThat(source.bounds(lane(0)).topicId()).isNotEqualTo(before.topicId());
        LaneBounds gone = source.bounds(lane(1));
        assertThat(gone.topicId()).isNotEqualTo(before.topicId());
        assertThat(gone.latest().get(lane(1))).isZero();
    }

    @Test
    void aMissingTopicIsNamed() {
        assertThatThrownBy(() -> source.resolve(List.of(topic, "no-such-topic"), new StartingOffsets.Earliest()))
                .isInstanceOfSatisfying(
                        TopicNotFoundException.class,
                        missing -> assertThat(missing.topic()).isEqualTo("no-such-topic"));
        assertThatThrownBy(() -> source.bounds("no-such-topic-0")).isInstanceOf(TopicNotFoundException.class);
    }

    @Test
    void aLaneThatIsGoneLeavesTheOthersAlone() {
        Map<String, Supplier<LaneBounds>> asked =
                source.bounds(List.of("no-such-topic-0", lane(0), topic + "-99", lane(1)));
        assertThatThrownBy(asked.get("no-such-topic-0")::get).isInstanceOf(TopicNotFoundException.class);
        assertThat(asked.get(topic + "-99").get().latest().get(topic + "-99")).isZero();
        assertThat(asked.get(lane(0)).get().topicId())
                .isEqualTo(asked.get(lane(1)).get().topicId());
    }

    @Test
    void brokersThatDontAnswerAreNamed() throws IOException {
        String nobody = "localhost:" + freePort();
        KafkaSource cutOff = KafkaSource.builder(List.of(topic), "group")
                .consumerProperties(Map.of("bootstrap.servers", nobody, "default.api.timeout.ms", "2000"))
                .build();
        assertThatThrownBy(() -> cutOff.resolve(List.of(topic), new StartingOffsets.Earliest()))
                .isInstanceOf(SourceUnavailableException.class)
                .hasMessageContaining(nobody)
                .hasMessageContaining("check");
        assertThatThrownBy(() -> cutOff.bounds(lane(0))).isInstanceOf(SourceUnavailableException.class);
        cutOff.stop();
    }

    @Test
    void aNameThatCantBeResolvedIsWorthAnotherTry() {
        KafkaSource cutOff = KafkaSource.builder(List.of(topic), "group")
                .consumerProperties(Map.of("bootstrap.servers", "no-such-host.invalid:9092"))
                .build();
        assertThatThrownBy(() -> cutOff.bounds(lane(0)))
                .isInstanceOf(SourceUnavailableException.class)
                .hasMessageContaining("no-such-host.invalid");
        RecordingLanes lanes = RecordingLanes.fromTheStart();
        cutOff.start(lanes);
        await("told").until(() -> lanes.troubles.size() == 1);
        assertThat(lanes.troubles.get(0)).contains("no-such-host.invalid");
        cutOff.stop();
    }

    private boolean isMissing() {
        try {
            source.bounds(lane(0));
            return false;
        } catch (TopicNotFoundException missing) {
            return true;
        }
    }

    private Offsets starts(StartingOffsets startingOffsets) {
        Offsets all = Offsets.none();
        for (LaneStart start : source.resolve(List.of(topic), startingOffsets).values()) {
            all = all.merge(start.position());
        }
        return all;
    }

    private void deleteBefore(int partition, long offset) {
        KafkaBroker.await(broker.admin()
                .deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                .all());
    }

    private String lane(int partition) {
        return topic + "-" + partition;
    }

    private KafkaSource source(IsolationLevel isolationLevel) {
        return KafkaSource.builder(List.of(topic), "group")
                .consumerProperties(broker.consumerProperties(GroupProtocol.CLASSIC))
                .isolationLevel(isolationLevel)
                .build();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
