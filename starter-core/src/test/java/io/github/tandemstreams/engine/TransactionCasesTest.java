package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.test.CommitCutter;
import io.github.tandemstreams.test.CommitCutter.Cut;
import io.github.tandemstreams.test.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Failure cases that others met with transactions, connections and fail-overs; the tags are the ids of the cases. */
class TransactionCasesTest {

    @Test
    @Tag("F2")
    void theFirstErrorIsTheCauseAndNotItsEchoAndNothingOfTheAttemptStands() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            fixture.jdbc.execute("create table once (val text primary key)");
            Topics.produce(fixture.topic, 0, 5, i -> i == 3 ? "v1" : "v" + i);
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        for (String value : batch.values()) {
                            try {
                                fixture.jdbc.update("insert into once values (?)", value);
                            } catch (DataIntegrityViolationException swallowed) {
                                // as users do
                            }
                        }
                    },
                    stream -> stream.failurePolicy(StreamFixture.failures(2, OnFailure.STOP, true)));
            runtime.start();
            String lane = fixture.topic + "-0";
            fixture.until("failed", () -> StreamContract.state(runtime, lane) == LaneState.FAILED);
            assertThat(StreamContract.lane(runtime, lane).problem())
                    .contains("duplicate key value violates unique constraint \"once_pkey\"");
            assertThat(fixture.count("select count(*) from tandem.commit_log")).isZero();
            assertThat(fixture.seen()).isZero();
            assertThat(fixture.count("select count(*) from once")).isZero();
        }
    }

    /**
     * Connections that were opened while the server was read-only stay so, as those to the old primary do; they validate
     * fine.
     */
    @ParameterizedTest
    @Tag("F4")
    @EnumSource(Effects.class)
    void afterAFailOverConnectionsToAReadOnlyServerAreReplacedWithoutARestart(Effects effects) {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        try (StreamFixture fixture = new StreamFixture(2, database)) {
            Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
            StreamRuntime runtime = fixture.stream(
                    fixture.probe(),
                    stream -> stream.effects(effects)
                            .failurePolicy(
                                    new FailurePolicy(3, Backoff.DEFAULT, OnFailure.DEAD_LETTER, 100, false, true)));
            runtime.start();
            fixture.awaitSeen(10);
            setForNewSessions(database, "default_transaction_read_only", "on");
            PostgresServer.execute(
                    database,
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                            + " where datname = current_database() and pid <> pg_backend_pid()");
            Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
            Topics.produce(fixture.topic, 1, 10, i -> "v" + i);
            fixture.until(
                    "the server is read-only",
                    () -> runtime.status().lanes().stream()
                            .allMatch(lane -> String.valueOf(lane.problem()).contains("read-only transaction")));
            fixture.until(
                    "the pool is full of such connections",
                    () -> fixture.database.getHikariPoolMXBean().getTotalConnections() == 6);

            setForNewSessions(database, "default_transaction_read_only", "off");
            fixture.awaitSeen(30);
            fixture.awaitCaughtUp();
            assertThat(fixture.count("select count(*) from tandem.dead_letter")).isZero();
            assertThat(fixture.events).noneMatch(event -> event.startsWith("failed"));
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("F5")
    void lanesThatDeadlockAreRunAgainUntilTheyPass() {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        PostgresServer.execute(
                database, "alter database " + database.getDatabaseName() + " set deadlock_timeout = 100");
        try (StreamFixture fixture = new StreamFixture(2, database)) {
            fixture.jdbc.execute("create table account (name text primary key, balance int not null)");
            fixture.jdbc.execute("insert into account values ('A', 0), ('B', 0)");
            Topics.produce(fixture.topic, 0, 200, i -> "v" + i);
            Topics.produce(fixture.topic, 1, 200, i -> "v" + i);
            CountDownLatch bothHoldOne = new CountDownLatch(2);
            fixture.stream(
                            batch -> {
                                StreamFixture.note(fixture.jdbc, batch);
                                boolean forwards = batch.lane().endsWith("-0");
                                add(fixture.jdbc, forwards ? "A" : "B", batch.size());
                                meet(bothHoldOne);
                                add(fixture.jdbc, forwards ? "B" : "A", batch.size());
                            },
                            StreamContract.limits(10))
                    .start();
            fixture.awaitCaughtUp();
            assertThat(fixture.jdbc.queryForList("select balance from account", Integer.class))
                    .containsExactly(400, 400);
            assertThat(fixture.events)
                    .anyMatch(event -> event.startsWith("retry") && event.contains("deadlock detected"))
                    .noneMatch(event -> event.startsWith("failed"));
            assertThat(fixture.count("select count(*) from tandem.dead_letter")).isZero();
            fixture.ledger.check(fixture.visible());
        }
    }

    private static void add(JdbcTemplate jdbc, String account, int amount) {
        jdbc.update("update account set balance = balance + ? where name = ?", amount, account);
    }

    /** Waits, the first time, until the other one is here, too. */
    private static void meet(CountDownLatch both) {
        both.countDown();
        try {
            assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aConflictThatShowsAtCommitIsARollBackAndNoDoubt() {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        setForNewSessions(database, "default_transaction_isolation", "serializable");
        try (StreamFixture fixture = new StreamFixture(2, database)) {
            fixture.jdbc.execute("create table total (lane text, others int)");
            Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
            Topics.produce(fixture.topic, 1, 10, i -> "v" + i);
            CountDownLatch bothCommit = new CountDownLatch(2);
            fixture.stream(batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        int others = fixture.count("select count(*) from total");
                        fixture.jdbc.update("insert into total values (?, ?)", batch.lane(), others);
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                                meet(bothCommit);
                            }
                        });
                    })
                    .start();
            fixture.awaitCaughtUp();
            assertThat(fixture.events)
                    .anyMatch(event -> event.startsWith("retry") && event.contains("could not serialize access"))
                    .noneMatch(event -> event.startsWith("failed"));
            assertThat(fixture.count("select count(*) from tandem.dead_letter")).isZero();
            assertThat(fixture.jdbc.queryForList("select distinct epoch from tandem.lane", Integer.class))
                    .as("no lane had to be claimed again")
                    .containsExactly(1);
            fixture.ledger.check(fixture.visible());
        }
    }

    @ParameterizedTest
    @Tag("F12")
    @EnumSource(Effects.class)
    void gettingNoConnectionIsNoDoubt(Effects effects) throws SQLException {
        try (StreamFixture fixture = new StreamFixture(1);
                HikariDataSource small = StreamFixture.pool(fixture.unpooled, config -> {
                    config.setMaximumPoolSize(2);
                    config.setConnectionTimeout(500);
                })) {
            JdbcTemplate jdbc = new JdbcTemplate(small);
            Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
            fixture.stream(StreamFixture.probe(jdbc), small, stream -> stream.effects(effects))
                    .start();
            fixture.awaitCaughtUp();
            List<Connection> held = new ArrayList<>();
            try {
                while (held.size() < 2) {
                    held.add(small.getConnection());
                }
                Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
                fixture.until("two runs got no connection", () -> fixture.events.size() >= 2);
            } finally {
                for (Connection connection : held) {
                    connection.close();
                }
            }
            fixture.awaitCaughtUp();
            assertThat(fixture.events).allMatch(event -> event.startsWith("retry"));
            assertThat(fixture.count("select epoch from tandem.lane"))
                    .as("the lane didn't have to be claimed again")
                    .isEqualTo(1);
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    @Tag("F10")
    void manyWorkersShareTwoConnections() {
        try (StreamFixture fixture = new StreamFixture(8);
                HikariDataSource small = StreamFixture.pool(fixture.unpooled, config -> config.setMaximumPoolSize(2))) {
            StreamContract.produce(fixture, 1000);
            JdbcTemplate jdbc = new JdbcTemplate(small);
            fixture.stream(
                            StreamFixture.probe(jdbc),
                            small,
                            stream -> StreamContract.limits(20).apply(stream.concurrency(8)))
                    .start();
            fixture.awaitSeen(1000);
            fixture.awaitCaughtUp();
            assertThat(fixture.count("select max(epoch) from tandem.lane")).isEqualTo(1);
            fixture.ledger.check(fixture.visible());
        }
    }

    /** By the limit of the database, and by that of the stream's transactions. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStatementThatTakesTooLongFailsItsLaneAndParksNobody(boolean limitOfDatabase) {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        if (limitOfDatabase) {
            setForNewSessions(database, "statement_timeout", "2000");
        }
        try (StreamFixture fixture = new StreamFixture(1, database)) {
            Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
            AtomicBoolean mended = new AtomicBoolean();
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        StreamFixture.note(fixture.jdbc, batch);
                        if (!mended.get()) {
                            fixture.jdbc.execute("select pg_sleep(60)");
                        }
                    },
                    stream -> stream.transactionTimeout(Duration.ofSeconds(limitOfDatabase ? 60 : 2))
                            .failurePolicy(StreamFixture.failures(2, OnFailure.DEAD_LETTER, true)));
            runtime.start();
            String lane = fixture.topic + "-0";
            fixture.until("failed", () -> StreamContract.state(runtime, lane) == LaneState.FAILED);
            assertThat(StreamContract.lane(runtime, lane).problem()).contains("2 attempts", "canceling statement");
            assertThat(fixture.count("select count(*) from tandem.dead_letter")).isZero();
            assertThat(fixture.seen()).isZero();
            mended.set(true);
            fixture.resume(runtime, lane);
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aHandlerThatSitsInItsTransactionLosesTheSessionAndIsRunAgain() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
            JdbcTemplate others = new JdbcTemplate(fixture.unpooled);
            AtomicBoolean sat = new AtomicBoolean();
            fixture.stream(
                            batch -> {
                                StreamFixture.note(fixture.jdbc, batch);
                                Integer session = fixture.jdbc.queryForObject("select pg_backend_pid()", Integer.class);
                                if (!sat.get()) {
                                    Awaitility.await("the server ends the session")
                                            .until(() -> others.queryForObject(
                                                            "select count(*) from pg_stat_activity where pid = ?",
                                                            Integer.class,
                                                            session)
                                                    == 0);
                                    sat.set(true);
                                }
                            },
                            stream -> stream.transactionTimeout(Duration.ofSeconds(4)))
                    .start();
            fixture.awaitCaughtUp();
            assertThat(sat).isTrue();
            assertThat(fixture.events).anyMatch(event -> event.startsWith("retry"));
            assertThat(fixture.count("select count(*) from tandem.dead_letter")).isZero();
            fixture.ledger.check(fixture.visible());
        }
    }

    @Test
    void aPoolWithAutocommitOff() {
        try (StreamFixture fixture = new StreamFixture(2);
                HikariDataSource off = StreamFixture.pool(fixture.unpooled, config -> config.setAutoCommit(false))) {
            JdbcTemplate jdbc = new JdbcTemplate(off);
            StreamContract.produce(fixture, 100);
            AtomicBoolean mended = new AtomicBoolean();
            StreamRuntime runtime = fixture.stream(
                    batch -> {
                        StreamFixture.note(jdbc, batch);
                        if (batch.values().contains("p0-37") && !mended.get()) {
                            throw new IllegalStateException("no");
                        }
                    },
                    off,
                    StreamContract.limits(10));
            runtime.start();
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            Streams streams = new Streams(List.of(runtime), Duration.ofSeconds(5));
            streams.pause(fixture.name, fixture.topic + "-1");
            StreamContract.produce(fixture, 20);
            fixture.until("the lane that isn't paused goes on", () -> fixture.seen() >= 109);
            assertThat(StreamContract.state(runtime, fixture.topic + "-1")).isEqualTo(LaneState.PAUSED);
            assertThat(fixture.seen()).isEqualTo(109);
            streams.resume(fixture.name, fixture.topic + "-1");
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());

            mended.set(true);
            assertThat(new StreamDeadLetters(() -> List.of(runtime)).redriveAll(fixture.name))
                    .isEqualTo(1);
            assertThat(fixture.seen()).isEqualTo(120);
        }
    }

    /** Where the network swallows everything: the client's socket timeout ends its wait, the server's idle limit its. */
    @Test
    @Tag("F1")
    void aHalfOpenConnectionIsLeftAndItsLocksAreFreed() throws IOException {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        setForNewSessions(database, "idle_in_transaction_session_timeout", "3000");
        try (StreamFixture fixture = new StreamFixture(1, database);
                CommitCutter cutter = new CommitCutter(PostgresServer.port(database))) {
            PGSimpleDataSource through =
                    PostgresServer.as(database, database.getUser(), String.valueOf(database.getPassword()));
            through.setServerNames(new String[] {"127.0.0.1"});
            through.setPortNumbers(new int[] {cutter.port()});
            through.setPrepareThreshold(0);
            through.setSocketTimeout(2);
            try (HikariDataSource pool = StreamFixture.pool(through)) {
                JdbcTemplate jdbc = new JdbcTemplate(pool);
                StreamRuntime runtime = fixture.stream(
                        batch -> {
                            StreamFixture.note(jdbc, batch);
                            if (cutter.cuts() == 0) {
                                cutter.arm(Cut.HALF_OPEN);
                            }
                        },
                        pool,
                        stream -> stream);
                Topics.produce(fixture.topic, 0, 10, i -> "v" + i);
                runtime.start();
                fixture.awaitCaughtUp();
                assertThat(cutter.cuts()).isEqualTo(1);
                assertThat(fixture.events).anyMatch(event -> event.startsWith("retry"));
                fixture.ledger.check(fixture.visible());
                runtime.stop(Duration.ofSeconds(10));
            }
        }
    }

    /** Sessions that exist keep what they have. */
    private static void setForNewSessions(PGSimpleDataSource database, String setting, String value) {
        PGSimpleDataSource writable =
                PostgresServer.as(database, database.getUser(), String.valueOf(database.getPassword()));
        writable.setOptions("-c default_transaction_read_only=off");
        PostgresServer.execute(
                writable, "alter database " + database.getDatabaseName() + " set " + setting + " = '" + value + "'");
    }
}
