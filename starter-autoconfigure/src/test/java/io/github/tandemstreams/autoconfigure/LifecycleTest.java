package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.source.TopicNotFoundException;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** Streams start and stop with the application. */
@ExtendWith(OutputCaptureExtension.class)
class LifecycleTest {

    private static final Pattern NOISE = Pattern.compile("has been closed|ERROR|WARN|Exception");

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final String topic = broker.newTopic(1);

    @Test
    @Tag("K3")
    void aBusyApplicationStopsInOrderAtAnyMoment(CapturedOutput output) throws InterruptedException {
        PostgresServer.execute(database, "create table seen (off bigint)");
        int records = 20_000;
        broker.send(topic, 0, 0, records);
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        int said = output.length();

        for (int i = 0; i < 20; i++) {
            ConfigurableApplicationContext context = app().start();
            Seen handler = context.getBean(Seen.class);
            assertThat(handler.batches.tryAcquire(1 + random.nextInt(20), 60, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(threads(before)).isNotEmpty();
            TimeUnit.MICROSECONDS.sleep(random.nextInt(10_000)); // a random moment, nothing that is waited for
            long begin = System.nanoTime();
            context.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
            assertThat(seen()).as("rows when it was busy to the end").isLessThan(records);
            App.await().untilAsserted(() -> assertThat(threads(before)).isEmpty());
        }
        try (ConfigurableApplicationContext context =
                app().with("tandem.streams.seen.max-records-per-batch=5000").start()) {
            App.await().until(() -> seen() >= records);
        }
        assertThat(new JdbcTemplate(database).queryForList("select off from seen order by 1", Long.class))
                .isEqualTo(LongStream.range(0, records).boxed().toList());
        assertThat(ofTheApplication(output.toString().substring(said)))
                .noneMatch(line -> NOISE.matcher(line).find());
    }

    /** Beans that handlers use are gone after the streams: what goes on then would fail, and hide why the letters are there. */
    @Test
    void aRedriveGivenOverTheWebEndsWithTheStreamsAndIsCarriedOnByWhoeverStarts() throws Exception {
        PostgresServer.execute(database, "create table seen (off bigint)");
        broker.send(topic, 0, 0, 3);
        App web = app().with(
                        "server.port=0",
                        "management.endpoints.web.exposure.include=tandem",
                        "management.endpoint.tandem.access=unrestricted",
                        "tandem.streams.seen.auto-startup=false",
                        "tandem.streams.seen.max-attempts=1");
        FutureTask<EndpointClient.Answer> answer;
        try (ConfigurableApplicationContext context = web.startAs(WebApplicationType.SERVLET)) {
            Seen handler = context.getBean(Seen.class);
            handler.first = () -> {
                throw new IllegalArgumentException("not yet");
            };
            context.getBean(StreamOperations.class).start("seen");
            App.await().untilAsserted(() -> assertThat(letters()).containsExactly("parked", "parked", "parked"));
            CountDownLatch running = new CountDownLatch(1);
            CountDownLatch released = new CountDownLatch(1);
            handler.first = () -> {
                running.countDown();
                released.await();
            };
            answer = new FutureTask<>(() -> EndpointClient.of(context)
                    .post(
                            "/seen",
                            "{\"action\": \"redrive\", \"lane\": \"*\", \"causeClass\": \"*\", \"parkedBefore\": \"*\","
                                    + " \"dryRun\": false, \"expectedVersion\": \"any\"}"));
            new Thread(answer).start();
            running.await();
            Thread close = new Thread(context::close);
            close.start();
            App.await()
                    .until(() -> context.getBean(StreamOperations.class)
                                    .status("seen")
                                    .state()
                            == StreamStatus.State.STOPPED);
            released.countDown();
            close.join();
        }
        assertThat(answer.get().json().get("status").stringValue()).isEqualTo("pending");
        assertThat(letters()).containsExactly("redriven", "parked", "parked");
        try (ConfigurableApplicationContext context = web.start()) {
            context.getBean(StreamOperations.class).start("seen");
            App.await().untilAsserted(() -> assertThat(letters()).containsOnly("redriven"));
        }
        assertThat(App.column(database, "select off::text from seen order by 1"))
                .containsExactly("0", "1", "2");
    }

    private List<String> letters() {
        return App.column(database, "select status from tandem.dead_letter order by id");
    }

    /** Each start sets up logging anew; what the broker's threads say in that moment Logback reports as a problem of its own. */
    private static List<String> ofTheApplication(String output) {
        return output.lines().filter(line -> !line.contains(" |-")).toList();
    }

    /** Those that an application has started since: its streams', its Kafka clients', its pool's. The broker has others. */
    private static List<String> threads(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.matches("(tandem|HikariPool|PostgreSQL|kafka-(coordinator|admin|producer)).*"))
                .toList();
    }

    private int seen() {
        return Integer.parseInt(
                App.column(database, "select count(*)::text from seen").get(0));
    }

    @Test
    void aBrokerThatIsDownIsWaitedForWhileTheApplicationIsUp(CapturedOutput output) {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Instant began = Instant.now();
        try (ConfigurableApplicationContext context = app().with(
                        "spring.kafka.bootstrap-servers=localhost:1",
                        "tandem.health.stalled-after=2s",
                        "spring.kafka.properties[default.api.timeout.ms]=500",
                        "spring.kafka.properties[request.timeout.ms]=400",
                        "spring.datasource.hikari.maximum-pool-size=2")
                .start()) {
            StreamStatus status = context.getBean(StreamOperations.class).status("seen");
            assertThat(status.state()).isEqualTo(StreamStatus.State.STARTING);
            assertThat(status.problem()).isNotNull();
            assertThat(status.problemSince()).isBetween(began, Instant.now());
            assertThat(keepsTheApplicationAlive()).isTrue();
            // It is tried again and again, and since the first time it was for nothing.
            HealthContributor health = context.getBean(StreamsHealth.class).getContributor("seen");
            App.await()
                    .until(() -> ((HealthIndicator) health).health().getStatus().equals(Status.DOWN));
            assertThat(((HealthIndicator) health).health().getDetails())
                    .containsEntry("state", StreamStatus.State.STARTING)
                    .containsEntry("stalledSince", status.problemSince());
        }
        assertThat(keepsTheApplicationAlive()).isFalse();
        App.await().untilAsserted(() -> assertThat(threads(before)).isEmpty());
        assertThat(output)
                .contains("The connection pool of DataSource 'dataSource' is too small: the streams' 2 workers need a"
                        + " connection each")
                .contains("to 3 at least");
    }

    @Test
    void itIsSaidWhatRewrittenInsertsWouldGain(CapturedOutput output) throws SQLException {
        app().start().close();
        assertThat(output).containsOnlyOnce("reWriteBatchedInserts=true");
        database.setReWriteBatchedInserts(true);
        app().start().close();
        assertThat(output).containsOnlyOnce("reWriteBatchedInserts=true");
    }

    @Test
    void aContextThatIsStoppedCanBeStartedAgain() {
        PostgresServer.execute(database, "create table seen (off bigint)");
        try (ConfigurableApplicationContext context = app().start()) {
            context.stop();
            assertThat(context.getBean(StreamOperations.class).status("seen").state())
                    .isEqualTo(StreamStatus.State.STOPPED);
            broker.send(topic, 0, 0, 1);
            context.start();
            App.await()
                    .untilAsserted(() -> assertThat(App.column(database, "select off::text from seen"))
                            .containsExactly("0"));
        }
    }

    @Test
    void aTopicThatIsMissingStopsTheOtherStreamsAgain() {
        LastFailureAnalysis.forget();
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        assertThatThrownBy(() -> App.of(TwoStreams.class)
                        .withoutJpa()
                        .on(database)
                        .on(broker)
                        .with("tandem.streams.seen.topics=" + topic, "tandem.streams.other.topics=nowhere")
                        .start())
                .hasRootCauseInstanceOf(TopicNotFoundException.class);
        assertThat(keepsTheApplicationAlive()).isFalse();
        App.await().untilAsserted(() -> assertThat(threads(before)).isEmpty());
    }

    @Test
    void nothingIsThereIfItIsSwitchedOff() {
        runner().withPropertyValues("tandem.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(TandemProperties.class)
                        .doesNotHaveBean(StreamOperations.class)
                        .doesNotHaveBean(TandemLifecycle.class));
    }

    @Test
    void anApplicationWithoutHandlersNeedsNoDatabase() {
        runner().run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(TandemLifecycle.class);
            assertThat(context.getBean(StreamOperations.class).streams()).isEmpty();
        });
    }

    @Test
    void anApplicationsOwnOperationsTakeTheirPlace() {
        runner().withBean(StreamOperations.class, GivenStreams::new)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(StreamOperations.class)
                        .doesNotHaveBean(TandemLifecycle.class));
    }

    @Test
    void whatIsLeftOfTheShutdownPhase() {
        assertThat(TandemLifecycle.stopTimeout(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(22));
        assertThat(TandemLifecycle.stopTimeout(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(5));
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        TandemAutoConfiguration.class,
                        TandemHealthAutoConfiguration.class,
                        TandemMetricsAutoConfiguration.class));
    }

    private static boolean keepsTheApplicationAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("tandem-keep-alive") && !thread.isDaemon());
    }

    private App app() {
        return App.of(Application.class)
                .withoutJpa()
                .on(database)
                .on(broker)
                .with("tandem.streams.seen.topics=" + topic, "tandem.streams.seen.max-records-per-batch=10");
    }

    @EnableAutoConfiguration
    @Import({Seen.class, OrdersApplication.ServletSecurity.class})
    static class Application {}

    interface Before {
        void run() throws Exception;
    }

    static class Seen {
        final Semaphore batches = new Semaphore(0);
        volatile Before first = () -> {};
        private final JdbcTemplate jdbc;

        Seen(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @ForeachBatch("seen")
        void handle(Batch<StreamRecord<String>> batch) throws Exception {
            first.run();
            List<Object[]> rows = batch.values().stream()
                    .map(record -> new Object[] {record.offset()})
                    .toList();
            jdbc.batchUpdate("insert into seen values (?)", rows);
            batches.release();
        }
    }

    @EnableAutoConfiguration
    @Import(Seen.class)
    static class TwoStreams {
        @ForeachBatch("other")
        void handle(List<Map<String, Object>> values) {}
    }
}
