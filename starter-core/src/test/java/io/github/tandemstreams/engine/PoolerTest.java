package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.tandemstreams.test.Ledger;
import io.github.tandemstreams.test.PgBouncer;
import io.github.tandemstreams.test.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

    @Test
    @Tag("F7")
    void threeInstancesHandTheirLanesOverAndLeaveNothingWithTheServersSessions() throws SQLException {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        try (StreamFixture fixture = new StreamFixture(4, database, PgBouncer.before(database))) {
            fixture.kafka.put("heartbeat.interval.ms", "200");
            int sent = 0;
            StreamRuntime one = fixture.stream(fixture.probe(), limits(7));
            one.start();
            for (int round = 0; round < 2; round++) {
                StreamRuntime two = fixture.stream(fixture.probe(), limits(5));
                StreamRuntime three = fixture.stream(fixture.probe(), limits(6));
                two.start();
                three.start();
                sent += produce(fixture, 400);
                fixture.until("all work", () -> works(two) && works(three));
                sent += produce(fixture, 400);
                two.stop(Duration.ofSeconds(10));
                three.stop(Duration.ofSeconds(10));
            }
            int all = sent;
            fixture.until("seen = " + all, () -> fixture.seen() >= all);
            fixture.awaitCaughtUp();
            one.stop(Duration.ofSeconds(10));
            fixture.ledger.check(fixture.visible());
            new Ledger(new JdbcTemplate(database), fixture.name).nothingIsLeftOpen();
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
                                 where source = 'session'
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
