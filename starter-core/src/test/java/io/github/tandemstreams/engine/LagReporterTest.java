package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.lane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneListener;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.Source;
import io.github.tandemstreams.source.SourceUnavailableException;
import io.github.tandemstreams.test.StallingBroker;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class LagReporterTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void whatIsKnownIsToldWhileTheSourceIsAskedForTheRest() throws InterruptedException {
        try (StreamFixture fixture = new StreamFixture(2)) {
            Topics.produce(fixture.topic, 1, 3, i -> "v" + i);
            SlowSource source = new SlowSource(fixture.source(Set.of(fixture.topic)));
            StreamDefinition<?> stream = fixture.stream(fixture.probe(), definition -> definition.source(source))
                    .definition();
            new Registration(stream).run();
            Lane read = claimed(stream, fixture.topic + "-0");
            read.logEnd(5);
            Lane unread = claimed(stream, fixture.topic + "-1");

            LagReporter reporter = new LagReporter(stream, () -> List.of(read, unread), LagReporter.Pace.DEFAULT);
            Thread lookUp = Threads.daemon("look-up", reporter::lookUp);
            lookUp.start();
            assertThat(source.asked.await(30, TimeUnit.SECONDS)).isTrue();
            reporter.report();
            assertThat(lag(fixture, read)).containsExactly(5L);
            assertThat(lag(fixture, unread)).doesNotContain(3L);

            source.answers.countDown();
            lookUp.join(30_000);
            assertThat(lag(fixture, unread)).containsExactly(3L);
            source.stop();
        }
    }

    @Test
    void whatIsToldWhileTheSourceAnswersIsNewerThanItsAnswer() throws InterruptedException {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 3, i -> "v" + i);
            SlowSource source = new SlowSource(fixture.source(Set.of(fixture.topic)));
            StreamDefinition<?> stream = fixture.stream(fixture.probe(), definition -> definition.source(source))
                    .definition();
            new Registration(stream).run();
            Lane lane = claimed(stream, fixture.topic + "-0");
            Thread lookUp = Threads.daemon(
                    "look-up", new LagReporter(stream, () -> List.of(lane), LagReporter.Pace.DEFAULT)::lookUp);
            lookUp.start();
            assertThat(source.asked.await(30, TimeUnit.SECONDS)).isTrue();
            lane.logEnd(7);
            source.answers.countDown();
            lookUp.join(30_000);
            assertThat(lane.status().lag()).isEqualTo(OptionalLong.of(7));
            source.stop();
        }
    }

    /** Of a lane that is read the source tells what is new; of another one it tells nothing. */
    @Test
    void lanesThatAreReadAreAskedForRarelyAndThenAllAtOnce() {
        try (StreamFixture fixture = new StreamFixture(3)) {
            SlowSource source = new SlowSource(fixture.source(Set.of(fixture.topic)));
            source.answers.countDown();
            StreamDefinition<?> stream = fixture.stream(fixture.probe(), definition -> definition.source(source))
                    .definition();
            new Registration(stream).run();
            Set<String> names = Set.of(fixture.topic + "-0", fixture.topic + "-1", fixture.topic + "-2");
            List<Lane> lanes = names.stream()
                    .sorted()
                    .map(name -> claimed(stream, name))
                    .peek(lane -> lane.logEnd(0))
                    .toList();
            for (Lane read : lanes.subList(0, 2)) {
                read.opened(read.takeSeek().getAsLong());
            }
            Duration none = Duration.ZERO;
            new LagReporter(stream, () -> lanes, new LagReporter.Pace(none, MINUTE, MINUTE)).lookUp();
            new LagReporter(stream, () -> lanes, new LagReporter.Pace(none, none, MINUTE)).lookUp();
            assertThat(source.questions).containsExactly(Set.of(fixture.topic + "-2"), names);
            source.stop();
        }
    }

    /** What is older than a minute is taken for unknown, so also a lane at which nothing happens is told of in time. */
    @Test
    void aLaneAtWhichNothingChangesIsToldOfAgainOnceThatWasSeen() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamDefinition<?> stream = fixture.stream(fixture.probe()).definition();
            new Registration(stream).run();
            Lane idle = claimed(stream, fixture.topic + "-0");
            idle.logEnd(0);
            Duration second = Duration.ofSeconds(1);
            LagReporter reporter =
                    new LagReporter(stream, () -> List.of(idle), new LagReporter.Pace(second, second, MINUTE));
            reporter.report();
            assertThat(lag(fixture, idle)).containsExactly(0L);

            pass(fixture, MINUTE.plusSeconds(1));
            reporter.report();
            assertThat(lag(fixture, idle)).as("nobody has looked").containsExactly((Long) null);
            idle.logEnd(0);
            reporter.report();
            assertThat(lag(fixture, idle)).containsExactly(0L);
        }
    }

    /** Its polls don't fail then, and its consumer knows what it heard last. Nothing of that is how it is now. */
    @Test
    void ofAnIdleStreamWhoseBrokerIsSilentNothingIsKnownUntilItAnswers() throws Exception {
        try (StallingBroker broker = new StallingBroker();
                StreamFixture fixture = new StreamFixture(1)) {
            String lane = fixture.topic + "-0";
            write(broker, fixture.topic);
            fixture.kafka.put("bootstrap.servers", broker.bootstrapServers());
            fixture.kafka.put("request.timeout.ms", "1000");
            fixture.kafka.put("default.api.timeout.ms", "1500");
            fixture.lagPace =
                    new LagReporter.Pace(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(4));
            StreamRuntime runtime = fixture.stream(fixture.probe());
            runtime.start();
            fixture.awaitSeen(1);
            fixture.until("caught up", () -> lane(runtime, lane).lag().equals(OptionalLong.of(0)));
            fixture.until("told", () -> lag(fixture, lane).equals(List.of(0L)));
            assertThat(runtime.status().problem()).isNull();

            broker.stallAfter(0);
            fixture.until("not known", () -> lane(runtime, lane).lag().isEmpty());
            fixture.until("told why", () -> runtime.status().problem() != null);
            assertThat(runtime.status().problem()).contains(lane, broker.bootstrapServers(), "check that");
            assertThat(runtime.status().problemSince()).isNotNull();
            pass(fixture, MINUTE);
            await("nobody takes it for seen")
                    .during(Duration.ofSeconds(2))
                    .until(() -> Collections.frequency(lag(fixture, lane), null) == 1
                            && lane(runtime, lane).lag().isEmpty()
                            && runtime.status().problem() != null);

            broker.goOn();
            fixture.until("known again", () -> lane(runtime, lane).lag().equals(OptionalLong.of(0)));
            fixture.until("told", () -> lag(fixture, lane).equals(List.of(0L)));
            fixture.until("over", () -> runtime.status().problem() == null);
        }
    }

    private static void write(StallingBroker broker, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
                Producer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
            producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {'v'}))
                    .get();
        }
    }

    /** Time, as far as what was seen is concerned. */
    private static void pass(StreamFixture fixture, Duration time) {
        double seconds = time.toSeconds();
        fixture.jdbc.update("update tandem.lane_end set seen_at = seen_at - make_interval(secs => ?)", seconds);
        fixture.jdbc.update(
                "update tandem.commit_log set committed_at = committed_at - make_interval(secs => ?)", seconds);
    }

    private static Lane claimed(StreamDefinition<?> stream, String name) {
        LaneId id = new LaneId(stream.name(), name);
        Lane lane = new Lane(id, 100, () -> 1000, LagReporter.Pace.DEFAULT.knownFor(), () -> {});
        lane.run(stream.checkpoint().claim(id, UUID.randomUUID()).orElseThrow(), 0);
        return lane;
    }

    private static List<Long> lag(StreamFixture fixture, Lane lane) {
        return lag(fixture, lane.partition());
    }

    private static List<Long> lag(StreamFixture fixture, String lane) {
        return fixture.jdbc.queryForList(
                "select lag from tandem.lane_lag where stream = ? and lane = ?", Long.class, fixture.name, lane);
    }

    /** Takes its time to tell what it holds of lanes. */
    private record SlowSource(Source source, List<Set<String>> questions, CountDownLatch asked, CountDownLatch answers)
            implements Source {

        SlowSource(Source source) {
            this(source, new CopyOnWriteArrayList<>(), new CountDownLatch(1), new CountDownLatch(1));
        }

        @Override
        public Map<String, Supplier<LaneBounds>> bounds(Collection<String> lanes) {
            questions.add(Set.copyOf(lanes));
            asked.countDown();
            try {
                answers.await();
            } catch (InterruptedException ended) {
                throw new SourceUnavailableException("the test is over", ended);
            }
            return source.bounds(lanes);
        }

        @Override
        public Set<String> topics() {
            return source.topics();
        }

        @Override
        public Map<String, String> settled() {
            return source.settled();
        }

        @Override
        public Map<String, LaneStart> resolve(Collection<String> topics, StartingOffsets startingOffsets) {
            return source.resolve(topics, startingOffsets);
        }

        @Override
        public void start(LaneListener listener) {
            source.start(listener);
        }

        @Override
        public void stop() {
            source.stop();
        }

        @Override
        public void wakeUp() {
            source.wakeUp();
        }
    }
}
