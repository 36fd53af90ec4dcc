package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.test.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What handlers do beside their batch's transaction. */
class HandlerHazardsTest {

    private final StreamFixture fixture = new StreamFixture(1);
    private final JdbcTransactionManager manager = new JdbcTransactionManager(fixture.database);
    private final HikariDataSource other = StreamFixture.pool(PostgresServer.newDatabase());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger(HandlerCall.class)).addAppender(log);
        new JdbcTemplate(other).execute("create table elsewhere (val text)");
        fixture.jdbc.execute("create table audit (val text)");
        Topics.produce(fixture.topic, 0, 30, i -> "v" + i);
    }

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger(HandlerCall.class)).detachAppender(log);
        fixture.close();
        other.close();
    }

    @Test
    void aTransactionOfItsOwnThatMayHaveWrittenFailsTheLane() {
        TransactionTemplate own = template(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW, false);
        StreamRuntime runtime = start(() -> own.executeWithoutResult(
                status -> fixture.jdbc.update("insert into audit values ('written beside the batch')")));
        fixture.until("failed", () -> failed(runtime));
        assertThat(problem(runtime)).contains("committed another transaction", "REQUIRES_NEW", "read-only");
        assertThat(fixture.seen()).isZero();
        assertThat(fixture.count("select count(*) from tandem.commit_log")).isZero();
    }

    @Test
    void soDoesOneThatWasCommittedBeforeTheHandlerFailed() {
        TransactionTemplate own = template(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW, false);
        StreamRuntime runtime = start(() -> {
            own.executeWithoutResult(
                    status -> fixture.jdbc.update("insert into audit values ('written beside the batch')"));
            throw new IllegalStateException("and then something else failed");
        });
        fixture.until("failed", () -> failed(runtime));
        assertThat(problem(runtime)).contains("committed another transaction");
        assertThat(fixture.count("select count(*) from audit")).as("runs").isEqualTo(1);
    }

    @Test
    void aTransactionOnAnotherDatabaseFailsTheLane() {
        JdbcTransactionManager others = new JdbcTransactionManager(other);
        ForeignTransactions.listenTo(others);
        TransactionTemplate own = template(others, TransactionDefinition.PROPAGATION_REQUIRED, false);
        StreamRuntime runtime = start(() -> own.executeWithoutResult(
                status -> new JdbcTemplate(other).update("insert into elsewhere values ('x')")));
        fixture.until("failed", () -> failed(runtime));
        assertThat(problem(runtime)).contains("another transaction manager");
        assertThat(fixture.seen()).isZero();
    }

    @Test
    void readingBesideTheBatchIsToldOnce() {
        TransactionTemplate own = template(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW, true);
        start(() -> own.executeWithoutResult(status -> fixture.jdbc.queryForList("select * from audit")));
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertWarnedOnce();
    }

    @Test
    void aConnectionOfAnotherDataSourceIsToldOnce() {
        start(() -> new JdbcTemplate(other).queryForList("select * from elsewhere"));
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertWarnedOnce();
    }

    @Test
    void whatJoinsTheBatchsTransactionIsNoMatter() {
        TransactionTemplate joining = template(manager, TransactionDefinition.PROPAGATION_REQUIRED, false);
        TransactionTemplate nested = template(manager, TransactionDefinition.PROPAGATION_NESTED, false);
        start(() -> {
            joining.executeWithoutResult(status -> fixture.jdbc.update("insert into audit values ('joined')"));
            nested.executeWithoutResult(status -> fixture.jdbc.update("insert into audit values ('nested')"));
        });
        fixture.awaitCaughtUp();
        fixture.ledger.check(fixture.visible());
        assertThat(fixture.count("select count(*) from audit")).isEqualTo(6);
        assertThat(log.list).isEmpty();
    }

    private StreamRuntime start(Runnable beside) {
        StreamRuntime runtime = fixture.stream(
                batch -> {
                    StreamFixture.note(fixture.jdbc, batch);
                    beside.run();
                },
                stream -> stream.transactionManager(manager).concurrency(1).limits(new Limits(10, 1 << 20, 1 << 20)));
        runtime.start();
        return runtime;
    }

    private void assertWarnedOnce() {
        assertThat(log.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage()).contains("beside its batch's transaction"));
    }

    private static TransactionTemplate template(PlatformTransactionManager manager, int propagation, boolean readOnly) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        template.setReadOnly(readOnly);
        return template;
    }

    private static boolean failed(StreamRuntime runtime) {
        return runtime.status().lanes().stream().anyMatch(lane -> lane.state() == LaneState.FAILED);
    }

    private static String problem(StreamRuntime runtime) {
        LaneStatus lane = runtime.status().lanes().get(0);
        return String.valueOf(lane.problem());
    }
}
