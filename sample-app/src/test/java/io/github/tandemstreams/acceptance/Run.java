package io.github.tandemstreams.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.FileSystemUtils;

/** What one test has for itself: a new topic, a database, a consumer group, and the sample's processes that work on them. */
final class Run implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final String STREAM = "flights";
    static final String TOPIC = "flights";

    private final Servers servers = Servers.shared();
    private final String name;
    private final PGSimpleDataSource database = servers.newDatabase();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private Producer<String, String> producer;
    private final List<SampleProcess> processes = new ArrayList<>();
    private final List<Flight> published = new ArrayList<>();
    private final Map<SampleProcess, Path> journals = new HashMap<>();
    private int partitions;

    Run(String name, int partitions) {
        this.name = name;
        this.partitions = partitions;
        // What an earlier run left there would be taken for this one's.
        FileSystemUtils.deleteRecursively(file("").toFile());
        servers.recreateTopic(TOPIC, partitions);
        producer = newProducer();
    }

    private Producer<String, String> newProducer() {
        return new KafkaProducer<>(
                // One request at a time: on a topic as new as this, the first may be refused after a later one was
                // taken.
                Map.of(
                        "bootstrap.servers",
                        servers.bootstrapServers(),
                        "linger.ms",
                        5,
                        "max.in.flight.requests.per.connection",
                        1),
                new StringSerializer(),
                new StringSerializer());
    }

    // ---- input

    /** Writes the flights and waits until they are there. */
    synchronized void publish(List<Flight> flights) {
        List<Future<RecordMetadata>> sent = flights.stream()
                .map(flight -> producer.send(new ProducerRecord<>(TOPIC, flight.origin(), flight.json())))
                .toList();
        producer.flush();
        for (Future<RecordMetadata> one : sent) {
            assertThat(one).succeedsWithin(PATIENCE);
        }
        published.addAll(flights);
    }

    /** The flights are published by a process. */
    synchronized void expect(List<Flight> flights) {
        published.addAll(flights);
    }

    synchronized void addPartitions(int more) {
        partitions += more;
        Servers.await(servers.admin()
                .createPartitions(Map.of(TOPIC, NewPartitions.increaseTo(partitions)))
                .all());
        producer.close(); // the old one would notice in five minutes
        producer = newProducer();
    }

    // ---- processes

    /** Starts the sample on this run's topic and database; it publishes nothing, unless the arguments say otherwise. */
    SampleProcess start(String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--tandem.streams.flights.group-id=" + group(),
                // Nothing is pruned: the ledger wants to see every batch.
                "--tandem.defaults.batches-to-retain=1000000",
                "--spring.kafka.consumer.heartbeat-interval=500ms",
                "--spring.kafka.consumer.properties.session.timeout.ms=3000",
                "--logging.level.root=info",
                "--logging.level.io.github.tandemstreams=debug"));
        all.addAll(List.of(arguments));
        SampleProcess process = SampleProcess.start(
                file("process-" + (processes.size() + 1) + ".log"),
                Map.of(
                        "SAMPLE_PUBLISH",
                        "none",
                        "SPRING_MAIN_WEB_APPLICATION_TYPE",
                        "none",
                        "SPRING_DATASOURCE_URL",
                        database.getUrl(),
                        "SPRING_DATASOURCE_USERNAME",
                        "postgres",
                        "SPRING_DATASOURCE_PASSWORD",
                        "postgres",
                        "SPRING_KAFKA_BOOTSTRAP_SERVERS",
                        servers.bootstrapServers()),
                all);
        processes.add(process);
        return process;
    }

    /** A process that tells when it is inside its handler: see {@link #insideHandlers}. */
    SampleProcess startJournalled(String... arguments) {
        Path journal = file("process-" + (processes.size() + 1) + ".journal").toAbsolutePath();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--crash.journal=" + journal);
        SampleProcess process = start(all.toArray(String[]::new));
        journals.put(process, journal);
        return process;
    }

    /** Transactions of the handlers that are between their two statements. */
    List<String> insideHandlers(SampleProcess process) {
        List<String> inside = new ArrayList<>();
        for (String line : journal(process)) {
            String transaction = line.substring(line.indexOf(' ') + 1);
            if (line.startsWith("in ")) {
                inside.add(transaction);
            } else {
                inside.remove(transaction);
            }
        }
        // A group of lanes shares a transaction.
        return inside.stream().distinct().toList();
    }

    /** Transactions of the handlers that came to their second statement. */
    List<String> leftHandlers(SampleProcess process) {
        return journal(process).stream()
                .filter(line -> line.startsWith("out "))
                .map(line -> line.substring("out ".length()))
                .distinct()
                .toList();
    }

    private List<String> journal(SampleProcess process) {
        Path journal = journals.get(process);
        try {
            return Files.exists(journal) ? Files.readAllLines(journal) : List.of();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits for what this process should bring about, as long as it lives. */
    void awaitOf(SampleProcess process, String what, Callable<Boolean> condition) {
        try {
            await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .ignoreExceptionsInstanceOf(BadSqlGrammarException.class) // the tables may not be there yet
                    .failFast("it ended", () -> !process.isAlive())
                    .until(condition);
        } catch (ConditionTimeoutException | TerminalFailureException failure) {
            throw new AssertionError("Waited for " + what + ", see " + process.log() + process.tail(), failure);
        }
    }

    /** A process that works until all that stands in the topic is committed. */
    void finish(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--sample.exit-when-caught-up=true");
        SampleProcess last = start(all.toArray(String[]::new));
        assertThat(last.exitCode(PATIENCE))
                .as("exit code, %s%s", last.log(), last.tail())
                .isZero();
    }

    int starts() {
        return processes.size();
    }

    /** A file for this run alone. */
    Path file(String file) {
        return Path.of("target", "acceptance", name, file);
    }

    /** How often this stands in the output of all processes. */
    long linesWith(String text) {
        return processes.stream()
                .flatMap(process -> process.output().lines())
                .filter(line -> line.contains(text))
                .count();
    }

    // ---- results

    JdbcTemplate jdbc() {
        return jdbc;
    }

    Ledger ledger() {
        return new Ledger(jdbc, STREAM);
    }

    int count(String sql, String argument) {
        Integer count = jdbc.queryForObject(sql, Integer.class, argument);
        return count == null ? 0 : count;
    }

    /** A row of the offset log. */
    record PlanRow(String lane, long batch, long start, long end, String plannedAt) {}

    List<PlanRow> plans() {
        return plans("true");
    }

    /** Plans that weren't committed. */
    List<PlanRow> openPlans() {
        return plans("status = 'planned'");
    }

    private List<PlanRow> plans(String condition) {
        return jdbc.query(
                "select lane, batch, start_offset, end_offset, planned_at::text"
                        + " from tandem.batch where stream = ? and " + condition,
                (row, number) ->
                        new PlanRow(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getString(5)),
                STREAM);
    }

    /** Flights committed so far; none, where the tables don't exist yet. */
    long committed() {
        try {
            Long flights = jdbc.queryForObject("select count(*) from flight", Long.class);
            return flights == null ? 0 : flights;
        } catch (DataAccessException notYet) {
            return 0;
        }
    }

    /** All that was published is in Postgres, once, and the checkpoint says the same. */
    void assertExact() {
        // A server notices the end of a process that was killed, but not in the same moment.
        await().atMost(Duration.ofSeconds(20)).until(() -> ledger().leftOpen().isEmpty());
        assertThat(ledger().violations(published, ends(), groupOffsets())).isEmpty();
    }

    private Map<String, Long> ends() {
        Map<TopicPartition, OffsetSpec> wanted = new TreeMap<>((a, b) -> Integer.compare(a.partition(), b.partition()));
        IntStream.range(0, partitions).forEach(i -> wanted.put(new TopicPartition(TOPIC, i), OffsetSpec.latest()));
        Map<String, Long> ends = new TreeMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
                Servers.await(servers.admin().listOffsets(wanted).all()).entrySet()) {
            ends.put(end.getKey().toString(), end.getValue().offset());
        }
        return ends;
    }

    private Map<String, Long> groupOffsets() {
        Map<String, Long> offsets = new TreeMap<>();
        for (Map.Entry<TopicPartition, OffsetAndMetadata> offset : Servers.await(
                        servers.admin().listConsumerGroupOffsets(group()).partitionsToOffsetAndMetadata())
                .entrySet()) {
            offsets.put(offset.getKey().toString(), offset.getValue().offset());
        }
        return offsets;
    }

    private String group() {
        return "group-of-" + name;
    }

    @Override
    public void close() {
        processes.forEach(SampleProcess::kill);
        processes.forEach(process -> process.exitCode(PATIENCE));
        producer.close();
    }
}
