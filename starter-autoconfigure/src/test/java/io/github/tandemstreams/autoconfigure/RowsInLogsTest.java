package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.autoconfigure.orders.OrderEntity;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/** What records hold is in the lane's row and among the dead letters, for those who may read there, and nowhere else. */
@ExtendWith(OutputCaptureExtension.class)
class RowsInLogsTest {

    private static final AtomicReference<Way> WAY = new AtomicReference<>(Way.CONSTRAINT);

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final String topic = broker.newTopic(1);

    /** How a value comes into the message of an exception, and what is told of it all the same. */
    private enum Way {
        /** {@code Failing row contains (…)} */
        CONSTRAINT("SQLState 23514", "check constraint \"short\"", "DataIntegrityViolationException"),
        /** {@code Key (…)=(…) already exists} */
        KEY("SQLState 23505", "unique constraint \"once\"", "DuplicateKeyException"),
        /** {@code invalid input syntax for type integer: "…"} */
        TYPE("SQLState 22P02, data exception"),
        /** The statement with its values. */
        BATCH("SQLState 23514", "check constraint \"short\"", "BatchUpdateException"),
        /** What a trigger says. */
        RAISED("SQLState P0001, raised by a function in the database"),
        /** What a trigger says with the SQLState of a constraint. */
        RAISED_AS_A_VIOLATION("SQLState 23000, raised by a function in the database"),
        /** What the handler says. */
        MESSAGE("java.lang.IllegalStateException, caused by java.lang.NumberFormatException");

        private final String[] told;

        Way(String... told) {
            this.told = told;
        }
    }

    @BeforeEach
    void createTables() {
        PostgresServer.execute(
                database,
                "create table secrets (id int, secret text constraint once unique, constraint short check (length(secret) < 7))");
        PostgresServer.execute(
                database,
                "create function refuse() returns trigger language plpgsql as $$ begin"
                        + " if new.id = 4 then raise exception 'no %', new.secret; end if;"
                        + " if new.id = 5 then raise exception using errcode = '23000', message = 'no ' || new.secret; end if;"
                        + " return new; end $$");
        PostgresServer.execute(
                database, "create trigger refuse before insert on secrets for each row execute function refuse()");
    }

    @ParameterizedTest
    @EnumSource
    void whyALaneFailedIsToldWithoutThem(Way way, CapturedOutput output) {
        try (ConfigurableApplicationContext context = failed(way)) {
            assertThat(App.column(database, "select failure from tandem.lane_position")
                            .get(0))
                    .contains("s3cret");
            // Whoever claims it later says so, too.
            StreamOperations streams = context.getBean(StreamOperations.class);
            int before = output.length();
            streams.stop("secrets");
            streams.start("secrets");
            App.await()
                    .until(() ->
                            output.toString().substring(before).contains("is FAILED, why is in tandem.lane_position"));

            assertThat(health(context))
                    .contains("\"FAILED\"", "failed; its cause is in tandem.lane_position")
                    .doesNotContain("s3cret", "Exception");
        }
        assertThat(output)
                .contains(topic + "-0: FAILED: batch 0 (" + topic + "-0", "2 attempts")
                .contains("RowsInLogsTest$Secrets.handle(RowsInLogsTest.java:")
                .contains(way.told)
                .doesNotContain("s3cret");
    }

