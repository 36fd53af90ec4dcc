package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.crashAfterPlanning;
import static io.github.tandemstreams.engine.StreamContract.limits;
import static io.github.tandemstreams.engine.StreamContract.produce;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRecord.LaneEffect;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.StallingBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Cases A: where lanes start, what a range of offsets may hold, and when records count as lost. */
class OffsetCasesTest {

    private final Instant anHourAgo = Instant.now().minus(Duration.ofHours(1));

    @Test
    @Tag("A2")
    void rangesArePassedWhoseOffsetsAreHalfMarkers() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produceTransactions(fixture.topic, 0, 10, transaction -> true);
            fixture.stream(fixture.probe(), limits(4)).start();
            fixture.awaitCaughtUp();

            assertThat(offsets(fixture))
                    .isEqualTo(LongStream.range(0, 10).map(i -> 2 * i).boxed().toList());
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.count("select min((starts ->> ?)::int) from tandem.offset_log", lane(fixture, 0)))
                    .isZero();
            assertThat(fixture.count("select max((ends ->> ?)::int) from tandem.offset_log", lane(fixture, 0)))
                    .isEqualTo(20);
            assertThat(fixture.count("select sum(records)::int from tandem.commit_log"))
                    .isEqualTo(10);
        }
    }

    @Test
    @Tag("A4")
    void offsetsThatCompactionTookFromTheStartAreNoLoss() {
        try (StreamFixture fixture = new StreamFixture(Topics.createCompacted())) {
            Topics.produce(fixture.topic, 0, 10, i -> "rewritten-" + i, anHourAgo);
            Topics.produce(fixture.topic, 0, 10, i -> "rewritten-" + i, anHourAgo);
            awaitCompacted(fixture, LongStream.rangeClosed(10, 20).boxed().toList());

            StreamRuntime runtime = fixture.stream(
                    fixture.probe(),
                    stream -> stream.failurePolicy(StreamFixture.failures(3, OnFailure.DEAD_LETTER, true)));
            runtime.start();
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            assertThat(offsets(fixture)).first().isEqualTo(10L);
            assertThat(fixture.count("select min((starts ->> ?)::int) from tandem.offset_log", lane(fixture, 0)))
                    .isZero();
            assertNothingLost(fixture);
            assertThat(fixture.events).isEmpty();
        }
    }

    @Test
    @Tag("A5")
    void aBrokerThatFallsSilentIsNoLossAlsoIfLossIsAccepted() throws Exception {
        try (StallingBroker broker = new StallingBroker();
                StreamFixture fixture = new StreamFixture(1)) {
            writeBigRecords(broker, fixture.topic, 1_000);
            fixture.kafka.put("bootstrap.servers", broker.bootstrapServers());
            fixture.kafka.put("max.partition.fetch.bytes", "20000");
            fixture.kafka.put("request.timeout.ms", "1000");
            fixture.kafka.put("default.api.timeout.ms", "1500");
            StreamRuntime runtime = fixture.stream(
                    fixture.probe(),
                    stream -> stream.failurePolicy(StreamFixture.failures(3, OnFailure.DEAD_LETTER, false))
                            .limits(new Limits(100, 1 << 20, 1 << 18)));
            crashAfterPlanning(fixture, 0, 500);
            broker.stallAfter(300_000);
            runtime.start();
            fixture.until("the broker is silent in the middle of the planned range", broker::isStalled);
            assertThat(fixture.seen()).isZero();

            // Whoever claims the lane now gets no answer either.
            Streams streams = new Streams(List.of(runtime), Duration.ofSeconds(5));
            streams.pause(fixture.name, lane(fixture, 0));
            streams.resume(fixture.name, lane(fixture, 0));
            fixture.until(
                    "the lane waits for the broker, or takes its silence for a loss",
                    () -> lost(fixture) > 0
                            || runtime.status().lanes().stream().anyMatch(lane -> lane.problem() != null));
            assertNothingLost(fixture);
            broker.goOn();
            fixture.awaitSeen(1_000);

            fixture.ledger.check(Map.of(0, LongStream.range(0, 1_000).boxed().toList()));
            assertNothingLost(fixture);
            assertThat(fixture.count("select records from tandem.commit_log where batch = 0"))
                    .isEqualTo(500);
        }
    }

    private static void writeBigRecords(StallingBroker broker, String topic, int records)
            throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
                Producer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers(), "batch.size", 2_000),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
            byte[] big = "x".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
            List<Future<RecordMetadata>> written = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                written.add(producer.send(new ProducerRecord<>(topic, 0, null, big)));
            }
            for (Future<RecordMetadata> one : written) {
                one.get();
            }
        }
    }

    @Test
    @Tag("A8")
    void aTopicThatIsMissingFromTheMetadataLeavesItsLanesWhereTheyStand() {
        try (StreamFixture fixture = new StreamFixture(3)) {
            produce(fixture, 300);
            StreamRuntime runtime = fixture.stream(fixture.probe());
            runtime.start();
            fixture.awaitSeen(300);
            Map<String, Long> before = fixture.ledger.positions();
            try (Denied ignored = Denied.topic(fixture.topic)) {
                fixture.until("it is missed", () -> runtime.status().problem() != null);
                fixture.until(
                        "its lanes were revoked", () -> runtime.status().lanes().isEmpty());
                assertThat(fixture.ledger.positions()).isEqualTo(before);
            }
            produce(fixture, 30);
            fixture.awaitSeen(330);
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.count("""
                    select count(*) from tandem.offset_log, jsonb_each_text(starts) s
                     where s.value = '0' and batch > 0""")).isZero();
        }
    }

    /** The end of the new topic may lie before the position of the old one, at it, or behind. */
    @ParameterizedTest
    @ValueSource(ints = {30, 50, 70})
    void aLaneWhoseTopicWasCreatedAnewIsMovedIntoTheNewOneAndResumed(int records) {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamRuntime runtime = failedForANewTopic(fixture, 50, records);
            assertThat(StreamContract.lane(runtime, lane(fixture, 0)).problem())
                    .contains("rewind the lane to {" + lane(fixture, 0) + "=0} and resume it; or set tandem.streams.");

            CommandRecord done =
                    runtime.submit(StreamCommand.rewind(fixture.name, new ToOffsets(Offsets.of(lane(fixture, 0), 0)))
                            .withLane(lane(fixture, 0)));
            assertThat(done.lanes())
                    .singleElement()
                    .extracting(LaneEffect::batches, LaneEffect::records, LaneEffect::unknown)
                    .as("the logs are about the old topic")
                    .containsExactly(0L, 0L, 50L);
            fixture.resume(runtime, lane(fixture, 0));
            fixture.awaitCaughtUp();
            assertThat(newRecords(fixture))
                    .isEqualTo(IntStream.range(0, records)
                            .mapToObj(i -> "new-" + i)
                            .toList());

            // It belongs to the new topic now.
            Topics.produce(fixture.topic, 0, 1, i -> "later");
            fixture.awaitCaughtUp();
            runtime.stop(Duration.ofSeconds(10));
            recreate(fixture, 10);
            runtime.start();
            fixture.until("failed", () -> StreamContract.state(runtime, lane(fixture, 0)) == LaneState.FAILED);
            assertThat(fixture.seen()).isEqualTo(50 + records + 1);
        }
    }

    @Test
    void aLaneWhoseTopicWasCreatedAnewBeforeAnythingWasReadIsRewoundToWhereItStands() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamRuntime runtime = failedForANewTopic(fixture, 0, 10);
            runtime.submit(StreamCommand.rewind(fixture.name, new ToOffsets(Offsets.of(lane(fixture, 0), 0))));
            fixture.resume(runtime, lane(fixture, 0));
            fixture.awaitCaughtUp();
            assertThat(newRecords(fixture)).hasSize(10);
        }
    }

    @Test
    void aLaneWhoseTopicWasCreatedAnewSkipsTheBeginOfTheNewOne() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamRuntime runtime = failedForANewTopic(fixture, 50, 70);
            runtime.submit(StreamCommand.skip(fixture.name, Offsets.of(lane(fixture, 0), 65), "seen elsewhere"));
            fixture.resume(runtime, lane(fixture, 0));
            fixture.awaitCaughtUp();
            assertThat(newRecords(fixture)).containsExactly("new-65", "new-66", "new-67", "new-68", "new-69");
        }
    }

    /** A dead letter of the old topic isn't read again by a rewind in the new one. */
    @Test
    void deadLettersOfATopicThatWasDeletedWaitOn() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamRuntime runtime = failedForANewTopic(fixture, 50, 30);
            String parked = "insert into tandem.dead_letter (stream, topic, topic_id, partition, record_offset, lane,"
                    + " batch, cause_class) select stream, ?, topic_id, 0, 20, lane, 0, 'x' from tandem.lane";
            fixture.jdbc.update(parked, fixture.topic);
            runtime.submit(StreamCommand.rewind(fixture.name, new ToOffsets(Offsets.of(lane(fixture, 0), 0))));
            assertThat(fixture.count("select count(*) from tandem.dead_letter where status = 'parked'"))
                    .isOne();
        }
    }

    /** Whoever moved the lane before the topic was created anew knew nothing of it. */
    @Test
    void aRewindThatCameBeforeTheTopicWasCreatedAnewHidesNoLoss() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 50, i -> i == 49 ? "bad" : "old-" + i);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        if (batch.values().contains("bad")) {
                            throw new IllegalStateException("bad");
                        }
                        StreamFixture.note(fixture.jdbc, batch);
                    },
                    stream -> limits(10).apply(stream).failurePolicy(StreamFixture.failures(1, OnFailure.STOP, true)));
            runtime.start();
            fixture.until("failed", () -> StreamContract.state(runtime, lane(fixture, 0)) == LaneState.FAILED);
            runtime.submit(StreamCommand.rewind(fixture.name, new ToOffsets(Offsets.of(lane(fixture, 0), 5))));
            runtime.stop(Duration.ofSeconds(10));
            int before = fixture.seen();
            recreate(fixture, 100);
            fixture.resume(runtime, lane(fixture, 0));
            runtime.start();
            fixture.until(
                    "failed for the topic",
                    () -> fixture.events.stream().anyMatch(event -> event.contains("topic id changed")));
            assertThat(fixture.seen()).isEqualTo(before);
        }
    }

    private static StreamRuntime failedForANewTopic(StreamFixture fixture, int oldRecords, int newRecords) {
        Topics.produce(fixture.topic, 0, oldRecords, i -> "old-" + i);
        StreamRuntime runtime = fixture.stream(fixture.probe());
        runtime.start();
        fixture.until("known", () -> fixture.count("select count(*) from tandem.lane") == 1);
        fixture.awaitCaughtUp();
        runtime.stop(Duration.ofSeconds(10));
        recreate(fixture, newRecords);
        runtime.start();
        fixture.until("failed", () -> StreamContract.state(runtime, lane(fixture, 0)) == LaneState.FAILED);
        assertThat(fixture.seen()).isEqualTo(oldRecords);
        return runtime;
    }

    private static void recreate(StreamFixture fixture, int records) {
        KafkaBroker broker = KafkaBroker.shared();
        broker.deleteTopic(fixture.topic);
        fixture.until(
                "deleted",
                () -> !KafkaBroker.await(broker.admin().listTopics().names()).contains(fixture.topic));
        broker.createTopic(fixture.topic, 1);
        Topics.produce(fixture.topic, 0, records, i -> "new-" + i);
    }

    private static List<String> newRecords(StreamFixture fixture) {
        return fixture.jdbc.queryForList("select val from seen where val like 'new-%' order by off", String.class);
    }

    @Test
    @Tag("A11")
    void aPartitionWithNothingSinceTheTimestampStartsAtItsEndOnceAndForAll() {
        try (StreamFixture fixture = new StreamFixture(2)) {
            Instant then = anHourAgo;
            Instant before = then.minusSeconds(60);
            Topics.produce(fixture.topic, 0, 5, i -> "k", before);
            Topics.produce(fixture.topic, 0, 7, i -> "k", then);
            Topics.produce(fixture.topic, 1, 9, i -> "k", before);
            StreamRuntime first = startAt(fixture, new StartingOffsets.AtTimestamp(then));
            fixture.awaitSeen(7);
            assertThat(fixture.ledger.positions()).containsEntry(lane(fixture, 1), 9L);

            Topics.produce(fixture.topic, 1, 5, i -> "k", before);
            fixture.awaitSeen(12);
            first.stop(Duration.ofSeconds(10));
            for (int restart = 0; restart < 2; restart++) {
                StreamRuntime again = startAt(fixture, new StartingOffsets.AtTimestamp(then));
                Topics.produce(fixture.topic, 1, 1, i -> "k", before);
                fixture.awaitCaughtUp();
                again.stop(Duration.ofSeconds(10));
            }
            fixture.ledger.check(Map.of(
                    0,
                    LongStream.range(5, 12).boxed().toList(),
                    1,
                    LongStream.range(9, 16).boxed().toList()));
        }
    }

    @Test
    @Tag("A12")
    void aPlanWhoseRecordsAreCompactedMeanwhileIsReplayedWithWhatIsLeft() {
        try (StreamFixture fixture = new StreamFixture(Topics.createCompacted())) {
            Topics.produce(fixture.topic, 0, 100, i -> i % 10 < 3 ? "kept-" + i : "churned", anHourAgo);
            crashAfterPlanning(fixture, 0, 100);
            Topics.produce(fixture.topic, 0, 1, i -> "churned", anHourAgo);
            List<Long> left =
                    LongStream.range(0, 102).filter(i -> i % 10 < 3).boxed().toList();
            awaitCompacted(fixture, left);

            fixture.stream(fixture.probe(), limits(7)).start();
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.count("select count(*) from seen where batch_id = 0 and off < 100"))
                    .isEqualTo(30);
            assertThat(fixture.count("select records from tandem.commit_log where batch = 0"))
                    .isEqualTo(30);
            assertThat(fixture.count(
                            "select (ends ->> ?)::int from tandem.offset_log where batch = 0", lane(fixture, 0)))
                    .isEqualTo(100);
            assertNothingLost(fixture);
        }
    }

    @Test
    @Tag("A15")
    void aStartingPositionThatIsChangedLaterChangesNothingAndIsToldOnce() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger registration = (Logger) LoggerFactory.getLogger(Registration.class);
        registration.addAppender(log);
        try (StreamFixture fixture = new StreamFixture(1)) {
            produce(fixture, 20);
            startAt(fixture, new StartingOffsets.Earliest());
            fixture.awaitSeen(20);
            for (StartingOffsets changed : List.of(
                    new StartingOffsets.Latest(),
                    new StartingOffsets.AtTimestamp(anHourAgo),
                    new StartingOffsets.AtTimestamp(Instant.now().plusSeconds(3600)))) {
                fixture.stopAll();
                log.list.clear();
                Topics.produce(fixture.topic, 0, 1, i -> "while it was down");
                startAt(fixture, changed);
                fixture.awaitCaughtUp();
                assertThat(log.list)
                        .filteredOn(event -> event.getLevel() == Level.WARN)
                        .singleElement()
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .asString()
                        .contains("starting-offsets is " + changed, "has no effect");
            }
            fixture.ledger.check(fixture.visible());
        } finally {
            registration.detachAppender(log);
        }
    }

    @Test
    @Tag("A15")
    void aPlanThatNothingWasCommittedForIsReplayedWhateverTheStartingPosition() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            produce(fixture, 20);
            crashAfterPlanning(fixture, 0, 15);
            startAt(fixture, new StartingOffsets.Latest());
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.count("select count(*) from seen where batch_id = 0"))
                    .isEqualTo(15);
        }
    }

    /** What is committed is done, though the plan after it reaches beyond the end that the log has by now. */
    @Test
    void aPlanBeyondTheEndOfATruncatedLogHasNothingReadAgain() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            produce(fixture, 20);
            StreamRuntime before = fixture.stream(fixture.probe());
            before.start();
            fixture.awaitSeen(20);
            before.stop(Duration.ofSeconds(10));
            crashAfterPlanning(fixture, 0, 35);
            fixture.stream(
                            fixture.probe(),
                            stream -> stream.failurePolicy(StreamFixture.failures(3, OnFailure.DEAD_LETTER, false)))
                    .start();
            fixture.until("the loss is recorded", () -> lost(fixture) == 1);
            produce(fixture, 10);
            fixture.awaitSeen(30);
            fixture.ledger.everyRecordOnce(fixture.visible());
        }
    }

    private static StreamRuntime startAt(StreamFixture fixture, StartingOffsets startingOffsets) {
        StreamRuntime runtime = fixture.stream(fixture.probe(), stream -> stream.startingOffsets(startingOffsets));
        runtime.start();
        return runtime;
    }

    /** Ends the segment, so that it can be compacted, and waits until exactly these records are left. */
    private void awaitCompacted(StreamFixture fixture, List<Long> offsets) {
        Topics.produce(fixture.topic, 0, 1, i -> "closes the segment", anHourAgo.plusSeconds(600));
        fixture.until("compacted", () -> fixture.visible().equals(Map.of(0, offsets)));
    }

    private static void assertNothingLost(StreamFixture fixture) {
        assertThat(lost(fixture)).isZero();
    }

    private static int lost(StreamFixture fixture) {
        return fixture.count("select count(*) from tandem.commit_log where status = 'lost'");
    }

    private static List<Long> offsets(StreamFixture fixture) {
        return fixture.jdbc.queryForList("select off from seen order by off", Long.class);
    }

    private static String lane(StreamFixture fixture, int partition) {
        return fixture.topic + "-" + partition;
    }
}
