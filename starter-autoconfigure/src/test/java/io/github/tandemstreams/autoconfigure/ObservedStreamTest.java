package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.StreamReports;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application's registries and health say of a stream that runs, on a real database and a real broker. */
class ObservedStreamTest {

    private static final Pattern SAMPLE = Pattern.compile("^(tandem_\\w+)(?:\\{([^}]*)})? (\\S+)$", Pattern.MULTILINE);

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private String topic = "";

    // ---- meters

    @Test
    void everyMetricOfTheDashboardIsThere() throws IOException {
        topic = broker.newTopic(1);
        send(0, "1", "2", "3");
        try (ConfigurableApplicationContext context = app().start()) {
            awaitRecords(3);
            App.await().until(() -> scrape(context).contains("tandem_lag_age_seconds"));
            Set<String> scraped = SAMPLE.matcher(scrape(context))
                    .results()
                    .map(sample -> sample.group(1))
                    .collect(Collectors.toSet());
            String dashboard = Files.readString(Path.of("..", "docs", "grafana-dashboard.json"));
            Set<String> drawn = Pattern.compile("\\btandem_\\w+")
                    .matcher(dashboard)
                    .results()
                    .map(found -> found.group())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(drawn).hasSizeGreaterThan(10);
            assertThat(scraped).containsAll(drawn);
            // And what the document promises.
            String table = Files.readString(Path.of("..", "docs", "metrics.md"));
            Set<String> registered = context.getBean(MeterRegistry.class).getMeters().stream()
                    .map(meter -> meter.getId().getName())
                    .filter(name -> name.startsWith("tandem."))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(registered).allSatisfy(name -> assertThat(table).contains("`" + name + "`"));
        }
    }

    @Test
    @Tag("L1")
    void eachLaneIsReportedByOneInstanceAlsoAfterARebalance() {
        topic = broker.newTopic(4);
        for (int partition = 0; partition < 4; partition++) {
            send(partition, "1", "2");
        }
        try (ConfigurableApplicationContext first = app().start()) {
            awaitRecords(8);
            App.await().until(() -> lanes(first).size() == 4);
            try (ConfigurableApplicationContext second = app().start()) {
                App.await()
                        .until(() -> lanes(first).size() == 2 && lanes(second).size() == 2);
                assertThat(Stream.concat(lanes(first).stream(), lanes(second).stream()))
                        .doesNotHaveDuplicates();
                for (int partition = 0; partition < 4; partition++) {
                    send(partition, "3");
                }
                awaitRecords(12);
                App.await()
                        .until(() -> lanes(first).size() == 2 && lanes(second).size() == 2);
                StreamOperations streams = second.getBean(StreamOperations.class);
                streams.stop("numbers");
                App.await()
                        .until(() -> lanes(first).size() == 4 && lanes(second).isEmpty());
                streams.start("numbers");
                App.await()
                        .until(() -> lanes(first).size() == 2 && lanes(second).size() == 2);
                assertThat(names(second)).doesNotHaveDuplicates();
            }
        }
    }

    /** The end of its run is observed after its lane left, and no listener hears of a transaction of several lanes that fails. */
    @Test
    @Tag("L1")
    void aLaneThatLeavesWhileItsHandlerRunsIsNotReportedAfterIt() {
        topic = broker.newTopic(2);
        HOLD.set(new CountDownLatch(1));
        HELD.set(0);
        App app = app(Held.class).with("tandem.streams.numbers.concurrency=1");
        try (ConfigurableApplicationContext first = app.start()) {
            App.await().until(() -> lanes(first).size() == 2);
            send(0, "hold");
            App.await().untilAtomic(HELD, equalTo(1));
            send(0, "1");
            send(1, "2", "fail");
            StreamOperations streams = first.getBean(StreamOperations.class);
            App.await()
                    .until(() -> streams.status("numbers").lanes().stream()
                            .allMatch(lane -> lane.backlog().records() == 2));
            CountDownLatch together = HOLD.getAndSet(new CountDownLatch(1));
            together.countDown();
            App.await().untilAtomic(HELD, equalTo(2));
            try (ConfigurableApplicationContext second = app.start()) {
                App.await()
                        .until(() -> lanes(first).size() == 1 && lanes(second).size() == 1);
                HOLD.get().countDown();
                awaitRecords(4);
                App.await()
                        .until(() -> lanes(first).size() == 1 && lanes(second).size() == 1);
            }
        }
    }