    /** The lane's row is locked, so that nobody claims it again before health was asked. */
    @Test
    void whyALaneFailedIsNotToldWhileItChangesHands() throws SQLException {
        try (ConfigurableApplicationContext context = failed(Way.CONSTRAINT);
                Connection commanding = database.getConnection();
                Connection locking = database.getConnection()) {
            App.await().until(() -> health(context).contains("\"FAILED\""));
            commanding.setAutoCommit(false);
            execute(
                    commanding,
                    "insert into tandem.operator_command (stream, lane, action, issued_by) values ('secrets', '" + topic
                            + "-0', 'resume', 'anna')");
            locking.setAutoCommit(false);
            CompletableFuture<Void> locked = CompletableFuture.runAsync(
                    () -> execute(locking, "select from tandem.lane where stream = 'secrets' for update"));
            App.await()
                    .until(
                            () -> App.column(
                                            database,
                                            "select pid from pg_stat_activity where datname = current_database()"
                                                    + " and wait_event_type = 'Lock'")
                                    .size(),
                            waiting -> waiting == 1);
            commanding.commit();
            locked.join();

            App.await().until(() -> health(context).contains("\"claimed\":false"));
            assertThat(health(context)).contains("\"ACTIVE\"").doesNotContain("s3cret");
            locking.rollback();
        }
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    @Test
    void whoLooksForThemFindsThemInTheDebugLog(CapturedOutput output) {
        failed(Way.CONSTRAINT, "logging.level.io.github.tandemstreams.engine=debug")
                .close();
        assertThat(output).contains("Failing row contains", "s3cret");
    }

    @ParameterizedTest
    @EnumSource
    void whichRecordsAreToBlameIsToldWithoutThem(Way way, CapturedOutput output) {
        try (ConfigurableApplicationContext context = start(way)) {
            App.await()
                    .until(() -> App.column(database, "select status from tandem.dead_letter")
                            .equals(List.of("parked")));
            App.await().until(() -> !health(context).contains("problem"));
            assertThat(health(context)).contains("\"UP\"").doesNotContain("s3cret");
        }
        assertThat(output)
                .contains("are looked for by trial runs", topic + "-0@0 (", "batch 0 committed; dead letters: 1")
                .contains(way.told)
                .doesNotContain("s3cret");
    }

    /** The guide to operations names these settings. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.jpa.properties.hibernate.jdbc.log.errors=false",
                "logging.level.org.hibernate.orm.jdbc.error=off"
            })
    void hibernateCanBeToldToLogNone(String setting, CapturedOutput output) {
        failedWithJpa(database, setting);
        assertThat(output)
                .contains("FAILED: batch 0", "SQLState 23514", "check constraint \"short\"")
                .doesNotContain("s3cret");
    }

    @Test
    void theDriverCanBeToldToLeaveThemOut(CapturedOutput output) {
        PGSimpleDataSource discreet = PostgresServer.as(database, database.getUser(), database.getPassword());
        discreet.setLogServerErrorDetail(false);
        failedWithJpa(discreet);
        assertThat(output)
                .contains("FAILED: batch 0", "HHH000247", "check constraint \"short\"")
                .doesNotContain("s3cret");
    }

    @Test
    void hibernateLogsThemByItself(CapturedOutput output) {
        failedWithJpa(database);
        assertThat(output).contains("FAILED: batch 0", "s3cret");
    }

    private void failedWithJpa(PGSimpleDataSource asked, String... settings) {
        PostgresServer.execute(
                database,
                "create table orders (id int primary key, customer text, constraint short check (length(customer) < 7))");
        App.send(broker, topic, "s3cret order");
        try (ConfigurableApplicationContext context = App.of(JpaApplication.class)
                .on(asked)
                .on(broker)
                .with("tandem.streams.secrets.topics=" + topic, "tandem.streams.secrets.max-attempts=2")
                .with("tandem.streams.secrets.on-failure=stop")
                .with(settings)
                .with("spring.jpa.properties.hibernate.jdbc.batch_size=10")
                .start()) {
            awaitFailure();
        }
    }

    private ConfigurableApplicationContext failed(Way way, String... settings) {
        ConfigurableApplicationContext context = start(way, "tandem.streams.secrets.on-failure=stop", settings);
        awaitFailure();
        return context;
    }

    private void awaitFailure() {
        App.await()
                .until(() -> App.column(database, "select state from tandem.lane_position")
                        .equals(List.of("failed")));
    }

    private ConfigurableApplicationContext start(Way way, String setting, String... settings) {
        WAY.set(way);
        App.send(broker, topic, "s3cret " + way);
        return App.of(Application.class)
                .withoutJpa()
                .on(database)
                .on(broker)
                .with("tandem.streams.secrets.topics=" + topic, "tandem.streams.secrets.max-attempts=2")
                .with("management.endpoint.health.show-details=always", setting)
                .with(settings)
                .start();
    }

    private ConfigurableApplicationContext start(Way way) {
        return start(way, "tandem.streams.secrets.backoff.max=200ms");
    }

    private static String health(ConfigurableApplicationContext context) {
        return new JsonMapper()
                .writeValueAsString(context.getBean(HealthEndpoint.class).healthForPath("tandem"));
    }

    @EnableAutoConfiguration
    @Import(Secrets.class)
    static class Application {}

    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = OrderEntity.class)
    @Import(SecretsOfJpa.class)
    static class JpaApplication {}

    static class SecretsOfJpa {
        private final EntityManager entities;

        SecretsOfJpa(EntityManager entities) {
            this.entities = entities;
        }

        @ForeachBatch("secrets")
        void handle(Batch<String> batch) {
            entities.persist(new OrderEntity(1, "other"));
            batch.values().forEach(value -> entities.persist(new OrderEntity(2, value)));
            entities.flush();
        }
    }

    static class Secrets {
        private final JdbcTemplate jdbc;

        Secrets(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @ForeachBatch("secrets")
        void handle(Batch<String> batch) {
            for (String value : batch.values()) {
                write(value);
            }
        }

        private void write(String value) {
            switch (WAY.get()) {
                case CONSTRAINT -> insert(1, value);
                case KEY -> {
                    insert(1, "s3cret");
                    insert(1, "s3cret");
                }
                case TYPE -> jdbc.queryForList("select ?::text::int", value);
                case BATCH ->
                    jdbc.batchUpdate(
                            "insert into secrets values (?, ?)",
                            List.<Object[]>of(new Object[] {1, "other"}, new Object[] {2, value}));
                case RAISED -> insert(4, value);
                case RAISED_AS_A_VIOLATION -> insert(5, value);
                case MESSAGE -> {
                    try {
                        Integer.parseInt(value);
                    } catch (NumberFormatException cause) {
                        throw new IllegalStateException("can't do " + value, cause);
                    }
                }
            }
        }

        private void insert(int id, String value) {
            jdbc.update("insert into secrets values (?, ?)", id, value);
        }
    }
}
