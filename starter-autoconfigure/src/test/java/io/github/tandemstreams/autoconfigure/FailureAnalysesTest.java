package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** What Spring Boot prints when an application can't start: the text of each analysis. */
class FailureAnalysesTest {

    private static final String BEAN = "'io.github.tandemstreams.autoconfigure.FailureAnalysesTest$";

    // ---- handlers

    @Test
    @Tag("J1")
    void aConfiguredStreamWithoutHandler() {
        assertFailure(
                app(OneHandler.class).with("tandem.streams.order.topics=orders").failure(),
                "Stream 'order' is configured, but no bean has a handler for it. There are handlers for [orders].",
                "Annotate a method of a bean with @ForeachBatch(\"order\"), correct the name in tandem.streams.order, or"
                        + " set tandem.streams.order.enabled=false.");
    }

    @Test
    @Tag("J1")
    void aConfiguredStreamInAnApplicationWithoutAnyHandler() {
        assertThat(app(NoHandler.class)
                        .with("tandem.streams.orders.topics=orders")
                        .failure()
                        .getDescription())
                .isEqualTo(
                        "Stream 'orders' is configured, but no bean has a handler for it. There is no handler at all.");
    }

    @Test
    void twoHandlersForOneStream() {
        assertFailure(
                app(TwoHandlers.class).failure(),
                "Stream 'orders' has 2 handlers, but a batch is handed to one:\n\n"
                        + "    - FailureAnalysesTest.Orders.handle(Batch) of bean " + BEAN + "Orders'\n"
                        + "    - FailureAnalysesTest.MoreOrders.handle(List) of bean " + BEAN + "MoreOrders'",
                "Keep one of them, or give each a stream of its own: two streams may read the same topic.");
    }

    @Test
    void aSignatureThatCantWork() {
        assertFailure(
                app(OddSignature.class).failure(),
                "Handler FailureAnalysesTest.OddSignature.handle(Order) of bean 'failureAnalysesTest.OddSignature' of stream 'orders' can't work: nothing can be given as its Order.",
                "Let it take a Batch<T> or a List<T>, and a TransactionId if it needs one, and return nothing. T is"
                        + " byte[], String, StreamRecord<V>, or a type that is read as JSON.");
    }

    @Test
    @Tag("J1")
    void anAsynchronousHandler() {
        assertFailure(
                app(AsynchronousHandler.class).failure(),
                "Handler FailureAnalysesTest.AsynchronousHandler.handle(List) of bean 'failureAnalysesTest.AsynchronousHandler' of stream 'orders' is asynchronous: it is @Async. The batch would be"
                        + " committed before its work is done, and outside its transaction.",
                "Do the work in the calling thread, and return nothing.");
    }

    /** By an annotation of the application's own, which only its proxy knows. */
    @Test
    @Tag("J1")
    void aHandlerWhoseProxyRunsItInAnotherThread() {
        assertFailure(
                app(HandlerInBackground.class).failure(),
                "Handler FailureAnalysesTest.InBackgroundHandler.handle(List) of bean " + BEAN
                        + "InBackgroundHandler' of"
                        + " stream 'orders' is asynchronous: its proxy runs it in another thread. The batch would be"
                        + " committed before its work is done, and outside its transaction.",
                "Do the work in the calling thread, and return nothing.");
    }

    @Test
    void aHandlerThatLeavesTheTransaction() {
        assertFailure(
                app(RequiresNew.class).failure(),
                "Handler FailureAnalysesTest.RequiresNew.handle(List) of bean 'failureAnalysesTest.RequiresNew' of stream 'orders' leaves the batch's transaction: it is @Transactional with"
                        + " propagation REQUIRES_NEW. Its writes would not commit together with the batch.",
                "Remove the annotation: a handler always runs in a transaction.");
    }

    @Test
    void aHandlerWithAnotherTransactionManager() {
        assertFailure(
                app(TransactionalElsewhere.class).failure(),
                "Handler FailureAnalysesTest.TransactionalElsewhere.handle(List) of bean 'failureAnalysesTest.TransactionalElsewhere' of stream 'orders' leaves the batch's transaction: it is"
                        + " @Transactional by 'elsewhere', but the stream's transaction manager is"
                        + " 'transactionManager'.",
                "Remove the annotation, or set tandem.streams.orders.transaction-manager=elsewhere.");
    }

