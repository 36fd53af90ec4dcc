package io.github.tandemstreams.engine;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.Batch;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.kafka.KafkaSource;
import io.github.tandemstreams.sink.Sink;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.Ledger;
import io.github.tandemstreams.test.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * A stream of strings on a real broker and a real Postgres, a database and a topic of its own, and a probing handler that
 * notes each record in the table {@code seen}.
 */
final class StreamFixture implements AutoCloseable {

    static final Duration SOON = Duration.ofSeconds(60);

    final String name = "s" + UUID.randomUUID().toString().substring(0, 8);
    final PGSimpleDataSource unpooled;
    final HikariDataSource database;
    final JdbcTemplate jdbc;
    final Ledger ledger;
    final String topic;
    final Map<String, Object> kafka = new HashMap<>();
    int maxPollRecords = KafkaSource.DEFAULT_MAX_POLL_RECORDS;
    LagReporter.Pace lagPace = LagReporter.Pace.DEFAULT;
    final List<StreamProgress> progress = new CopyOnWriteArrayList<>();
    /** What went wrong. */
    final List<String> events = new CopyOnWriteArrayList<>();

    /** What else was told. */
    final List<String> course = new CopyOnWriteArrayList<>();

    private final List<StreamRuntime> running = new ArrayList<>();

    StreamFixture(int partitions) {
        this(partitions, PostgresServer.newDatabase());
    }

    StreamFixture(int partitions, PGSimpleDataSource owner) {
        this(partitions, owner, owner);
    }

    /**
     * @param owner makes the tables
     * @param unpooled the stream's own role
     */
    StreamFixture(int partitions, PGSimpleDataSource owner, PGSimpleDataSource unpooled) {
        this(Topics.create(partitions), owner, unpooled);
    }

    /** A stream of a topic that is there already. */
    StreamFixture(String topic) {
        this(topic, PostgresServer.newDatabase());
    }

    private StreamFixture(String topic, PGSimpleDataSource owner) {
        this(topic, owner, owner);
    }

    private StreamFixture(String topic, PGSimpleDataSource owner, PGSimpleDataSource unpooled) {
        this.unpooled = unpooled;
        this.database = pool(unpooled);
        this.jdbc = new JdbcTemplate(database);
        this.topic = topic;
        new SchemaMigrator("tandem").migrate(owner);
        Ledger.create(new JdbcTemplate(owner));
        new JdbcTemplate(owner).execute("grant all on seen to public");
        this.ledger = new Ledger(jdbc, name);
    }

    static HikariDataSource pool(DataSource unpooled) {
        return pool(unpooled, config -> {});
    }

    static HikariDataSource pool(DataSource unpooled, Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(unpooled);
        config.setMaximumPoolSize(6);
        config.setConnectionTimeout(5_000);
        settings.accept(config);
        return new HikariDataSource(config);
    }

    /** Notes each record of the batch. */
    Sink<String> probe() {
        return probe(jdbc);
    }

    static Sink<String> probe(JdbcTemplate jdbc) {
        return batch -> note(jdbc, batch);
    }

    static void note(JdbcTemplate jdbc, Batch<String> batch) {
        jdbc.batchUpdate(
                "insert into seen (lane, part, off, val, batch_id) values (?, ?, ?, ?, ?)",
                batch.records(),
                1000,
                (statement, record) -> {
                    statement.setString(1, batch.lane());
                    statement.setInt(2, record.partition());
                    statement.setLong(3, record.offset());
                    statement.setString(4, record.value());
                    statement.setLong(5, batch.id());
                });
    }

    /** A stream with this sink on the fixture's database. */
    StreamRuntime stream(Sink<String> sink) {
        return stream(sink, database, definition -> definition);
    }

    StreamRuntime stream(Sink<String> sink, UnaryOperator<StreamDefinition.Builder<String>> settings) {
        return stream(sink, database, settings);
    }

    StreamRuntime stream(Sink<String> sink, DataSource on, UnaryOperator<StreamDefinition.Builder<String>> settings) {
        StreamDefinition.Builder<String> definition = StreamDefinition.<String>named(name)
                .source(source(Set.of(topic)))
                .decoders(() ->
                        record -> record.value() == null ? null : new String(record.value(), StandardCharsets.UTF_8))
                .sink(sink)
                .checkpoint(checkpoint(on))
                .failurePolicy(failures(3, OnFailure.DEAD_LETTER, true))
                .transactionManager(new JdbcTransactionManager(on));
        StreamRuntime runtime = new StreamRuntime(
                settings.apply(definition).build(), List.of(new Recorder()), Clock.systemUTC(), lagPace);
        running.add(runtime);
        return runtime;
    }

