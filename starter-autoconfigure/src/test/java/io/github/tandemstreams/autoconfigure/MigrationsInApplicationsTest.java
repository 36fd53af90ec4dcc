package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.Redrive;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.autoconfigure.orders.OrderEntity;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The checkpoint's tables and the application's own migrations leave each other alone. */
class MigrationsInApplicationsTest {

    private static final String APP_HISTORY =
            "select version from public.flyway_schema_history where version is not null order by installed_rank";
    private static final String OWN_HISTORY =
            "select version || ' ' || installed_on from tandem.schema_history where version is not null";
    private static final String PUBLIC_TABLES =
            "select table_name from information_schema.tables where table_schema = 'public' order by 1";

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final String topic = broker.newTopic(1);

    @Test
    @Tag("J9")
    void anApplicationWithFlywayOnAnEmptyDatabase() {
        startAndStop(withFlyway());
        assertThat(App.column(database, APP_HISTORY)).containsExactly("1", "2");
        List<String> own = App.column(database, OWN_HISTORY);
        assertThat(own).isNotEmpty();

        startAndStop(withFlyway());
        assertThat(App.column(database, APP_HISTORY)).containsExactly("1", "2");
        assertThat(App.column(database, OWN_HISTORY)).isEqualTo(own);
        assertThat(App.column(database, PUBLIC_TABLES)).containsExactly("app_one", "app_two", "flyway_schema_history");
    }

    @Test
    @Tag("J9")
    void anApplicationWithFlywayOnADatabaseThatIsNotEmpty() {
        PostgresServer.execute(database, "create table legacy (id int)");
        App app = withFlyway().with("spring.flyway.baseline-on-migrate=true", "spring.flyway.baseline-version=0");

        startAndStop(app);
        startAndStop(app);

        assertThat(App.column(database, APP_HISTORY)).containsExactly("0", "1", "2");
        assertThat(App.column(database, PUBLIC_TABLES))
                .containsExactly("app_one", "app_two", "flyway_schema_history", "legacy");
    }

    /** Hibernate looks at the tables after Liquibase has made them, and the handler writes by way of it. */
    @ParameterizedTest(name = "tables that are there already: {0}")
    @ValueSource(strings = {"", "legacy"})
    @Tag("J9")
    void anApplicationWithLiquibaseWhoseTablesHibernateValidates(String legacy) {
        if (!legacy.isEmpty()) {
            PostgresServer.execute(database, "create table " + legacy + " (id int)");
        }
        String changes = "select id from public.databasechangelog order by orderexecuted";
        App app = App.of(ValidatingApplication.class)
                .on(database)
                .on(broker)
                .with(
                        "tandem.streams.orders.topics=" + topic,
                        "spring.liquibase.enabled=true",
                        "spring.liquibase.change-log=classpath:application-changes.sql",
                        "spring.jpa.hibernate.ddl-auto=validate");

        List<List<String>> own = new ArrayList<>();
        for (int start = 1; start <= 2; start++) {
            App.send(broker, topic, String.valueOf(start));
            String expected = String.valueOf(start);
            try (ConfigurableApplicationContext context = app.start()) {
                App.await()
                        .untilAsserted(() -> assertThat(App.column(database, "select count(*)::text from orders"))
                                .containsExactly(expected));
            }
            assertThat(App.column(database, changes)).containsExactly("1", "2");
            own.add(App.column(database, OWN_HISTORY));
        }
        assertThat(own.get(0)).isNotEmpty();
        assertThat(own.get(1)).isEqualTo(own.get(0));
        List<String> tables = Stream.of("databasechangelog", "databasechangeloglock", legacy, "orders")
                .filter(table -> !table.isEmpty())
                .toList();
        assertThat(App.column(database, PUBLIC_TABLES)).isEqualTo(tables);
    }

    @Test
    void anApplicationWithoutFlywayOnADatabaseThatIsNotEmpty() {
        PostgresServer.execute(database, "create table legacy (id int)");

        startAndStop(app());

        assertThat(App.column(database, OWN_HISTORY)).isNotEmpty();
        assertThat(App.column(database, PUBLIC_TABLES)).containsExactly("legacy");
    }

    @Test
    void aPoolOfOne() {
        startAndStop(app().with("tandem.defaults.concurrency=1", "spring.datasource.hikari.maximum-pool-size=1"));

        assertThat(App.column(database, "select stream from tandem.stream")).containsExactly("orders");
    }