    @Test
    void aHandlerThatNamesNoStream() {
        assertFailure(
                app(NoName.class).failure(),
                "Handler FailureAnalysesTest.NoName.handle(List) of bean 'failureAnalysesTest.NoName' names no stream.",
                "Give the stream a name, as in @ForeachBatch(\"flights\").");
    }

    // ---- databases

    @Test
    void aTransactionManagerOfAnotherDataSource() {
        assertFailure(
                app(TwoDatabases.class)
                        .with("tandem.defaults.data-source=one", "tandem.defaults.transaction-manager=managerOfTwo")
                        .failure(),
                "The transaction manager 'managerOfTwo' and the DataSource 'one' of stream 'orders' don't belong"
                        + " together: the transaction manager belongs to the DataSource 'two'. The handler's writes and"
                        + " the batch would not commit in one transaction.",
                "Name a DataSource and its own transaction manager in tandem.streams.orders.data-source and"
                        + " tandem.streams.orders.transaction-manager, or define a transaction manager for 'one'.");
    }

    @Test
    @Tag("J3")
    void anAmbiguousDataSource() {
        assertFailure(
                app(TwoDatabases.class).failure(),
                "Stream 'orders' could use more than one DataSource: one, two.",
                "Name one in tandem.streams.orders.data-source, or mark one as @Primary.");
    }

    @Test
    @Tag("J3")
    void anAmbiguousTransactionManager() {
        assertFailure(
                app(TwoManagers.class).failure(),
                "Stream 'orders' could use more than one transaction manager: first, second.",
                "Name one in tandem.streams.orders.transaction-manager, or mark one as @Primary.");
    }

    @Test
    void aDataSourceThatDoesntExist() {
        assertFailure(
                app(TwoDatabases.class)
                        .with("tandem.streams.orders.data-source=three")
                        .failure(),
                "Stream 'orders' is configured to use the DataSource 'three', but there is no such bean. There are: one,"
                        + " two.",
                "Correct tandem.streams.orders.data-source.");
    }

