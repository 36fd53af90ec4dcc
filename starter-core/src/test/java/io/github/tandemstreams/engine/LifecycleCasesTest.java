package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.lane;
import static io.github.tandemstreams.engine.StreamContract.produce;
import static io.github.tandemstreams.engine.StreamContract.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Cases K: errors that end threads elsewhere are told here, and never end in silence. */
class LifecycleCasesTest {

    @ParameterizedTest
    @ValueSource(classes = {StackOverflowError.class, NoClassDefFoundError.class})
    @Tag("K5")
    void anErrorOfTheJvmRollsItsBatchBackAndFailsItsLaneAlone(Class<? extends Error> type) {
        try (StreamFixture fixture = new StreamFixture(2)) {
            produce(fixture, 40);
            AtomicBoolean mended = new AtomicBoolean();
            String bad = fixture.topic + "-1";
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        if (batch.lane().equals(bad) && !mended.get()) {
                            throw type.getDeclaredConstructor().newInstance();
                        }
                    },
                    stream -> stream.failurePolicy(StreamFixture.failures(2, OnFailure.STOP, true)));
            runtime.start();
            fixture.until("failed", () -> state(runtime, bad) == LaneState.FAILED);
            fixture.awaitSeen(20);
            assertThat(lane(runtime, bad).problem()).contains(type.getSimpleName());
            assertThat(fixture.count("select count(*) from seen where lane = ?", bad))
                    .isZero();

            mended.set(true);
            new Streams(List.of(runtime), Duration.ofSeconds(5)).resume(fixture.name, bad);
            produce(fixture, 40);
            fixture.awaitSeen(80);
            fixture.ledger.check(fixture.visible());
        }
    }

    /** Stops that are shorter than the batch, as with each deployment: no run of it failed, and no process died. */
    @ParameterizedTest
    @EnumSource(OnFailure.class)
    @Tag("K1")
    void stopsInTheMiddleOfABatchAreNoFailuresOfIt(OnFailure onFailure) throws InterruptedException {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 1, i -> "good");
            UnaryOperator<StreamDefinition.Builder<String>> policy =
                    stream -> stream.failurePolicy(StreamFixture.failures(3, onFailure, true));
            for (int round = 0; round < 7; round++) {
                CountDownLatch inHandler = new CountDownLatch(1);
                StreamRuntime instance = fixture.stream(
                        batch -> {
                            inHandler.countDown();
                            new CountDownLatch(1).await();
                        },
                        policy);
                instance.start();
                assertThat(inHandler.await(30, TimeUnit.SECONDS)).isTrue();
                instance.stop(Duration.ofMillis(100));
            }
            fixture.stream(fixture.probe(), policy).start();
            fixture.awaitCaughtUp();

            assertThat(fixture.count("select count(*) from tandem.dead_letter")).isZero();
            fixture.ledger.check(fixture.visible());
        }
    }

    /** Whoever found a trial under way would count a death, and go on step by step. */
    @Test
    @Tag("K1")
    void aStopAtTheEndOfASearchLeavesNoTrialUnderWay() throws Exception {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 2, i -> i == 0 ? "bad" : "good");
            CountDownLatch searched = new CountDownLatch(1);
            AtomicReference<StreamRuntime> runtime = new AtomicReference<>();
            runtime.set(fixture.stream(batch -> {
                if (batch.isTrial() && batch.values().contains("good")) {
                    searched.countDown();
                    fixture.until(
                            "it is being stopped", () -> runtime.get().status().state() == StreamStatus.State.STOPPING);
                }
                if (batch.values().contains("bad")) {
                    throw new IllegalStateException("bad");
                }
                StreamFixture.note(fixture.jdbc, batch);
            }));
            runtime.get().start();
            assertThat(searched.await(30, TimeUnit.SECONDS)).isTrue();
            runtime.get().stop(Duration.ofSeconds(20));

            assertThat(fixture.count("select count(*) from tandem.offset_log")).isEqualTo(1);
            assertThat(fixture.count("select count(*) from tandem.offset_log where (search ->> 'trial')::bigint >= 0"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("K5")
    void aHandlerThatLeavesItsThreadInterruptedEndsNothing(boolean throwing) {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 40, i -> "v" + i);
            AtomicBoolean first = new AtomicBoolean(true);
            fixture.stream(
                            batch -> {
                                StreamFixture.note(fixture.jdbc, batch);
                                if (first.getAndSet(false)) {
                                    Thread.currentThread().interrupt();
                                    if (throwing) {
                                        throw new IllegalStateException("a call was cancelled");
                                    }
                                }
                            },
                            StreamContract.limits(10))
                    .start();
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("K5")
    void rightsThatAreTakenAwayAreToldAndWaitedFor() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            fixture.kafka.put("heartbeat.interval.ms", "200");
            fixture.kafka.put("session.timeout.ms", "6000");
            produce(fixture, 10);
            StreamRuntime runtime = fixture.stream(fixture.probe());
            runtime.start();
            fixture.awaitSeen(10);
            Instant before = Instant.now();
            try (Denied ignored = Denied.group(fixture.group())) {
                fixture.until("told", () -> runtime.status().problem() != null);
                assertThat(runtime.status().problem()).contains(fixture.group());
                assertThat(runtime.status().problemSince()).isBetween(before, Instant.now());
                produce(fixture, 10);
            }
            fixture.awaitSeen(20);
            fixture.until("nothing to tell any more", () -> runtime.status().problem() == null);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("K5")
    void anErrorDoesNotEndTheLookAtOrders() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            AtomicInteger errors = new AtomicInteger();
            DataSource broken = new DelegatingDataSource(fixture.database) {
                @Override
                public Connection getConnection() throws SQLException {
                    if (Thread.currentThread().getName().endsWith("-watch") && errors.getAndIncrement() < 2) {
                        throw new NoClassDefFoundError("gone");
                    }
                    return super.getConnection();
                }
            };
            StreamRuntime runtime = fixture.stream(fixture.probe(), broken, stream -> stream);
            runtime.start();
            fixture.until("errors", () -> errors.get() >= 2);
            StreamFixture.checkpoint(fixture.database)
                    .commands()
                    .give(StreamCommand.of(fixture.name, StreamCommand.Action.STOP));
            fixture.until("stopped here", () -> runtime.status().state() == StreamStatus.State.STOPPED);
        }
    }

    @Test
    @Tag("K1")
    void aStopThatIsInAHurryEndsAllThreads() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            produce(fixture, 10);
            StreamRuntime runtime = fixture.stream(fixture.probe());
            runtime.start();
            fixture.awaitSeen(10);
            String prefix = "tandem-" + fixture.name + "-";
            assertThat(threads(prefix)).contains(prefix + "lag", prefix + "pruner");
            Thread.currentThread().interrupt();
            runtime.stop(Duration.ofSeconds(20));
            assertThat(Thread.interrupted()).isTrue();
            fixture.until("no thread is left", () -> threads(prefix).isEmpty());
            fixture.ledger.check(fixture.visible());
        }
    }

    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }
}
