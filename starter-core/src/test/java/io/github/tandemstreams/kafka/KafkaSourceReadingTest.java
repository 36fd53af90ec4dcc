package io.github.tandemstreams.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.tandemstreams.test.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One source on its own: from the offset sought to the end, no gap, nothing twice. */
class KafkaSourceReadingTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String group = broker.newName("group");
    private final String topic = broker.newTopic(1);
    private final String lane = topic + "-0";
    private final TopicPartition partition = new TopicPartition(topic, 0);
    private RecordingLanes lanes = RecordingLanes.fromTheStart();
    private KafkaSource source;

    @AfterEach
    void stop() {
        if (source != null) {
            source.stop();
        }
        assertThat(lanes.held).as("lanes after stop").isEmpty();
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void readsFromTheOffsetSoughtToTheEnd(GroupProtocol protocol) {
        broker.send(topic, 0, 0, 500);
        lanes = new RecordingLanes(intake -> intake.seek(123));
        start(protocol);

        until("all read", () -> intake().position() == 500);
        assertThat(intake().offsets()).containsExactlyElementsOf(range(123, 500));
        assertThat(intake().values()).first().isEqualTo("123");
        until("log end known", () -> intake().logEnd().equals(OptionalLong.of(500)));

        broker.send(topic, 0, 500, 600);
        until("the new ones read", () -> intake().position() == 600);
        assertThat(intake().offsets()).containsExactlyElementsOf(range(123, 600));
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void positionPassesMarkersAndAbortedRecords(GroupProtocol protocol) {
        Producer<byte[], byte[]> producer = broker.transactionalProducer();
        List<String> expected = new ArrayList<>();
        for (int transaction = 0; transaction < 6; transaction++) {
            boolean committed = transaction % 2 == 0;
            producer.beginTransaction();
            for (int i = 0; i < 10; i++) {
                String value = transaction + "/" + i;
                producer.send(new ProducerRecord<>(topic, 0, null, value.getBytes()));
                if (committed) {
                    expected.add(value);
                }
            }
            // Else an abort would forget what wasn't sent yet.
            producer.flush();
            if (committed) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
        producer.close();
        start(protocol);

        // 6 times 10 records and a marker; the last transaction was aborted.
        until("the end is reached", () -> intake().position() == 66);
        assertThat(intake().values()).containsExactlyElementsOf(expected);
        assertThat(source.bounds(lane).latest().get(lane)).isEqualTo(66);
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void seekingInMidStreamDeliversFromTheNewOffsetOn(GroupProtocol protocol) {
        broker.send(topic, 0, 0, 20_000);
        start(protocol);
        for (int turn = 0; turn < 10; turn++) {
            long from = (turn * 7_919L) % 19_000;
            until("something read", () -> held() && intake().position() > 0);
            intake().seek(from);
            source.wakeUp();
            until(
                    "reading again",
                    () -> intake().isOpen() && !intake().offsets().isEmpty());
            List<Long> offsets = intake().offsets();
            assertThat(offsets).containsExactlyElementsOf(range(from, from + offsets.size()));
        }
        intake().seek(19_990);
        source.wakeUp();
        until("the end is reached", () -> intake().position() == 20_000 && intake().isOpen());
        assertThat(intake().offsets()).containsExactlyElementsOf(range(19_990, 20_000));
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void backPressurePausesAndResumesWithoutStallOrGap(GroupProtocol protocol) {
        int records = 60_000;
        broker.send(topic, 0, 0, records);
        lanes = new RecordingLanes(intake -> intake.capacity(10).seek(0));
        start(protocol, 20);
        List<Long> read = new ArrayList<>();
        long begun = System.nanoTime();

        // Takes the records out as soon as there are some, and wakes the source, thousands of times.
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofNanos(100_000))
                .alias("all read")
                .until(() -> {
                    if (held()) {
                        List<Long> drained = intake().drain();
                        if (!drained.isEmpty()) {
                            read.addAll(drained);
                            source.wakeUp();
                        }
                    }
                    return read.size() >= records;
                });

        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertThat(read).containsExactlyElementsOf(range(0, records));
        assertThat(intake().pauses()).as("pauses").isGreaterThan(1_000);
        // A lost wake-up costs the poll timeout, 100 ms.
        assertThat(took.dividedBy(intake().pauses())).as("time for a pause").isLessThan(Duration.ofMillis(50));
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void offsetsThatDontExistAreTold(GroupProtocol protocol) {
        broker.send(topic, 0, 0, 100);
        KafkaBroker.await(broker.admin()
                .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(50)))
                .all());
        lanes = new RecordingLanes(intake -> intake.seek(10));
        start(protocol);

        until("told", () -> held() && intake().timesOutOfRange() == 1);
        intake().seek(50);
        source.wakeUp();
        until("read from what is left", () -> intake().position() == 100);
        assertThat(intake().offsets()).containsExactlyElementsOf(range(50, 100));

        intake().seek(1_000);
        source.wakeUp();
        until("told again", () -> intake().timesOutOfRange() == 2);
        assertThat(lanes.troubles).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void groupOffsetsFollowProgressInBothDirections(GroupProtocol protocol) {
        broker.send(topic, 0, 0, 100);
        start(protocol);
        until("all read", () -> held() && intake().position() == 100);
        assertThat(committed()).isNull();

        intake().progress(40, "generation=0;batch=3");
        source.wakeUp();
        until("committed", () -> new OffsetAndMetadata(40, "generation=0;batch=3").equals(committed()));
        intake().progress(20, "generation=1;batch=4");
        until("committed, lower", () -> new OffsetAndMetadata(20, "generation=1;batch=4").equals(committed()));

        for (int position = 41; position <= 70; position++) {
            intake().progress(position, "generation=1;batch=" + position);
        }
        source.stop();
        assertThat(committed()).as("after stop").isEqualTo(new OffsetAndMetadata(70, "generation=1;batch=70"));
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void canBeStartedAgain(GroupProtocol protocol) {
        broker.send(topic, 0, 0, 10);
        start(protocol);
        until("all read", () -> held() && intake().position() == 10);
        RecordingIntake first = intake();
        source.stop();
        assertThat(first.isRevoked()).isTrue();

        source.start(lanes);
        until("all read again", () -> held() && intake().position() == 10);
        assertThat(intake()).isNotSameAs(first);
        assertThat(source.bounds(lane).latest().get(lane)).isEqualTo(10);
    }

    private void start(GroupProtocol protocol) {
        start(protocol, KafkaSource.DEFAULT_MAX_POLL_RECORDS);
    }

    private void start(GroupProtocol protocol, int maxPollRecords) {
        source = KafkaSource.builder(List.of(topic), group)
                .consumerProperties(new HashMap<>(broker.consumerProperties(protocol)))
                .maxPollRecords(maxPollRecords)
                .build();
        source.start(lanes);
    }

    private boolean held() {
        return lanes.held.containsKey(lane);
    }

    private RecordingIntake intake() {
        return lanes.held.getOrDefault(lane, new RecordingIntake("none"));
    }

    private OffsetAndMetadata committed() {
        OffsetAndMetadata offset = KafkaBroker.await(
                        broker.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .get(partition);
        return offset == null ? null : new OffsetAndMetadata(offset.offset(), offset.metadata());
    }

    private void until(String condition, Callable<Boolean> holds) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .alias(condition + " (" + group + ", " + lane + ")")
                .until(holds);
    }

    private static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }
}