    @Test
    void noDataSource() {
        assertFailure(
                App.of(OneHandler.class)
                        .with("spring.autoconfigure.exclude="
                                + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                                + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
                        .failure(),
                "Stream 'orders' needs a DataSource, but there is no bean of type javax.sql.DataSource.",
                "Set spring.datasource.url to a PostgreSQL database, or define a DataSource bean.");
    }

    @Test
    void anotherDatabase() {
        assertFailure(
                app(OtherDatabase.class).failure(),
                "The DataSource 'dataSource' leads to H2, but the checkpoint of a stream needs PostgreSQL.",
                "Let spring.datasource.url lead to a PostgreSQL database, or name another DataSource in"
                        + " tandem.streams.<name>.data-source.");
    }

    // ---- schema

    @Test
    void aSchemaThatIsMissing() {
        assertFailure(
                App.of(OneHandler.class)
                        .withoutJpa()
                        .on(PostgresServer.newDatabase())
                        .with("tandem.schema.migrate=false")
                        .failure(),
                "The database has no checkpoint in schema 'tandem'.",
                "Set tandem.schema.migrate=true, or have somebody else run the migrations, as docs/permissions.md says."
                        + " If tandem.schema.migration-url is set, make sure that it leads to the database of the"
                        + " stream's DataSource.");
    }

    @Test
    void aSchemaThatIsTooOld() {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        PostgresServer.execute(
                database,
                "create schema tandem; create table tandem.schema_history (version text, success boolean);"
                        + " insert into tandem.schema_history values ('0', true)");

        assertThat(App.of(OneHandler.class)
                        .withoutJpa()
                        .on(database)
                        .with("tandem.schema.migrate=false")
                        .failure()
                        .getDescription())
                .matches("The checkpoint's tables in schema 'tandem' have version 0, but this version of Tandem needs"
                        + " version \\d+\\.");
    }

    @Test
    void schemaPublic() {
        assertFailure(
                app(OneHandler.class).with("tandem.schema.name=public").failure(),
                "The checkpoint can't be in schema 'public': its tables could clash with the application's.",
                "Set tandem.schema.name to a schema of its own. By default, it is 'tandem'.");
    }

    @Test
    void noPermissionToCreateTheSchema() {
        PGSimpleDataSource database = PostgresServer.newDatabase();
        PostgresServer.execute(database, "create role poor login password 'poor'");

        assertFailure(
                App.of(OneHandler.class)
                        .withoutJpa()
                        .on(PostgresServer.as(database, "poor", "poor"))
                        .failure(),
                "The database role isn't allowed to create, or to use, the checkpoint's tables in schema 'tandem'.",
                "Let a role that is allowed to create a schema do the migrations (tandem.schema.migration-user,"
                        + " tandem.schema.migration-password), or grant the right to this one, or have somebody else run"
                        + " the migrations and set tandem.schema.migrate=false. docs/permissions.md lists the rights"
                        + " that the application needs in any case.");
    }

    // ---- topics and settings

    @Test
    void aTopicThatDoesntExist() {
        assertFailure(
                App.of(OneHandler.class)
                        .withoutJpa()
                        .on(PostgresServer.newDatabase())
                        .on(KafkaBroker.shared())
                        .with("tandem.streams.orders.topics=nowhere")
                        .failure(),
                "Stream 'orders' reads the topic 'nowhere', which doesn't exist.",
                "Create the topic, or name another one in tandem.streams.orders.topics. If it does exist, the"
                        + " application may lack the right to describe it.");
    }

    @Test
    void anIsolationLevelThatIsChangedAfterTheFirstStart() {
        String topic = "orders-" + UUID.randomUUID();
        KafkaBroker.shared().createTopic(topic, 1);
        App app = App.of(OneHandler.class)
                .withoutJpa()
                .on(PostgresServer.newDatabase())
                .on(KafkaBroker.shared())
                .with("tandem.streams.orders.topics=" + topic);
        app.start().close();
        assertFailure(
                app.with("tandem.streams.orders.isolation-level=read_uncommitted")
                        .failure(),
                "Stream 'orders' was first started with isolation-level read_committed, and keeps it: a replayed batch"
                        + " must hold the records that it held before. Now it is configured as read_uncommitted.",
                "Set tandem.streams.orders.isolation-level=read_committed, or start a stream of another name.");
    }

    @Test
    void aSettingThatDoesntExist() {
        assertFailure(
                app(OneHandler.class).with("tandem.streams.orders.max-batch=7").failure(),
                "There is no setting 'max-batch' of a stream, but tandem.streams.orders.max-batch is set.",
                "Correct its name. The settings of a stream are auto-startup, backoff, batch-sizing, batches-to-retain, concurrency,"
                        + " data-source, dead-letter, enabled, fail-on-data-loss, group-id, isolation-level, max-attempts,"
                        + " max-buffered-bytes, max-bytes-per-batch, max-consecutive-dead-letters, max-records-per-batch,"
                        + " on-failure, properties, starting-offsets, target-batch-duration, tombstones, topics, transaction-manager,"
                        + " transaction-timeout, trigger, value-deserializer.");
    }

    @Test
    void aSettingThatMakesNoSense() {
        assertFailure(
                app(OneHandler.class)
                        .with("tandem.streams.orders.max-attempts=0")
                        .failure(),
                "Stream 'orders' can't be configured as it is: max-attempts must be at least 1, but is 0.",
                "Correct tandem.streams.orders or tandem.defaults.");
    }

    @Test
    void aSettingThatCantBeRead() {
        FailureAnalysis analysis = app(OneHandler.class)
                .with("tandem.streams.orders.starting-offsets=newest")
                .failure();

        assertThat(analysis.getDescription())
                .contains("Property: tandem.streams.orders.starting-offsets")
                .contains("Value: \"newest\"")
                .contains(
                        "'newest' is no starting offset: use earliest, latest, timestamp:<ISO instant> or group:<group"
                                + " id>");
        assertThat(app(OneHandler.class)
                        .with("tandem.streams.orders.trigger=often")
                        .failure()
                        .getDescription())
                .contains("'often' is no trigger: use as-soon-as-possible, or an interval such as 10s");
    }

    @Test
    void twoStreamsThatWouldTakeEachOthersRecords() {
        assertFailure(
                app(TwoStreams.class)
                        .with("tandem.defaults.group-id=all", "tandem.streams.audit.topics=orders")
                        .failure(),
                "Streams 'orders' and 'audit' are in the same consumer group, 'all', and both read [orders]. Kafka would"
                        + " give each record to one of them only.",
                "Leave group-id unset, or set tandem.streams.orders.group-id and tandem.streams.audit.group-id to"
                        + " different names.");
    }

    // ---- what is not a failure

    @Test
    void aHandlerOfADisabledStreamIsLeftAloneEvenIfItCouldntWork() {
        try (ConfigurableApplicationContext context = app(OddSignature.class)
                .with("tandem.streams.orders.enabled=false")
                .start()) {
            assertThat(context.getBean(TandemStreams.class).streams()).isEmpty();
        }
    }

    private static App app(Class<?> configuration) {
        return App.of(configuration).withoutJpa().with("spring.datasource.url=jdbc:postgresql://localhost:1/nowhere");
    }

    private static void assertFailure(FailureAnalysis analysis, String description, String action) {
        assertThat(analysis.getDescription()).isEqualTo(description);
        assertThat(analysis.getAction()).isEqualTo(action);
    }

    // ---- applications

    record Order(long id) {}

    static class Orders {
        @ForeachBatch("orders")
        void handle(Batch<Order> batch) {}
    }

    static class MoreOrders {
        @ForeachBatch("orders")
        void handle(List<Order> orders) {}
    }

    static class Audit {
        @ForeachBatch("audit")
        void handle(List<Order> orders) {}
    }

    @Configuration
    @EnableAutoConfiguration
    static class NoHandler {}

    @Configuration
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class OneHandler {}

    @Configuration
    @EnableAutoConfiguration
    @Import({Orders.class, MoreOrders.class})
    static class TwoHandlers {}

    @Configuration
    @EnableAutoConfiguration
    @Import({Orders.class, Audit.class})
    static class TwoStreams {}

    @EnableAutoConfiguration
    static class OddSignature {
        @ForeachBatch("orders")
        void handle(Order order) {}
    }

    @EnableAutoConfiguration
    static class AsynchronousHandler {
        @Async
        @ForeachBatch("orders")
        void handle(List<Order> orders) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface InBackground {}

    @Configuration
    @EnableAutoConfiguration
    @EnableAsync(annotation = InBackground.class)
    @Import(InBackgroundHandler.class)
    static class HandlerInBackground {}

    static class InBackgroundHandler {
        @InBackground
        @ForeachBatch("orders")
        void handle(List<Order> orders) {}
    }

    @EnableAutoConfiguration
    static class RequiresNew {
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @ForeachBatch("orders")
        void handle(List<Order> orders) {}
    }

    @EnableAutoConfiguration
    static class TransactionalElsewhere {
        @Transactional("elsewhere")
        @ForeachBatch("orders")
        void handle(List<Order> orders) {}
    }

    @EnableAutoConfiguration
    static class NoName {
        @ForeachBatch(" ")
        void handle(List<Order> orders) {}
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class TwoDatabases {
        @Bean
        DataSource one() {
            return new DriverManagerDataSource("jdbc:postgresql://localhost:1/one");
        }

        @Bean
        DataSource two() {
            return new DriverManagerDataSource("jdbc:postgresql://localhost:1/two");
        }

        @Bean
        JdbcTransactionManager managerOfTwo() {
            return new JdbcTransactionManager(two());
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class TwoManagers {
        @Bean
        JdbcTransactionManager first(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        JdbcTransactionManager second(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class OtherDatabase {
        @Bean
        DataSource dataSource() throws Exception {
            DataSource dataSource = mock(DataSource.class, RETURNS_DEEP_STUBS);
            when(dataSource.getConnection().getMetaData().getDatabaseProductName())
                    .thenReturn("H2");
            when(dataSource.unwrap(any())).thenReturn(null);
            return dataSource;
        }
    }
}
