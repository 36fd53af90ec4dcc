package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.autoconfigure.orders.OrderEntity;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PersistenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
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
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationInterceptor;

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

    /** The first error of SQL is told, and not what JPA and the aborted transaction say after it. */
    @ParameterizedTest
    @ValueSource(classes = {SwallowingApplication.class, SwallowingCallerApplication.class})
    @Tag("F2")
    void anErrorThatAJpaHandlerSwallowsIsItsFailureWithTheFirstCause(Class<?> application) {
        PostgresServer.execute(database, "alter table orders add constraint one_each unique (customer)");
        String[] customers = {"ann", "bob", "ann", "cid", "dan"};
        for (int i = 0; i < customers.length; i++) {
            App.send(broker, topic, "{\"id\": " + i + ", \"customer\": \"" + customers[i] + "\"}");
        }
        try (ConfigurableApplicationContext context = app(application)
                .with("tandem.streams.orders.max-attempts=1", "tandem.streams.orders.on-failure=stop")
                .start()) {
            App.await()
                    .until(() -> status(context).lanes().stream().anyMatch(lane -> lane.state() == LaneState.FAILED));
            assertThat(status(context).lanes().get(0).problem()).contains("one_each");
            assertThat(App.column(database, "select batch::text from tandem.commit_log"))
                    .isEmpty();
            assertThat(App.column(database, "select id::text from orders")).isEmpty();
        }
        try (ConfigurableApplicationContext context =
                app(application).with("tandem.streams.orders.max-attempts=1").start()) {
            context.getBean(StreamOperations.class).resume("orders");
            awaitOrders(4);
        }
        assertThat(App.column(database, "select id::text from orders order by 1"))
                .containsExactly("0", "1", "3", "4");
        assertThat(
                        App.column(
                                database,
                                "select record_offset::text from tandem.dead_letter where stack_trace like '%23505%' or stack_trace like '%one_each%'"))
                .containsExactly("2");
    }

    @Test
    @Tag("J1")
    @Tag("J5")
    void aPackagePrivateHandlerBehindAllKindsOfProxiesWithAConsumerFactoryOfItsOwn() {
        App.send(broker, topic, "{\"id\": 1, \"customer\": \"ann\"}");
        try (ConfigurableApplicationContext context = app(ProxiedApplication.class)
                .withoutJpa()
                .with("spring.kafka.bootstrap-servers=localhost:1", "servers=" + broker.bootstrapServers())
                .start()) {
            awaitOrders(1);
            assertThat(ELEMENTS)
                    .isNotEmpty()
                    .allSatisfy(element -> assertThat(element).isInstanceOf(Order.class));
            assertThat(((Advised) context.getBean(ProxiedHandler.class)).getAdvisors())
                    .extracting(Advisor::getAdvice)
                    .hasAtLeastOneElementOfType(TransactionInterceptor.class)
                    .hasAtLeastOneElementOfType(MethodValidationInterceptor.class)
                    .hasAtLeastOneElementOfType(AsyncExecutionInterceptor.class);
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
    void anOperatorsStopOutlastsTheApplication() {
        FAILURES.set(0);
        try (ConfigurableApplicationContext context =
                app(JdbcApplication.class).withoutJpa().start()) {
            context.getBean(StreamCommands.class).submit(StreamCommand.of("orders", StreamCommand.Action.STOP));
        }
        App.send(broker, topic, "{\"id\": 1, \"customer\": \"ann\"}");
        try (ConfigurableApplicationContext context =
                app(JdbcApplication.class).withoutJpa().start()) {
            assertThat(status(context).state()).isEqualTo(StreamStatus.State.STOPPED);
            assertThat(status(context).problem()).contains("an operator stopped the stream");
            context.getBean(StreamCommands.class).submit(StreamCommand.of("orders", StreamCommand.Action.START));
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
    @EntityScan(basePackageClasses = OrderEntity.class)
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
                entities.persist(new OrderEntity(order.id(), order.customer()));
            }
            entities.flush();
            failAFewTimes();
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = OrderEntity.class)
    @Import(SwallowingHandler.class)
    static class SwallowingApplication {}

    static class SwallowingHandler {
        private final EntityManager entities;

        SwallowingHandler(EntityManager entities) {
            this.entities = entities;
        }

        @ForeachBatch("orders")
        void handle(List<Order> orders) {
            for (Order order : orders) {
                try {
                    entities.persist(new OrderEntity(order.id(), order.customer()));
                    entities.flush();
                } catch (PersistenceException swallowed) {
                    // as users do
                }
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = OrderEntity.class)
    @Import({Saving.class, SwallowingCaller.class})
    static class SwallowingCallerApplication {}

    /** As a repository is: its exception marks the transaction that it joined. */
    @Transactional
    static class Saving {
        @PersistenceContext
        EntityManager entities;

        void save(Order order) {
            entities.persist(new OrderEntity(order.id(), order.customer()));
            entities.flush();
        }
    }

    static class SwallowingCaller {
        private final Saving saving;

        SwallowingCaller(Saving saving) {
            this.saving = saving;
        }

        @ForeachBatch("orders")
        void handle(List<Order> orders) {
            for (Order order : orders) {
                try {
                    saving.save(order);
                } catch (PersistenceException swallowed) {
                    // as users do
                }
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @EnableAsync
    @Import(ProxiedHandler.class)
    static class ProxiedApplication {
        @Bean
        ConsumerFactory<String, String> consumerFactory(@Value("${servers}") String servers) {
            return new DefaultKafkaConsumerFactory<>(
                    Map.of("bootstrap.servers", servers), new StringDeserializer(), new StringDeserializer());
        }
    }

    @Transactional
    @Validated
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

        @Async
        void later() {}
    }
}
