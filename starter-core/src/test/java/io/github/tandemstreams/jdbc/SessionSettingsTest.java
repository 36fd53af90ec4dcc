package io.github.tandemstreams.jdbc;

import static io.github.tandemstreams.checkpoint.SampleBatches.STREAM;
import static io.github.tandemstreams.checkpoint.SampleBatches.ahead;
import static io.github.tandemstreams.checkpoint.SampleBatches.claim;
import static io.github.tandemstreams.checkpoint.SampleBatches.lane;
import static io.github.tandemstreams.checkpoint.SampleBatches.unplanned;
import static io.github.tandemstreams.checkpoint.SampleBatches.withRidingPlan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.SampleBatches;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import net.ttddyy.dsproxy.QueryCountHolder;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Settings of the transactions: what is promised holds whatever the sessions bring along, and nothing stays with them. */
class SessionSettingsTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final CheckpointFixture fixture = new CheckpointFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({"off,on", "local,on", "remote_write,on", "on,on", "remote_apply,remote_apply"})
    void aCommitIsDurable(String session, String during) {
        fixture.register(1);
        CheckpointFixture sessions = fixture.withSessions("synchronous_commit=" + session);
        Fence fence = claim(sessions.a, lane(0)).fence();
        String setting = sessions.inTransaction(() -> {
            sessions.a.commit(List.of(unplanned(fence)), List.of());
            return setting(sessions, "synchronous_commit");
        });
        assertThat(setting).isEqualTo(during);
        assertThat(setting(sessions, "synchronous_commit")).isEqualTo(session);
    }

    @Test
    void aPlanIsDurableAndItsWaitsAreBounded() {
        fixture.register(1);
        fixture.jdbc.execute("""
                create table if not exists noted (sync text, locks text, idle text, isolation text);
                create or replace function note() returns trigger language plpgsql as $$ begin
                  insert into noted values (current_setting('synchronous_commit'), current_setting('lock_timeout'),
                    current_setting('idle_in_transaction_session_timeout'), current_setting('transaction_isolation'));
                  return new; end $$;
                create trigger note after insert on tandem.offset_log for each row execute function note()
                """);
        try {
            CheckpointFixture sessions = fixture.withSessions("synchronous_commit=off");
            sessions.a.plan(List.of(ahead(claim(sessions.a, lane(0)).fence())));
            assertThat(fixture.jdbc.queryForList("select * from noted"))
                    .containsExactly(Map.of("sync", "on", "locks", "5s", "idle", "15s", "isolation", "read committed"));
        } finally {
            fixture.jdbc.execute("drop trigger note on tandem.offset_log");
        }
    }

    /** It is begun and ended by what is sent, whatever the pool has told the driver about transactions. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlanLeavesNoTransactionOpenAlsoIfItFails(boolean autoCommit) throws Exception {
        fixture.register(1);
        try (Connection connection = fixture.database.getConnection()) {
            connection.setAutoCommit(autoCommit);
            JdbcCheckpoint checkpoint =
                    new JdbcCheckpoint(new SingleConnectionDataSource(connection, true), "tandem", "test");
            Fence fence = claim(fixture.a, lane(0)).fence();
            fixture.jdbc.execute("alter table tandem.offset_log rename to away");
            try {
                assertThat(catchThrowable(() -> checkpoint.plan(List.of(ahead(fence)))))
                        .rootCause()
                        .hasMessageContaining("offset_log");
                assertThat(state(connection)).isEqualTo(TransactionState.IDLE);
            } finally {
                fixture.jdbc.execute("alter table tandem.away rename to offset_log");
            }

            assertThat(checkpoint.plan(List.of(ahead(fence)))).containsExactly(lane(0));
            assertThat(state(connection)).isEqualTo(TransactionState.IDLE);
            assertThat(fixture.jdbc.queryForObject("select count(*) from tandem.offset_log", Integer.class))
                    .isOne();
        }
    }

    private static TransactionState state(Connection connection) throws SQLException {
        return connection.unwrap(BaseConnection.class).getTransactionState();
    }

    @Test
    void aClaimIsReadCommittedWhateverTheDefaultIs() throws Exception {
        fixture.register(1);
        CheckpointFixture sessions = fixture.withSessions("default_transaction_isolation=serializable");
        Fence fence = claim(fixture.a, lane(0)).fence();
        Future<Claim> claim = fixture.inTransaction(() -> {
            fixture.a.commit(List.of(withRidingPlan(fence)), List.of());
            Future<Claim> later = fixture.start(() -> claim(sessions.b, lane(0)));
            fixture.awaitWaiting(1);
            return later;
        });
        assertThat(claim.get().plan()).isPresent();
    }

    /** At a higher level, that a lane was claimed elsewhere would roll back the batch that its plan rides along with. */
    @ParameterizedTest
    @CsvSource({"read committed,true", "repeatable read,false", "serializable,false"})
    void plansOfOtherLanesRideAtReadCommittedOnly(String isolation, boolean ride) {
        fixture.register(1);
        CheckpointFixture sessions =
                fixture.withSessions("default_transaction_isolation=" + isolation.replace(" ", "\\ "));
        assertThat(sessions.a.plansMayRide()).isFalse();
        claim(sessions.a, lane(0));
        assertThat(sessions.a.plansMayRide()).isEqualTo(ride);
    }

    @Test
    @Tag("F7")
    void nothingStaysWithTheSession() throws Exception {
        fixture.register(1);
        CheckpointFixture sessions = fixture.withSessions("default_transaction_isolation=serializable");
        try (Connection connection = sessions.database.getConnection()) {
            SingleConnectionDataSource session = new SingleConnectionDataSource(connection, true);
            JdbcTemplate jdbc = new JdbcTemplate(session);
            String settings = "select string_agg(name || '=' || setting, ' ' order by name) from pg_settings"
                    + " where source = 'session' and name <> 'transaction_isolation'";
            String before = jdbc.queryForObject(settings, String.class);
            JdbcCheckpoint checkpoint = new JdbcCheckpoint(session, "tandem", "test");
            Fence fence = claim(checkpoint, lane(0)).fence();
            checkpoint.plan(List.of(ahead(fence)));
            checkpoint.holding(List.of(fence));
            new TransactionTemplate(new JdbcTransactionManager(session)).executeWithoutResult(status -> {
                checkpoint.limitIdleTime(LONG);
                checkpoint.commit(List.of(SampleBatches.commit(fence, true, Optional.empty(), List.of())), List.of());
            });
            checkpoint.commands().give(StreamCommand.of(STREAM, StreamCommand.Action.PAUSE));
            checkpoint.prune(STREAM, 0);
            assertThat(jdbc.queryForObject(settings, String.class)).isEqualTo(before);
            assertThat(jdbc.queryForObject("show transaction_isolation", String.class))
                    .isEqualTo("serializable");
            assertThat(jdbc.queryForObject("select count(*) from pg_locks where locktype = 'advisory'", Integer.class))
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"0,15s", "1min,15s", "15s,15s", "2s,2s"})
    void theWaitForCommitIsBoundedUnlessItIsAlready(String session, String during) {
        fixture.register(1);
        CheckpointFixture sessions = fixture.withSessions("idle_in_transaction_session_timeout=" + session);
        Fence fence = claim(sessions.a, lane(0)).fence();
        assertThat(sessions.inTransaction(() -> {
                    sessions.a.limitIdleTime(LONG);
                    sessions.a.commit(List.of(unplanned(fence)), List.of());
                    return setting(sessions, "idle_in_transaction_session_timeout");
                }))
                .isEqualTo(during);
    }

    @ParameterizedTest
    @CsvSource({"0,1min", "2min,1min", "1min,1min", "500ms,500ms"})
    void theHandlersIdleTimeIsBoundedUnlessItIsAlready(String session, String during) {
        CheckpointFixture sessions = fixture.withSessions("idle_in_transaction_session_timeout=" + session);
        for (int round = 0; round < 2; round++) {
            assertThat(sessions.inTransaction(() -> {
                        sessions.a.limitIdleTime(LONG);
                        return setting(sessions, "idle_in_transaction_session_timeout");
                    }))
                    .isEqualTo(during);
            sessions.a.topics(STREAM);
        }
    }

    @ParameterizedTest
    @CsvSource({"30s,0", "1min,0", "2min,1", "0,1"})
    void boundingTheIdleTimeCostsAStatementOnlyWhereItIsNeeded(String session, int statements) {
        fixture.register(1);
        var counting = ProxyDataSourceBuilder.create(
                        fixture.withSessions("idle_in_transaction_session_timeout=" + session).database)
                .countQuery()
                .build();
        JdbcCheckpoint checkpoint = new JdbcCheckpoint(counting, "tandem", "test");
        claim(checkpoint, lane(0));
        new TransactionTemplate(new JdbcTransactionManager(counting)).executeWithoutResult(status -> {
            QueryCountHolder.clear();
            checkpoint.limitIdleTime(LONG);
            assertThat(QueryCountHolder.getGrandTotal().getTotal()).isEqualTo(statements);
        });
    }

    @Test
    void aTransactionThatSitsIsEndedAndFreesItsRows() {
        fixture.register(1);
        Fence fence = claim(fixture.a, lane(0)).fence();
        Throwable failure = catchThrowable(() -> fixture.inTransaction(() -> {
            fixture.a.limitIdleTime(Duration.ofMillis(200));
            fixture.a.commit(List.of(unplanned(fence)), List.of());
            Integer session = fixture.jdbc.queryForObject("select pg_backend_pid()", Integer.class);
            JdbcTemplate others = new JdbcTemplate(new DelegatingDataSource(fixture.database));
            Awaitility.await("the server ends the session")
                    .until(() -> others.queryForObject(
                                    "select count(*) from pg_stat_activity where pid = ?", Integer.class, session)
                            == 0);
            return fixture.jdbc.queryForObject("select 1", Integer.class);
        }));
        assertThat(fixture.a.classify(failure)).isEqualTo(FailureKind.TRANSIENT);
        assertThat(claim(fixture.b, lane(0)).fence().lastBatch()).isEqualTo(-1);
    }

    private static String setting(CheckpointFixture sessions, String name) {
        return sessions.jdbc.queryForObject("select current_setting(?)", String.class, name);
    }
}
