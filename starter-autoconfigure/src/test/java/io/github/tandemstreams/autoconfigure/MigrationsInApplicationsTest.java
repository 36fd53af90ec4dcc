package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

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

    @Test
    void anApplicationWithoutFlywayOnADatabaseThatIsNotEmpty() {
        PostgresServer.execute(database, "create table legacy (id int)");

        startAndStop(app());

        assertThat(App.column(database, OWN_HISTORY)).isNotEmpty();
        assertThat(App.column(database, PUBLIC_TABLES)).containsExactly("legacy");
    }

    @Test
    void anotherSchemaAndAPoolOfOne() {
        startAndStop(app().with(
                        "tandem.schema.name=streams",
                        "tandem.defaults.concurrency=1",
                        "spring.datasource.hikari.maximum-pool-size=1"));

        assertThat(App.column(database, "select stream from streams.stream")).containsExactly("orders");
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

    @Test
    @Tag("J11")
    void fiveInstancesStartAtOnceOnAnEmptyDatabase() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(5);
        ExecutorService threads = Executors.newFixedThreadPool(5);
        try {
            List<Future<ConfigurableApplicationContext>> starts = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                starts.add(threads.submit(() -> {
                    barrier.await();
                    return app().start();
                }));
            }
            for (Future<ConfigurableApplicationContext> start : starts) {
                start.get().close();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(App.column(database, "select stream from tandem.stream")).containsExactly("orders");
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
        void handle(List<String> orders) {}
    }
}
