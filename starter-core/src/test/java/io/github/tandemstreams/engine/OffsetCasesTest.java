package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.crashAfterPlanning;
import static io.github.tandemstreams.engine.StreamContract.limits;
import static io.github.tandemstreams.engine.StreamContract.produce;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.test.StallingBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
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
