package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.test.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** A Spring Boot application as a user would write it, on the tests' Postgres and broker. */
final class App {

    private static final String JPA = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

    private final Class<?> configuration;
    private final Map<String, String> properties = new LinkedHashMap<>();

    private App(Class<?> configuration) {
        this.configuration = configuration;
        with(
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false",
                "spring.main.banner-mode=off",
                "spring.lifecycle.timeout-per-shutdown-phase=10s");
    }

    static App of(Class<?> configuration) {
        return new App(configuration);
    }

    App withoutJpa() {
        return with("spring.autoconfigure.exclude=" + JPA);
    }

    App on(PGSimpleDataSource database) {
        return with(datasource("spring.datasource", database));
    }

    App on(KafkaBroker broker) {
        return with(
                "spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                "spring.kafka.consumer.heartbeat-interval=200ms",
                "spring.kafka.properties[session.timeout.ms]=6000");
    }

    App with(String... more) {
        for (String property : more) {
            int separator = property.indexOf('=');
            properties.put(property.substring(0, separator), property.substring(separator + 1));
        }
        return this;
    }

    static String[] datasource(String prefix, PGSimpleDataSource database) {
        return new String[] {
            prefix + ".url=" + database.getUrl(),
            prefix + ".username=" + database.getUser(),
            prefix + ".password=" + database.getPassword()
        };
    }

    ConfigurableApplicationContext start() {
        return startAs(WebApplicationType.NONE);
    }

    ConfigurableApplicationContext startAs(WebApplicationType web) {
        return new SpringApplicationBuilder(configuration)
                .web(web)
                .registerShutdownHook(false)
                // Over system properties: the embedded broker sets spring.kafka.bootstrap-servers there.
                .run(arguments());
    }

    /** The properties, for the command line. */
    String[] arguments() {
        return properties.entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toArray(String[]::new);
    }

    /** What Spring Boot prints, for an application that doesn't start. */
    FailureAnalysis failure() {
        LastFailureAnalysis.forget();
        try (ConfigurableApplicationContext context = start()) {
            throw new AssertionError("It started");
        } catch (RuntimeException expected) {
            return LastFailureAnalysis.get();
        }
    }

    static void send(KafkaBroker broker, String topic, String... values) {
        for (String value : values) {
            broker.producer().send(new ProducerRecord<>(topic, value.getBytes(StandardCharsets.UTF_8)));
        }
        broker.producer().flush();
    }

    static List<String> column(DataSource database, String sql) {
        return new JdbcTemplate(database).queryForList(sql, String.class);
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50));
    }
}
