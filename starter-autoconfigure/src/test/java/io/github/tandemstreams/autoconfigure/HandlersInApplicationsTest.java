package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.transaction.annotation.Transactional;

/** Whole applications: their handlers' writes and the batches commit together. */
class HandlersInApplicationsTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final String topic = broker.newTopic(1);

    @BeforeEach
    void createTable() {
        PostgresServer.execute(database, "create table orders (id bigint, customer text)");
        FAILURES.set(1);
    }

    @Test
    void aJdbcHandlerCommitsWithItsBatch() {
        App.send(broker, topic, "{\"id\": 1, \"customer\": \"ann\"}", "{\"id\": 2, \"customer\": \"bob\"}");
        try (ConfigurableApplicationContext context =
                app(JdbcApplication.class).withoutJpa().start()) {
            awaitOrders(2);
            // The first attempt wrote its rows as well, and rolled them back.
            assertThat(App.column(database, "select id || customer from orders order by 1"))
                    .containsExactly("1ann", "2bob");
            assertThat(FAILURES).hasValue(0);
            assertThat(status(context).state()).isEqualTo(StreamStatus.State.RUNNING);
        }
        assertThat(App.column(database, "select sum(records)::text from tandem.commit_log"))
                .containsExactly("2");
    }

    @Test
    void aJpaHandlerCommitsWithItsBatch() {
        App.send(broker, topic, "{\"id\": 1, \"customer\": \"ann\"}", "{\"id\": 2, \"customer\": \"bob\"}");
        try (ConfigurableApplicationContext context = app(JpaApplication.class).start()) {
            awaitOrders(2);
            assertThat(App.column(database, "select id || customer from orders order by 1"))
                    .containsExactly("1ann", "2bob");
            assertThat(FAILURES).hasValue(0);
            assertThat(context.getBean("transactionManager").getClass().getSimpleName())
                    .isEqualTo("JpaTransactionManager");
        }
    }

    @Test
    @Tag("J1")
    @Tag("J5")
    void aTransactionalPackagePrivateHandlerWithAConsumerFactoryOfItsOwn() {
        App.send(broker, topic, "{\"id\": 1, \"customer\": \"ann\"}");
        try (ConfigurableApplicationContext context = app(ProxiedApplication.class)
                .withoutJpa()
                .with("spring.kafka.bootstrap-servers=localhost:1", "servers=" + broker.bootstrapServers())
                .start()) {
            awaitOrders(1);
            assertThat(ELEMENTS)
                    .isNotEmpty()
                    .allSatisfy(element -> assertThat(element).isInstanceOf(Order.class));
        }
    }

    @Test
    void theApplicationGoesOnWhereItStoppedAndNothingIsDoneTwice() {
        FAILURES.set(0);
        for (int run = 1; run <= 3; run++) {
            App.send(broker, topic, "{\"id\": " + run + ", \"customer\": \"ann\"}");
            try (ConfigurableApplicationContext context =
                    app(JdbcApplication.class).withoutJpa().start()) {
                awaitOrders(run);
            }
        }
        assertThat(App.column(database, "select id::text from orders order by 1"))
                .containsExactly("1", "2", "3");
    }

    @Test
    void aStreamWithoutAutoStartupWaitsForItsStart() {
        FAILURES.set(0);
        App.send(broker, topic, "{\"id\": 1, \"customer\": \"ann\"}");
        try (ConfigurableApplicationContext context = app(JdbcApplication.class)
                .withoutJpa()
                .with("tandem.streams.orders.auto-startup=false")
                .start()) {
            assertThat(status(context).state()).isEqualTo(StreamStatus.State.STOPPED);
            context.getBean(StreamOperations.class).start("orders");
            awaitOrders(1);
        }
    }

    @Test
    void eachStreamReadsItsTopicAsItsOwnGroup() {
        FAILURES.set(0);
        App.send(broker, topic, "{\"id\": 1, \"customer\": \"ann\"}");
        try (ConfigurableApplicationContext context = app(TwoStreams.class)
                .withoutJpa()
                .with("tandem.streams.audit.topics=" + topic, "spring.application.name=shop")
                .start()) {
            awaitOrders(2);
            App.await()
                    .untilAsserted(() -> assertThat(KafkaBroker.await(
                                    broker.admin().listGroups().valid()))
                            .extracting(group -> group.groupId())
                            .contains("tandem-shop-orders", "tandem-shop-audit"));
        }
    }

    private App app(Class<?> configuration) {
        return App.of(configuration).on(database).on(broker).with("tandem.streams.orders.topics=" + topic);
    }

    private void awaitOrders(int count) {
        App.await()
                .untilAsserted(() -> assertThat(App.column(database, "select id::text from orders"))
                        .hasSize(count));
        App.await()
                .untilAsserted(() -> assertThat(App.column(database, "select batch::text from tandem.commit_log"))
                        .isNotEmpty());
    }

    private static StreamStatus status(ConfigurableApplicationContext context) {
        return context.getBean(StreamOperations.class).status("orders");
    }

    // ---- applications

    /** How often the handler has yet to fail, after it wrote. */
    private static final AtomicInteger FAILURES = new AtomicInteger();

    private static final List<Object> ELEMENTS = new CopyOnWriteArrayList<>();

    record Order(long id, String customer) {}

    private static void failAFewTimes() {
        if (FAILURES.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IllegalStateException("not now");
        }
    }

    private static void insert(JdbcClient jdbc, Order order) {
        jdbc.sql("insert into orders values (?, ?)")
                .params(order.id(), order.customer())
                .update();
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(JdbcHandler.class)
    static class JdbcApplication {}

    static class JdbcHandler {
        private final JdbcClient jdbc;

        // A handler may have the streams injected that it is a part of.
        JdbcHandler(JdbcClient jdbc, StreamOperations streams) {
            this.jdbc = jdbc;
        }

        @ForeachBatch("orders")
        void handle(Batch<Order> batch) {
            batch.forEach(order -> insert(jdbc, order));
            failAFewTimes();
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(JdbcHandler.class)
    static class TwoStreams {
        @Bean
        Object audit(JdbcClient jdbc) {
            return new Object() {
                @ForeachBatch("audit")
                void handle(List<Order> orders) {
                    orders.forEach(order -> insert(jdbc, order));
                }
            };
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = HandlersInApplicationsTest.class)
    @Import(JpaHandler.class)
    static class JpaApplication {}

    static class JpaHandler {
        private final EntityManager entities;

        JpaHandler(EntityManager entities) {
            this.entities = entities;
        }

        @ForeachBatch("orders")
        void handle(List<Order> orders) {
            for (Order order : orders) {
                OrderEntity entity = new OrderEntity();
                entity.id = order.id();
                entity.customer = order.customer();
                entities.persist(entity);
            }
            entities.flush();
            failAFewTimes();
        }
    }

    @Entity
    @Table(name = "orders")
    static class OrderEntity {
        @Id
        private long id;

        private String customer;
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(ProxiedHandler.class)
    static class ProxiedApplication {
        @Bean
        ConsumerFactory<String, String> consumerFactory(@Value("${servers}") String servers) {
            return new DefaultKafkaConsumerFactory<>(
                    Map.of("bootstrap.servers", servers), new StringDeserializer(), new StringDeserializer());
        }
    }

    @Transactional
    static class ProxiedHandler {
        private final JdbcClient jdbc;

        ProxiedHandler(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @ForeachBatch("orders")
        void handle(List<? extends Order> orders) {
            ELEMENTS.addAll(new ArrayList<>(orders));
            orders.forEach(order -> insert(jdbc, order));
        }
    }
}
