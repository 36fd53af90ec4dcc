package io.github.tandemstreams.engine;

import static io.github.tandemstreams.engine.StreamContract.lane;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.Trigger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Since when a lane has had work and done none: what health calls stalled. */
class StalledLanesTest {

    /** A wait since a time is told by another clock than that time. */
    private static final Duration PRECISION = Duration.ofMillis(2);

    /** A batch that is tried for ever. */
    private static final UnaryOperator<StreamDefinition.Builder<String>> NEVER_GIVES_UP =
            stream -> stream.failurePolicy(StreamFixture.failures(100_000, OnFailure.STOP, true));

    @Test
    void aLaneThatWaitsForItsTriggerIsNot() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamRuntime runtime = fixture.stream(
                    fixture.probe(), stream -> stream.trigger(Trigger.processingTime(Duration.ofHours(1))));
            runtime.start();
            Topics.produce(fixture.topic, 0, 1, i -> "first");
            fixture.awaitSeen(1);
            Topics.produce(fixture.topic, 0, 5, i -> "later");
            fixture.until("records wait", () -> status(fixture, runtime).lag().equals(OptionalLong.of(5)));
            assertThat(since(fixture, runtime)).isNull();
            assertThat(fixture.seen()).isEqualTo(1);
        }
    }

    @Test
    void aBatchThatFailsIsSinceItsTriggerLetItBegin() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Duration interval = Duration.ofSeconds(3);
            AtomicBoolean broken = new AtomicBoolean();
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        if (broken.get()) {
                            throw new IllegalStateException("broken");
                        }
                        StreamFixture.note(fixture.jdbc, batch);
                    },
                    stream -> NEVER_GIVES_UP.apply(stream).trigger(Trigger.processingTime(interval)));
            runtime.start();
            fixture.until("claimed", () -> status(fixture, runtime).claimed());
            Instant before = Instant.now();
            Topics.produce(fixture.topic, 0, 1, i -> "first");
            fixture.awaitSeen(1);
            broken.set(true);
            Topics.produce(fixture.topic, 0, 5, i -> "later");
            fixture.until(
                    "tried again, and behind",
                    () -> status(fixture, runtime).retries() > 0 && since(fixture, runtime) != null);
            assertThat(since(fixture, runtime)).isBetween(before.plus(interval).minus(PRECISION), Instant.now());
            broken.set(false);
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void recordsThatArriveAfterALongRestWaitSinceThen() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            AtomicBoolean broken = new AtomicBoolean();
            CountDownLatch behind = new CountDownLatch(1);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        behind.await();
                        if (broken.get()) {
                            throw new IllegalStateException("broken");
                        }
                        StreamFixture.note(fixture.jdbc, batch);
                    },
                    NEVER_GIVES_UP);
            runtime.start();
            Topics.produce(fixture.topic, 0, 1, i -> "first");
            fixture.until("behind", () -> status(fixture, runtime).lag().equals(OptionalLong.of(1)));
            Topics.produce(fixture.topic, 0, 1, i -> "second");
            fixture.until("further behind", () -> status(fixture, runtime).lag().equals(OptionalLong.of(2)));
            behind.countDown();
            fixture.awaitSeen(2);
            Instant rest = Instant.now().plusSeconds(2);
            fixture.until("it has rested", () -> Instant.now().isAfter(rest));
            broken.set(true);
            Instant before = Instant.now();
            Topics.produce(fixture.topic, 0, 5, i -> "later");
            fixture.until("behind", () -> since(fixture, runtime) != null);
            assertThat(since(fixture, runtime)).isBetween(before.minus(PRECISION), Instant.now());
            broken.set(false);
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aLaneThatCannotBeClaimedIsUntilItCan() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            AtomicBoolean away = new AtomicBoolean(true);
            DataSource database = awayForWorkers(fixture.database, away);
            StreamRuntime runtime =
                    fixture.stream(StreamFixture.probe(new JdbcTemplate(database)), database, NEVER_GIVES_UP);
            Instant before = Instant.now();
            runtime.start();
            Topics.produce(fixture.topic, 0, 5, i -> "v" + i);
            fixture.until("claims fail", () -> since(fixture, runtime) != null);
            LaneStatus status = status(fixture, runtime);
            assertThat(status.claimed()).isFalse();
            assertThat(status.problem()).contains("away");
            Instant since = since(fixture, runtime);
            assertThat(since).isBetween(before.minus(PRECISION), Instant.now());
            // What passes while it isn't mended adds up.
            fixture.until("some time passed", () -> Instant.now().isAfter(before.plusSeconds(2)));
            assertThat(since(fixture, runtime)).isEqualTo(since);

            away.set(false);
            fixture.awaitCaughtUp();
            fixture.until("nothing waits", () -> status(fixture, runtime).lag().equals(OptionalLong.of(0)));
            assertThat(since(fixture, runtime)).isNull();
            fixture.ledger.check(fixture.visible());
        }
    }

    /** Neither does what was before make it stalled at once, when its claim is lost or it can be claimed again. */
    @Test
    void eachWaitCountsAnew() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            AtomicBoolean away = new AtomicBoolean();
            AtomicBoolean lose = new AtomicBoolean();
            AtomicBoolean broken = new AtomicBoolean(true);
            AtomicReference<Instant> lost = new AtomicReference<>();
            DataSource database = awayForWorkers(fixture.database, away);
            JdbcTemplate jdbc = new JdbcTemplate(database);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        if (lose.getAndSet(false)) {
                            fixture.jdbc.update("update tandem.lane set epoch = epoch + 1");
                            away.set(true);
                            lost.set(Instant.now());
                        } else if (broken.get()) {
                            throw new IllegalStateException("broken");
                        }
                        StreamFixture.note(jdbc, batch);
                    },
                    database,
                    NEVER_GIVES_UP);
            Topics.produce(fixture.topic, 0, 5, i -> "v" + i);
            runtime.start();
            fixture.until("behind for a while", () -> {
                Instant since = since(fixture, runtime);
                return since != null && since.isBefore(Instant.now().minusMillis(100));
            });

            lose.set(true);
            fixture.until("its claim is lost", () -> !status(fixture, runtime).claimed());
            fixture.until("claims fail", () -> since(fixture, runtime) != null);
            assertThat(since(fixture, runtime)).isAfter(lost.get().minus(PRECISION));

            Instant back = Instant.now();
            away.set(false);
            fixture.until(
                    "claimed, and behind", () -> status(fixture, runtime).claimed() && since(fixture, runtime) != null);
            assertThat(since(fixture, runtime)).isAfter(back.minus(PRECISION));
            broken.set(false);
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
        }
    }

    private static LaneStatus status(StreamFixture fixture, StreamRuntime runtime) {
        return lane(runtime, fixture.topic + "-0");
    }

    private static @Nullable Instant since(StreamFixture fixture, StreamRuntime runtime) {
        return status(fixture, runtime).backlog().since();
    }

    private static DataSource awayForWorkers(DataSource database, AtomicBoolean away) {
        return new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                if (away.get() && Thread.currentThread().getName().contains("-worker-")) {
                    throw new SQLTransientConnectionException("the database is away");
                }
                return super.getConnection();
            }
        };
    }
}