    /** An operator lets a lane go on. */
    void resume(StreamRuntime runtime, String lane) {
        runtime.submit(StreamCommand.of(name, StreamCommand.Action.RESUME).withLane(lane));
    }

    /** A policy with short waits. */
    static FailurePolicy failures(int maxAttempts, OnFailure onFailure, boolean failOnDataLoss) {
        return new FailurePolicy(
                maxAttempts,
                new Backoff(Duration.ofMillis(10), Duration.ofMillis(200)),
                onFailure,
                FailurePolicy.DEFAULT_MAX_CONSECUTIVE_DEAD_LETTERS,
                false,
                failOnDataLoss);
    }

    KafkaSource source(Set<String> topics) {
        return source(topics, group());
    }

    /** A source in a group of its own gets lanes that another instance holds too. */
    KafkaSource source(Set<String> topics, String group) {
        return KafkaSource.builder(topics, group)
                .consumerProperties(consumerProperties())
                .maxPollRecords(maxPollRecords)
                .build();
    }

    String group() {
        return "tandem-" + name;
    }

    private Map<String, Object> consumerProperties() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", KafkaBroker.shared().bootstrapServers());
        properties.put("metadata.max.age.ms", "500");
        properties.putAll(kafka);
        return properties;
    }

    static Checkpoint checkpoint(DataSource on) {
        return new JdbcCheckpoint(on, "tandem", "test");
    }

    /** Rows that the handler committed. */
    int seen() {
        return count("select count(*) from seen");
    }

    int count(String sql, Object... arguments) {
        Integer count = jdbc.queryForObject(sql, Integer.class, arguments);
        return count == null ? 0 : count;
    }

    void awaitSeen(int rows) {
        until("seen = " + rows, () -> seen() >= rows);
    }

    /** Waits until all lanes stand at the ends of their partitions. */
    void awaitCaughtUp() {
        until("all lanes at the end of their logs", () -> {
            Map<String, Long> positions = ledger.positions();
            return Topics.endOffsets(topic).entrySet().stream()
                    .allMatch(end -> positions.getOrDefault(topic + "-" + end.getKey(), -1L) >= end.getValue());
        });
    }

    void until(String condition, Callable<Boolean> holds) {
        try {
            await(condition).atMost(SOON).pollInterval(Duration.ofMillis(20)).until(holds);
        } catch (org.awaitility.core.ConditionTimeoutException late) {
            throw new AssertionError(late.getMessage() + "\n" + describe(), late);
        }
    }

    private String describe() {
        StringBuilder text = new StringBuilder("seen=" + seen() + " events=" + events);
        for (StreamRuntime runtime : running) {
            StreamStatus status = runtime.status();
            text.append('\n').append(status);
        }
        jdbc.queryForList("select * from tandem.lane where stream = ?", name)
                .forEach(row -> text.append('\n').append(row));
        return text.toString();
    }

    /** All visible offsets of the topic, by partition. */
    Map<Integer, List<Long>> visible() {
        return Topics.visibleOffsets(topic);
    }

    private final class Recorder implements StreamProgressListener {

        @Override
        public void onCommitted(StreamProgress committed) {
            progress.add(committed);
        }

        @Override
        public void onStarted(String stream) {
            course.add("started");
        }

        @Override
        public void onIdle(String stream, String lane) {
            course.add("idle " + lane);
        }

        @Override
        public void onStopped(String stream) {
            course.add("stopped");
        }

        @Override
        public void onRetry(String stream, String lane, Throwable cause) {
            events.add("retry " + lane + " " + cause);
        }

        @Override
        public void onFenced(String stream, String lane) {
            events.add("fenced " + lane);
        }

        @Override
        public void onFailed(String stream, String lane, String problem) {
            events.add("failed " + lane + " " + problem);
        }
    }

    static List<String> values(Batch<String> batch) {
        return batch.records().stream().map(StreamRecord::value).toList();
    }

    /** Stops all instances in order. */
    void stopAll() {
        running.forEach(runtime -> runtime.stop(Duration.ofSeconds(20)));
    }

    @Override
    public void close() {
        stopAll();
        database.close();
    }
}