    @Test
    void migrationsByAnotherRoleThanTheApplications() {
        PostgresServer.execute(database, "create role worker login password 'worker'");
        PGSimpleDataSource worker = PostgresServer.as(database, "worker", "worker");
        PostgresServer.execute(
                database,
                "alter default privileges grant all on tables to worker; create schema tandem;"
                        + " grant usage on schema tandem to worker");

        startAndStop(App.of(Application.class)
                .withoutJpa()
                .on(worker)
                .on(broker)
                .with(
                        "tandem.streams.orders.topics=" + topic,
                        "tandem.schema.migration-url=" + database.getUrl(),
                        "tandem.schema.migration-user=" + database.getUser(),
                        "tandem.schema.migration-password=" + database.getPassword()));

        assertThat(App.column(database, "select distinct tableowner from pg_tables where schemaname = 'tandem'"))
                .containsExactly(database.getUser());
    }

    /** All of them work in the other schema: batches, commands and dead letters. */
    @Test
    @Tag("J11")
    void fiveInstancesStartAtOnceOnAnEmptyDatabaseWithAnotherSchema() throws Exception {
        String schema = "app streams";
        App app = app().with("tandem.schema.name=" + schema, "tandem.streams.orders.max-attempts=1");
        List<ConfigurableApplicationContext> instances = startTogether(5, app);
        try {
            StreamOperations streams = instances.get(0).getBean(StreamOperations.class);
            String lane = topic + "-0";
            assertThat(instances)
                    .allSatisfy(instance -> assertThat(instance.getBean(StreamOperations.class)
                                    .status("orders")
                                    .state())
                            .isEqualTo(StreamStatus.State.RUNNING));
            App.send(broker, topic, "good", "bad", "good");
            awaitPosition(schema, 3);
            streams.pause("orders", lane);
            App.send(broker, topic, "good");
            streams.resume("orders", lane);
            awaitPosition(schema, 4);

            DeadLetters deadLetters = instances.get(1).getBean(DeadLetters.class);
            assertThat(deadLetters.waiting("orders", 0, 10)).hasSize(1);
            long bad = deadLetters.waiting("orders", 0, 10).get(0).id();
            assertThat(deadLetters.redrive("orders", bad).outcome()).isEqualTo(Redrive.Outcome.FAILED);
            deadLetters.discard("orders", bad, "a test");
            assertThat(deadLetters.waiting("orders", 0, 10)).isEmpty();
        } finally {
            instances.forEach(ConfigurableApplicationContext::close);
        }
        assertThat(App.column(database, "select sum(records)::text from \"" + schema + "\".commit_log"))
                .containsExactly("3");
        assertThat(App.column(
                        database,
                        "select nspname from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema'"
                                + " order by 1"))
                .containsExactly(schema, "public");
        assertThat(App.column(database, PUBLIC_TABLES)).isEmpty();
    }

    private void awaitPosition(String schema, int offset) {
        App.await()
                .untilAsserted(() -> assertThat(
                                App.column(database, "select next_offset::text from \"" + schema + "\".lane_position"))
                        .containsExactly(String.valueOf(offset)));
    }

    private static List<ConfigurableApplicationContext> startTogether(int instances, App app) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(instances);
        ExecutorService threads = Executors.newFixedThreadPool(instances);
        try {
            List<Future<ConfigurableApplicationContext>> starts = new ArrayList<>();
            for (int i = 0; i < instances; i++) {
                starts.add(threads.submit(() -> {
                    barrier.await();
                    return app.start();
                }));
            }
            List<ConfigurableApplicationContext> started = new ArrayList<>();
            for (Future<ConfigurableApplicationContext> start : starts) {
                started.add(start.get());
            }
            return started;
        } finally {
            threads.shutdownNow();
        }
    }

    private App app() {
        return App.of(Application.class)
                .withoutJpa()
                .on(database)
                .on(broker)
                .with("tandem.streams.orders.topics=" + topic);
    }

    private App withFlyway() {
        return app().with("spring.flyway.enabled=true", "spring.flyway.locations=classpath:application-migrations");
    }

    private static void startAndStop(App app) {
        app.start().close();
    }

    @EnableAutoConfiguration
    static class Application {
        @ForeachBatch("orders")
        void handle(List<String> orders) {
            if (orders.contains("bad")) {
                throw new IllegalStateException("bad");
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = OrderEntity.class)
    @Import(ValidatingHandler.class)
    static class ValidatingApplication {}

    static class ValidatingHandler {
        private final EntityManager entities;

        ValidatingHandler(EntityManager entities) {
            this.entities = entities;
        }

        @ForeachBatch("orders")
        void handle(List<String> orders) {
            for (String id : orders) {
                entities.persist(new OrderEntity(Long.parseLong(id), "ann"));
            }
        }
    }
}