    private static Set<String> lanes(ConfigurableApplicationContext context) {
        return context.getBean(MeterRegistry.class).getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("tandem."))
                .map(meter -> meter.getId().getTag("lane"))
                .filter(lane -> lane != null)
                .collect(Collectors.toSet());
    }

    private static List<Meter.Id> names(ConfigurableApplicationContext context) {
        return context.getBean(MeterRegistry.class).getMeters().stream()
                .map(Meter::getId)
                .toList();
    }

    @Test
    @Tag("L3")
    void lagIsNeverNegative() {
        topic = broker.newTopic(2);
        try (ConfigurableApplicationContext context = app().start()) {
            JdbcTemplate jdbc = new JdbcTemplate(database);
            StreamMetrics metrics = context.getBean(StreamMetrics.class);
            List<Double> lags = new ArrayList<>();
            int sent = 0;
            for (int scrapes = 0; scrapes < 1000; scrapes++) {
                if (scrapes % 5 == 0) {
                    broker.send(topic, sent % 2, sent, sent + 20);
                    sent += 20;
                }
                metrics.refresh();
                Matcher samples = SAMPLE.matcher(scrape(context));
                while (samples.find()) {
                    if (samples.group(1).startsWith("tandem_lag")) {
                        lags.add(Double.parseDouble(samples.group(3)));
                    }
                }
                if (scrapes % 50 == 0) {
                    lags.addAll(jdbc.queryForList(
                            "select lag::double precision from tandem.lane_lag where lag is not null", Double.class));
                    context.getBean(StreamReports.class)
                            .lanes("numbers")
                            .forEach(lane -> lane.lag().ifPresent(lag -> lags.add((double) lag)));
                }
            }
            assertThat(lags)
                    .hasSizeGreaterThan(1000)
                    .allSatisfy(lag -> assertThat(lag).isNotNegative().isNotNaN());
            assertThat(lags).as("it was behind at times").anyMatch(lag -> lag > 0);
        }
    }

    // ---- traces

    @Test
    void aBatchIsASpanWithItsHandlerAndItsCommitAndLinksToItsProducers() {
        topic = broker.newTopic(1);
        String producer = "0af7651916cd43dd8448eb211c80319c";
        broker.write(List.of(
                traced("1", "00-" + producer + "-b7ad6b7169203331-01"),
                traced("2", "00-" + producer + "-b7ad6b7169203331-01"),
                traced("3", "nonsense")));
        try (ConfigurableApplicationContext context = app(Traced.class).start()) {
            awaitRecords(3);
            App.await()
                    .until(() -> PROGRESS.stream()
                            .anyMatch(batch -> batch.stream().equals("numbers")
                                    && batch.lane().equals(topic + "-0")));
            List<SimpleSpan> spans =
                    List.copyOf(context.getBean(SimpleTracer.class).getSpans());
            SimpleSpan batch = only(spans, "batch numbers");
            SimpleSpan handler = only(spans, "handler numbers");
            SimpleSpan commit = only(spans, "commit numbers");
            SimpleSpan inside = only(spans, "inside");
            assertThat(batch.getTags()).containsEntry("stream", "numbers").containsEntry("lane", topic + "-0");
            assertThat(batch.getLinks()).hasSize(1);
            assertThat(batch.getLinks().get(0).getTraceContext().traceId()).isEqualTo(producer);
            assertThat(handler.getParentId()).isEqualTo(batch.getSpanId());
            assertThat(commit.getParentId()).isEqualTo(batch.getSpanId());
            assertThat(inside.getParentId()).isEqualTo(handler.getSpanId());
            assertThat(App.column(database, "select trace_id from tandem.commit_log"))
                    .containsExactly(batch.getTraceId());
            assertThat(PROGRESS.stream()
                            .filter(progress -> progress.lane().equals(topic + "-0"))
                            .map(StreamProgress::traceId))
                    .containsExactly(batch.getTraceId());
        }
    }

    private ProducerRecord<byte[], byte[]> traced(String value, String header) {
        return new ProducerRecord<>(
                topic,
                0,
                null,
                null,
                value.getBytes(StandardCharsets.UTF_8),
                List.of(new RecordHeader("traceparent", header.getBytes(StandardCharsets.US_ASCII))));
    }

    private static SimpleSpan only(List<SimpleSpan> spans, String name) {
        List<SimpleSpan> found =
                spans.stream().filter(span -> span.getName().equals(name)).toList();
        assertThat(found).as("%s in %s", name, spans).hasSize(1);
        return found.get(0);
    }

    // ---- health

    @Test
    @Tag("L5")
    void whatWasStoppedOnPurposeIsUp() {
        topic = broker.newTopic(1);
        send(0, "1");
        try (ConfigurableApplicationContext context =
                app().with("tandem.streams.numbers.auto-startup=false").start()) {
            assertThat(health(context)).isEqualTo(List.of(Status.UP, Status.UP, Status.UP));
            StreamOperations streams = context.getBean(StreamOperations.class);
            streams.start("numbers");
            awaitRecords(1);
            streams.pause("numbers");
            App.await()
                    .until(() -> streams.status("numbers").lanes().stream()
                            .allMatch(lane -> lane.state() == LaneState.PAUSED));
            assertThat(health(context)).isEqualTo(List.of(Status.UP, Status.UP, Status.UP));
            STOPPED.set(false);
            context.getBean(StreamCommands.class).submit(StreamCommand.of("numbers", StreamCommand.Action.STOP));
            App.await().untilTrue(STOPPED);
            assertThat(streams.status("numbers").state()).isEqualTo(StreamStatus.State.STOPPED);
            assertThat(health(context)).isEqualTo(List.of(Status.UP, Status.UP, Status.UP));
            streams.stop("numbers");
            assertThat(health(context)).isEqualTo(List.of(Status.UP, Status.UP, Status.UP));
        }
    }

    @Test
    @Tag("L5")
    void aLaneThatFailedIsDownAndTheApplicationIsAliveAndReady() {
        topic = broker.newTopic(1);
        send(0, "bad");
        try (ConfigurableApplicationContext context = app().with(
                        "tandem.streams.numbers.on-failure=stop", "tandem.streams.numbers.max-attempts=1")
                .start()) {
            App.await().until(() -> health(context).equals(List.of(Status.DOWN, Status.UP, Status.UP)));
            // The same for all who look at the table.
            assertThat(context.getBean(StreamReports.class).stream("numbers").problem())
                    .contains("bad number");
        }
    }

    @Test
    @Tag("L5")
    void aDatabaseThatIsAwayIsUnknownUntilItIsBackOrTheLaneStalled() {
        topic = broker.newTopic(1);
        send(0, "1");
        PGSimpleDataSource other = PostgresServer.newDatabase();
        try (ConfigurableApplicationContext context = app().with(
                        "tandem.health.stalled-after=5s",
                        "tandem.streams.numbers.backoff.max=500ms",
                        "spring.datasource.hikari.connection-timeout=500",
                        "management.health.db.enabled=false")
                .start()) {
            awaitRecords(1);
            assertThat(health(context)).isEqualTo(List.of(Status.UP, Status.UP, Status.UP));
            String name = database.getDatabaseName();
            PostgresServer.execute(other, "alter database " + name + " allow_connections false");
            PostgresServer.execute(
                    other, "select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + name + "'");
            send(0, "2");
            App.await().until(() -> health(context).equals(List.of(Status.UNKNOWN, Status.UP, Status.UP)));
            App.await().until(() -> health(context).equals(List.of(Status.DOWN, Status.UP, Status.UP)));
            PostgresServer.execute(other, "alter database " + name + " allow_connections true");
            App.await().until(() -> health(context).equals(List.of(Status.UP, Status.UP, Status.UP)));
            awaitRecords(2);
        }
    }

    /** Of the stream, liveness, readiness. */
    private static List<Status> health(ConfigurableApplicationContext context) {
        HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
        return Stream.of(new String[] {"tandem", "numbers"}, new String[] {"liveness"}, new String[] {"readiness"})
                .map(path -> endpoint.healthForPath(path).getStatus())
                .toList();
    }

    // ---- the application

    private App app() {
        return app(Numbers.class);
    }

    private App app(Class<?> configuration) {
        PostgresServer.execute(database, "create table if not exists numbers (lane text, number int)");
        return App.of(configuration)
                .withoutJpa()
                .on(database)
                .on(broker)
                .with(
                        "tandem.streams.numbers.topics=" + topic,
                        "management.endpoint.health.probes.enabled=true",
                        "management.endpoint.health.show-details=always");
    }

    private void send(int partition, String... values) {
        broker.write(Stream.of(values)
                .map(value -> new ProducerRecord<byte[], byte[]>(
                        topic, partition, null, value.getBytes(StandardCharsets.UTF_8)))
                .toList());
    }

    private void awaitRecords(int count) {
        App.await()
                .untilAsserted(() -> assertThat(App.column(database, "select number::text from numbers"))
                        .hasSize(count));
    }

    private static String scrape(ConfigurableApplicationContext context) {
        return context.getBean(PrometheusMeterRegistry.class).scrape();
    }

    private static final List<StreamProgress> PROGRESS = new CopyOnWriteArrayList<>();
    private static final AtomicBoolean STOPPED = new AtomicBoolean();

    @Configuration
    @EnableAutoConfiguration
    @Import({NumberHandler.class, Recorder.class})
    static class Numbers {}

    @Configuration
    @EnableAutoConfiguration
    @Import({NumberHandler.class, Recorder.class, SimpleTracer.class})
    static class Traced {}

    private static final AtomicReference<CountDownLatch> HOLD = new AtomicReference<>();
    private static final AtomicInteger HELD = new AtomicInteger();

    @Configuration
    @EnableAutoConfiguration
    @Import(HeldHandler.class)
    static class Held {}

    /** Waits in its first two batches that are to wait or to fail. */
    static class HeldHandler {
        private final JdbcTemplate jdbc;

        HeldHandler(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @ForeachBatch("numbers")
        void record(Batch<String> batch) throws InterruptedException {
            boolean fails = batch.values().contains("fail");
            if ((fails || batch.values().contains("hold")) && HELD.incrementAndGet() <= 2) {
                HOLD.get().await();
                if (fails) {
                    throw new IllegalStateException("it is to fail");
                }
            }
            for (String ignored : batch.values()) {
                jdbc.update("insert into numbers values (?, 0)", batch.lane());
            }
        }
    }

    static class Recorder implements StreamProgressListener {

        @Override
        public void onCommitted(StreamProgress progress) {
            PROGRESS.add(progress);
        }

        @Override
        public void onStopped(String stream) {
            STOPPED.set(true);
        }
    }

    static class NumberHandler {
        private final JdbcTemplate jdbc;
        private final ObservationRegistry observations;

        NumberHandler(JdbcTemplate jdbc, ObservationRegistry observations) {
            this.jdbc = jdbc;
            this.observations = observations;
        }

        @ForeachBatch("numbers")
        void record(Batch<String> batch) {
            Observation.createNotStarted("inside", observations).observe(() -> {
                for (String value : batch.values()) {
                    if (value.equals("bad")) {
                        throw new IllegalArgumentException("bad number");
                    }
                    jdbc.update("insert into numbers values (?, ?)", batch.lane(), Integer.parseInt(value));
                }
            });
        }
    }
}
