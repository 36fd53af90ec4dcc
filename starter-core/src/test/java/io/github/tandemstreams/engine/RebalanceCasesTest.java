package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.limits;
import static io.github.tandemstreams.engine.StreamContract.produce;
import static io.github.tandemstreams.engine.StreamContract.state;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.sink.Sink;
import io.github.tandemstreams.test.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Cases C: lanes change hands, at any moment, and nobody writes for a lane that is another's. */
class RebalanceCasesTest {

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    @Tag("C1")
    @Tag("C14")
    void lanesThatChangeHandsInTheMiddleOfBatchesAreExact(GroupProtocol protocol) {
        try (StreamFixture fixture = fixture(4, protocol)) {
            handOverInTheMiddleOfBatches(fixture, 4);
        }
    }

    /**
     * An instance holds a batch in more than half of the lanes until another one, which gets half of them, is inside of a
     * batch too: of each lane that is handed over the first one's batch is too late. Four times, there and back.
     */
    static void handOverInTheMiddleOfBatches(StreamFixture fixture, int lanes) {
        AtomicBoolean handingOver = new AtomicBoolean();
        AtomicInteger held = new AtomicInteger();
        StreamRuntime steady = fixture.stream(
                batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    held.incrementAndGet();
                    while (handingOver.get()) {
                        TimeUnit.MILLISECONDS.sleep(10);
                    }
                },
                stream -> limits(20).apply(stream.concurrency(lanes)));
        steady.start();
        for (int round = 0; round < 4; round++) {
            fixture.until("it has all lanes", () -> lanesOf(steady) == lanes);
            held.set(0);
            handingOver.set(true);
            produce(fixture, 80);
            // The guest gets half of the lanes, so at least one of these.
            fixture.until("it is inside of batches of more than half of the lanes", () -> held.get() > lanes / 2);
            AtomicInteger taken = new AtomicInteger();
            StreamRuntime guest = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        taken.incrementAndGet();
                        TimeUnit.MILLISECONDS.sleep(300);
                    },
                    limits(20));
            guest.start();
            fixture.until("the guest is inside of a batch too", () -> taken.get() > 0);
            handingOver.set(false);
            // Every other time its batch is cut off.
            guest.stop(round % 2 == 0 ? Duration.ofMillis(50) : Duration.ofSeconds(20));
            fixture.awaitSeen(80 * (round + 1));
            assertThat(fixture.seen()).isEqualTo(80 * (round + 1));
        }
        produce(fixture, 80);
        fixture.awaitSeen(400);
        fixture.ledger.check(fixture.visible());
        assertThat(fixture.events)
                .filteredOn(event -> event.startsWith("fenced"))
                .hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    @Tag("C3")
    @Tag("C14")
    void aLaneThatComesBackInTheMiddleOfABatchReadsFromItsPosition(GroupProtocol protocol) throws InterruptedException {
        try (StreamFixture fixture = fixture(1, protocol)) {
            produce(fixture, 1_000);
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch cameBack = new CountDownLatch(1);
            AtomicInteger runs = new AtomicInteger();
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        if (batch.id() == 2 && runs.incrementAndGet() == 1) {
                            inside.countDown();
                            cameBack.await();
                        }
                    },
                    limits(50));
            runtime.start();
            inside.await();
            try (Denied ignored = Denied.group(fixture.group())) {
                fixture.until("revoked", () -> runtime.status().lanes().isEmpty());
            }
            fixture.until("the lane came back and goes on", () -> fixture.seen() > 150);
            cameBack.countDown();
            fixture.awaitSeen(1_000);
            assertThat(runs).hasValueGreaterThanOrEqualTo(2);
            fixture.awaitCaughtUp();
            fixture.stopAll();
            fixture.ledger.check(fixture.visible());
        }
    }

    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    @Tag("C6")
    @Tag("C14")
    void aLaneThatIsPausedStaysSoAndBackPressureHoldsNoOther(GroupProtocol protocol) {
        try (StreamFixture fixture = fixture(4, protocol)) {
            String paused = fixture.topic + "-2";
            // Smaller than a lane's buffer: to hold them all it would take several polls, and a pause between them.
            fixture.maxPollRecords = 5;
            StreamRuntime one = fixture.stream(slow(fixture, Duration.ofMillis(150)), smallBuffers());
            one.start();
            fixture.until("all lanes are claimed", () -> lanesOf(one) == 4);
            new Streams(List.of(one), Duration.ofSeconds(5)).pause(fixture.name, paused);
            produce(fixture, 400);

            StreamRuntime two = fixture.stream(slow(fixture, Duration.ofMillis(150)), smallBuffers());
            two.start();
            fixture.until("the second has lanes", () -> lanesOf(two) > 0);
            two.stop(Duration.ofSeconds(20));
            fixture.awaitSeen(300);
            fixture.until("all lanes came back", () -> lanesOf(one) == 4);
            assertNothingOf(paused, fixture);
            one.stop(Duration.ofSeconds(20));

            StreamRuntime restarted = fixture.stream(slow(fixture, Duration.ofMillis(150)), smallBuffers());
            restarted.start();
            fixture.until("all lanes are claimed", () -> lanesOf(restarted) == 4);
            assertThat(state(restarted, paused)).isEqualTo(LaneState.PAUSED);
            assertNothingOf(paused, fixture);
            assertThat(fixture.seen()).isEqualTo(300);

            new Streams(List.of(restarted), Duration.ofSeconds(5)).resume(fixture.name, paused);
            fixture.awaitSeen(400);
            fixture.ledger.check(fixture.visible());
        }
    }

    private static void assertNothingOf(String lane, StreamFixture fixture) {
        assertThat(fixture.count("select count(*) from seen where lane = ?", lane))
                .isZero();
    }

    @Test
    @Tag("C7")
    void batchesThatTakeLongerThanMaxPollIntervalCauseNoRebalance() {
        try (StreamFixture fixture = new StreamFixture(3)) {
            fixture.kafka.put("max.poll.interval.ms", "4000");
            produce(fixture, 30);
            AtomicInteger runs = new AtomicInteger();
            fixture.stream(
                            batch -> {
                                runs.incrementAndGet();
                                if (batch.id() == 0) {
                                    TimeUnit.SECONDS.sleep(6);
                                }
                                StreamFixture.note(fixture.jdbc, batch);
                            },
                            stream -> stream.concurrency(3))
                    .start();
            fixture.awaitSeen(30);
            // Whoever reads these has polled since, and would have heard of a rebalance.
            produce(fixture, 3);
            fixture.awaitSeen(33);
            assertThat(runs).hasValue(6);
            assertThat(fixture.events).isEmpty();
            assertThat(claims(fixture)).isEqualTo(1);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("C7")
    void aBackoffThatTakesLongerThanMaxPollIntervalCausesNoRebalance() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            fixture.kafka.put("max.poll.interval.ms", "4000");
            produce(fixture, 10);
            AtomicInteger runs = new AtomicInteger();
            // Its jitter leaves at least half of it.
            Duration pause = Duration.ofSeconds(10);
            fixture.stream(
                            batch -> {
                                StreamFixture.note(fixture.jdbc, batch);
                                if (runs.incrementAndGet() == 1) {
                                    throw new IllegalStateException("once");
                                }
                            },
                            stream -> stream.failurePolicy(
                                    new FailurePolicy(3, new Backoff(pause, pause), OnFailure.STOP, 100, false, true)))
                    .start();
            fixture.awaitSeen(10);
            produce(fixture, 1);
            fixture.awaitSeen(11);
            assertThat(runs).hasValue(3);
            assertThat(claims(fixture)).isEqualTo(1);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("C10")
    void instancesThatEachBelieveToHaveAllLanesNeverOwnOneTogether() {
        try (StreamFixture fixture = new StreamFixture(2)) {
            produce(fixture, 300);
            HikariDataSource dying = StreamFixture.pool(fixture.unpooled);
            List<StreamRuntime> instances = List.of(
                    instance(fixture, "a", dying),
                    instance(fixture, "b", fixture.database),
                    instance(fixture, "c", fixture.database));
            instances.forEach(StreamRuntime::start);
            fixture.awaitSeen(50);
            dying.close();
            AtomicInteger sent = new AtomicInteger(300);
            // As long as there is work, each takes the lanes from the others again.
            fixture.until("several instances wrote", () -> {
                sent.addAndGet(produce(fixture, 20));
                return sent.get() >= 600 && fixture.count("select count(distinct instance) from tandem.commit_log") > 1;
            });
            fixture.awaitSeen(sent.get());
            fixture.stopAll();

            fixture.ledger.check(fixture.visible());
            assertThat(fixture.count("""
                    select count(*) from (
                        select from tandem.commit_log group by lane, epoch having count(distinct instance) > 1) shared""")).isZero();
        }
    }

    /** In a group of its own, as if it had been told of a membership that nobody else sees. */
    private static StreamRuntime instance(StreamFixture fixture, String name, HikariDataSource database) {
        return fixture.stream(
                StreamFixture.probe(new JdbcTemplate(database)),
                database,
                stream -> limits(10)
                        .apply(stream.source(fixture.source(Set.of(fixture.topic), fixture.group() + "-" + name))
                                .checkpoint(new JdbcCheckpoint(database, "tandem", name))));
    }

    @Test
    @Tag("C11")
    void fiveInstancesStartTogetherOnAnEmptyDatabase() throws Exception {
        try (StreamFixture fixture = new StreamFixture(5)) {
            fixture.kafka.put("heartbeat.interval.ms", "200");
            fixture.jdbc.execute("drop schema tandem cascade");
            List<StreamRuntime> instances = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                instances.add(fixture.stream(fixture.probe()));
            }
            startTogether(fixture, instances);
            assertThat(instances)
                    .allSatisfy(
                            instance -> assertThat(instance.status().state()).isEqualTo(StreamStatus.State.RUNNING));
            assertThat(fixture.count("select count(*) from tandem.stream")).isEqualTo(1);
            assertThat(fixture.count("select cardinality(topics) from tandem.stream"))
                    .as("registrations")
                    .isEqualTo(1);
            assertThat(fixture.count("select count(*) from tandem.lane")).isEqualTo(5);
            produce(fixture, 100);
            fixture.awaitSeen(100);
            fixture.until("each has a lane", () -> instances.stream().allMatch(instance -> lanesOf(instance) == 1));
            fixture.ledger.check(fixture.visible());
        }
    }

    /** Each makes sure that the tables are there, and when all have done so they start. */
    static void startTogether(StreamFixture fixture, List<StreamRuntime> instances) throws Exception {
        CyclicBarrier together = new CyclicBarrier(instances.size());
        ExecutorService pods = Executors.newFixedThreadPool(instances.size());
        try {
            List<Future<?>> started = new ArrayList<>();
            for (StreamRuntime instance : instances) {
                started.add(pods.submit(() -> {
                    together.await();
                    new SchemaMigrator("tandem").migrate(fixture.unpooled);
                    together.await();
                    instance.start();
                    return null;
                }));
            }
            for (Future<?> one : started) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pods.shutdownNow();
        }
    }

    /** A member with a name of its own that comes back soon finds its lanes, and nobody else's are moved. */
    @ParameterizedTest
    @EnumSource(GroupProtocol.class)
    void aStaticMemberThatRestartsMovesNoLanes(GroupProtocol protocol) {
        try (StreamFixture fixture = fixture(4, protocol)) {
            // Long enough for a stop and a start.
            fixture.kafka.remove("session.timeout.ms");
            StreamRuntime first = member(fixture, "pod-0");
            StreamRuntime second = member(fixture, "pod-1");
            first.start();
            second.start();
            produce(fixture, 100);
            fixture.until("each has two lanes", () -> lanesOf(first) == 2 && lanesOf(second) == 2);
            fixture.awaitCaughtUp();
            Map<String, Long> epochs = epochs(second);

            first.stop(Duration.ofSeconds(20));
            StreamRuntime again = member(fixture, "pod-0");
            again.start();
            produce(fixture, 100);
            fixture.until("it has its lanes again", () -> lanesOf(again) == 2);
            fixture.awaitCaughtUp();

            assertThat(epochs(second)).isEqualTo(epochs);
            fixture.ledger.check(fixture.visible());
        }
    }

    private static StreamRuntime member(StreamFixture fixture, String name) {
        fixture.kafka.put("group.instance.id", name);
        return fixture.stream(fixture.probe());
    }

    private static Map<String, Long> epochs(StreamRuntime runtime) {
        return runtime.status().lanes().stream().collect(Collectors.toMap(LaneStatus::lane, LaneStatus::epoch));
    }

    private static StreamFixture fixture(int partitions, GroupProtocol protocol) {
        StreamFixture fixture = new StreamFixture(partitions);
        fixture.kafka.putAll(KafkaBroker.shared().consumerProperties(protocol));
        return fixture;
    }

    private static Sink<String> slow(StreamFixture fixture, Duration duration) {
        return batch -> {
            StreamFixture.note(fixture.jdbc, batch);
            TimeUnit.MILLISECONDS.sleep(duration.toMillis());
        };
    }

    /** Less than what comes, so that reading is paused most of the time. */
    private static UnaryOperator<StreamDefinition.Builder<String>> smallBuffers() {
        return stream -> stream.limits(new Limits(20, 1 << 20, 400));
    }

    private static long lanesOf(StreamRuntime runtime) {
        return runtime.status().lanes().stream().filter(LaneStatus::claimed).count();
    }

    private static int claims(StreamFixture fixture) {
        return fixture.count("select max(epoch)::int from tandem.lane where stream = ?", fixture.name);
    }
}
