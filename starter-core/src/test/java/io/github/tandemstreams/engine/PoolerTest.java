package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.test.PgBouncer;
import io.github.tandemstreams.test.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The core again, by way of PgBouncer in transaction mode: each transaction may be on another session. */
class PoolerTest extends StreamContract {

    @BeforeAll
    static void isInstalled() {
        assumeTrue(
                PgBouncer.program().isPresent(),
                "PgBouncer isn't installed (Debian: apt-get install pgbouncer), so nothing was tested behind it");
    }

    @Override
    StreamFixture fixture(int partitions) {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        return new StreamFixture(partitions, database, PgBouncer.before(database));
    }

    /** Also the tables are made by way of the pooler, by all of them at the same time. */
    @Test
    @Tag("F7")
    void threeInstancesMigrateAndHandTheirLanesOverAndLeaveNothingWithTheServersSessions() throws Exception {
        try (StreamFixture fixture = fixture(4)) {
            fixture.kafka.put("heartbeat.interval.ms", "200");
            fixture.jdbc.execute("drop schema tandem cascade");
            StreamRuntime one = fixture.stream(fixture.probe(), limits(7));
            StreamRuntime two = fixture.stream(fixture.probe(), limits(5));
            StreamRuntime three = fixture.stream(fixture.probe(), limits(6));
            RebalanceCasesTest.startTogether(fixture, List.of(one, two, three));
            sessionsAreAsTheyWere(fixture);
            int sent = 0;
            for (int round = 0; round < 2; round++) {
                sent += produce(fixture, 400);
                fixture.until("all work", () -> works(two) && works(three));
                sent += produce(fixture, 400);
                two.stop(Duration.ofSeconds(10));
                three.stop(Duration.ofSeconds(10));
                two.start();
                three.start();
            }
            fixture.awaitSeen(sent);
            fixture.awaitCaughtUp();
            fixture.stopAll();
            fixture.ledger.check(fixture.visible());
            sessionsAreAsTheyWere(fixture);
        }
    }

    /** Applications that share the database, each with a schema of its own, meet on the same sessions. */
    @Test
    @Tag("F7")
    void migrationsOfSeveralApplicationsLeaveNothingWithTheServersSessions() throws Exception {
        try (StreamFixture fixture = fixture(1)) {
            List<String> schemas = new ArrayList<>();
            ExecutorService applications = Executors.newFixedThreadPool(3);
            try {
                for (int round = 0; round < 4; round++) {
                    List<Future<?>> migrations = new ArrayList<>();
                    for (int i = 0; i < 3; i++) {
                        String schema = "application_" + schemas.size();
                        schemas.add(schema);
                        migrations.add(applications.submit(() -> new SchemaMigrator(schema).migrate(fixture.unpooled)));
                    }
                    for (Future<?> migration : migrations) {
                        migration.get();
                    }
                }
            } finally {
                applications.shutdownNow();
            }
            sessionsAreAsTheyWere(fixture);
            assertThat(fixture.jdbc.queryForList(
                            "select schemaname from pg_tables where tablename = 'lane' and schemaname like 'application%'",
                            String.class))
                    .containsExactlyInAnyOrderElementsOf(schemas);
        }
    }

    /** Two lanes: each batch that is held has one of the few server connections, and the guest needs one too. */
    @Test
    @Tag("F7")
    @Tag("C1")
    void lanesThatChangeHandsInTheMiddleOfBatchesAreExact() throws SQLException {
        try (StreamFixture fixture = fixture(2)) {
            RebalanceCasesTest.handOverInTheMiddleOfBatches(fixture, 2);
            fixture.stopAll();
            sessionsAreAsTheyWere(fixture);
        }
    }

    @Test
    @Tag("D8")
    void badRecordsAreFoundBehindIt() {
        try (StreamFixture fixture = fixture(1)) {
            fixture.jdbc.execute("alter table seen add constraint no_bad check (val not like 'bad%')");
            Topics.produce(fixture.topic, 0, 100, i -> i == 13 || i == 77 ? "bad-" + i : "v" + i);
            fixture.stream(fixture.probe()).start();
            fixture.awaitCaughtUp();
            fixture.ledger.check(fixture.visible());
            assertThat(fixture.jdbc.queryForList("select record_offset from tandem.dead_letter order by 1", Long.class))
                    .containsExactly(13L, 77L);
        }
    }

    private static boolean works(StreamRuntime runtime) {
        return runtime.status().lanes().stream().anyMatch(lane -> lane.claimed() && lane.lastBatch() >= 0);
    }

    /** Each of the pooler's server connections, held at the same time. */
    private static void sessionsAreAsTheyWere(StreamFixture fixture) throws SQLException {
        List<Connection> held = new ArrayList<>();
        Set<Integer> sessions = new HashSet<>();
        try {
            for (int i = 0; i < PgBouncer.SERVER_CONNECTIONS; i++) {
                Connection connection = fixture.unpooled.getConnection();
                held.add(connection);
                connection.setAutoCommit(false);
                JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
                sessions.add(jdbc.queryForObject("select pg_backend_pid()", Integer.class));
                assertThat(jdbc.queryForList("""
                                select name || ' = ' || setting from pg_settings
                                 where source = 'session' and setting <> reset_val
                                   and name in ('lock_timeout', 'idle_in_transaction_session_timeout', 'search_path',
                                                'statement_timeout', 'synchronous_commit',
                                                'default_transaction_isolation', 'default_transaction_read_only')
                                """, String.class)).isEmpty();
                assertThat(jdbc.queryForObject("select count(*) from pg_listening_channels()", Integer.class))
                        .isZero();
            }
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
        }
        assertThat(sessions).hasSize(PgBouncer.SERVER_CONNECTIONS);
    }
}
