package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;

/** JPA on one database and JDBC on another: each stream's checkpoint is where its handler writes. */
class TwoDatabasesTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource sales = PostgresServer.newDatabase();
    private final PGSimpleDataSource reports = PostgresServer.newDatabase();
    private final String topic = broker.newTopic(1);

    @Test
    @Tag("J3")
    void checkpointAndWritesAreInTheDatabaseOfTheStream() {
        PostgresServer.execute(sales, "create table sale (id bigint primary key)");
        PostgresServer.execute(reports, "create table report (id bigint)");
        App.send(broker, topic, "1", "2", "3");

        try (ConfigurableApplicationContext context = App.of(Application.class)
                .on(broker)
                .with(App.datasource("sales", sales))
                .with(App.datasource("reports", reports))
                .with(
                        "tandem.defaults.topics=" + topic,
                        // 'sales' needs none: it takes the primary DataSource, and the manager bound to it.
                        "tandem.streams.reports.data-source=reportsDatabase")
                .start()) {
            App.await().untilAsserted(() -> {
                assertThat(App.column(sales, "select id::text from sale order by 1"))
                        .containsExactly("1", "2", "3");
                assertThat(App.column(reports, "select id::text from report order by 1"))
                        .containsExactly("1", "2", "3");
            });
        }
        for (String table : List.of("stream", "commit_log")) {
            String streams = "select distinct stream from tandem." + table;
            assertThat(App.column(sales, streams)).containsExactly("sales");
            assertThat(App.column(reports, streams)).containsExactly("reports");
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = TwoDatabasesTest.class)
    static class Application {

        @Bean
        @Primary
        DataSource salesDatabase(Environment environment) {
            return dataSource(environment, "sales");
        }

        @Bean
        DataSource reportsDatabase(Environment environment) {
            return dataSource(environment, "reports");
        }

        private static DataSource dataSource(Environment environment, String prefix) {
            return DataSourceBuilder.create()
                    .url(environment.getProperty(prefix + ".url"))
                    .username(environment.getProperty(prefix + ".username"))
                    .password(environment.getProperty(prefix + ".password"))
                    .build();
        }

        @Bean
        @Primary
        JpaTransactionManager salesTransactions(EntityManagerFactory entities) {
            return new JpaTransactionManager(entities);
        }

        @Bean
        JdbcTransactionManager reportsTransactions(@Qualifier("reportsDatabase") DataSource reports) {
            return new JdbcTransactionManager(reports);
        }

        @Bean
        Object sales(EntityManager entities) {
            return new Object() {
                @ForeachBatch("sales")
                void handle(List<Long> ids) {
                    for (Long id : ids) {
                        Sale sale = new Sale();
                        sale.id = id;
                        entities.persist(sale); // flushed by the engine, before its own statement
                    }
                }
            };
        }

        @Bean
        Object reports(@Qualifier("reportsDatabase") DataSource database) {
            JdbcClient jdbc = JdbcClient.create(database);
            return new Object() {
                @ForeachBatch("reports")
                void handle(List<Long> ids) {
                    ids.forEach(id ->
                            jdbc.sql("insert into report values (?)").param(id).update());
                }
            };
        }
    }

    @Entity
    @Table(name = "sale")
    static class Sale {
        @Id
        private long id;
    }
}
