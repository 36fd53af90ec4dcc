package io.github.tandemstreams.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.engine.Limits;
import io.github.tandemstreams.engine.StreamDefinition;
import io.github.tandemstreams.engine.StreamRuntime;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.kafka.KafkaSource;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Time to bring a topic of flights into Postgres: at least once (a batch listener, a transaction, then the offsets) beside
 * exactly once, with one and more workers. Arguments: the file of flights, records, records in a batch, rounds.
 */
public final class Throughput {

    private static final JsonMapper JSON = new JsonMapper();

    private final Servers servers;
    private final int records;
    private final int batch;
    private int runs;

    private Throughput(Servers servers, int records, int batch) {
        this.servers = servers;
        this.records = records;
        this.batch = batch;
    }

    /** Runs everything in turn, {@code rounds} times, and prints records per second. */
    public static void main(String[] args) throws Exception {
        int records = Integer.parseInt(args[1]);
        int batch = Integer.parseInt(args[2]);
        int rounds = Integer.parseInt(args[3]);
        try (Servers servers = new Servers()) {
            servers.fill("flights", Path.of(args[0]), records);
            Throughput throughput = new Throughput(servers, records, batch);
            throughput.atLeastOnce(2);
            throughput.exactlyOnce(2, Effects.ANYWHERE);
            for (int round = 1; round <= rounds; round++) {
                for (int workers : new int[] {1, 2, 4}) {
                    long atLeast = throughput.atLeastOnce(workers);
                    long exactly = throughput.exactlyOnce(workers, Effects.ANYWHERE);
                    long database = throughput.exactlyOnce(workers, Effects.DATABASE);
                    System.out.printf(
                            "round %d, batches of %d, %d workers: at least once %,d/s, exactly once %,d/s (%.2f),"
                                    + " with effects = DATABASE %,d/s (%.2f)%n",
                            round,
                            batch,
                            workers,
                            atLeast,
                            exactly,
                            (double) exactly / atLeast,
                            database,
                            (double) database / atLeast);
                }
            }
        }
        System.exit(0);
    }

    /** What an application without Tandem does: rows first, then the offsets, which a crash may part. */
    private long atLeastOnce(int consumers) throws InterruptedException {
        try (HikariDataSource database = servers.newDatabase(consumers + 1)) {
            FlightWriter writer = new FlightWriter(new JdbcTemplate(database));
            TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(database));
            Meter meter = new Meter(records);
            ContainerProperties properties = new ContainerProperties("flights");
            properties.setGroupId("at-least-once-" + ++runs);
            properties.setMessageListener((BatchMessageListener<byte[], byte[]>) polled -> {
                transaction.executeWithoutResult(status -> writer.write(polled.stream()
                        .map(ConsumerRecord::value)
                        .map(Throughput::flight)
                        .toList()));
                meter.add(polled.size());
            });
            ConcurrentMessageListenerContainer<byte[], byte[]> container = new ConcurrentMessageListenerContainer<>(
                    new DefaultKafkaConsumerFactory<>(
                            Map.of(
                                    "bootstrap.servers",
                                    servers.bootstrapServers(),
                                    "auto.offset.reset",
                                    "earliest",
                                    "max.poll.records",
                                    batch),
                            new ByteArrayDeserializer(),
                            new ByteArrayDeserializer()),
                    properties);
            container.setConcurrency(consumers);
            meter.start();
            container.start();
            long perSecond = meter.await();
            container.stop();
            return perSecond;
        }
    }

    private long exactlyOnce(int workers, Effects effects) throws InterruptedException {
        try (HikariDataSource database = servers.newDatabase(workers + 1)) {
            new SchemaMigrator("tandem").migrate(database.getDataSource());
            FlightWriter writer = new FlightWriter(new JdbcTemplate(database));
            Meter meter = new Meter(records);
            StreamDefinition<Flight> definition = StreamDefinition.<Flight>named("flights")
                    .source(KafkaSource.builder(Set.of("flights"), "exactly-once-" + ++runs)
                            .consumerProperties(Map.of("bootstrap.servers", servers.bootstrapServers()))
                            .build())
                    .decoders(() -> record -> flight(Objects.requireNonNull(record.value())))
                    .sink(flights -> writer.write(flights.values()))
                    .effects(effects)
                    .checkpoint(new JdbcCheckpoint(database, "tandem", "benchmark"))
                    .transactionManager(new JdbcTransactionManager(database))
                    .limits(new Limits(batch, Limits.DEFAULT_MAX_BYTES_PER_BATCH, Limits.DEFAULT_MAX_BUFFERED_BYTES))
                    .concurrency(workers)
                    .build();
            StreamRuntime runtime = new StreamRuntime(definition, List.of(meter), Clock.systemUTC());
            meter.start();
            runtime.start();
            long perSecond = meter.await();
            runtime.stop(Duration.ofSeconds(10));
            return perSecond;
        }
    }

    private static Flight flight(byte[] json) {
        return JSON.readValue(json, Flight.class);
    }

    /** From the first committed batch on, so that joining the group isn't measured. */
    private static final class Meter implements StreamProgressListener {

        private final long total;
        private final AtomicLong done = new AtomicLong();
        private final CountDownLatch all = new CountDownLatch(1);
        private volatile long started;
        private volatile long first;

        Meter(long total) {
            this.total = total;
        }

        void start() {
            started = 0;
        }

        @Override
        public void onCommitted(StreamProgress progress) {
            add(progress.records());
        }

        synchronized void add(int records) {
            if (started == 0) {
                started = System.nanoTime();
                first = records;
            }
            if (done.addAndGet(records) >= total) {
                all.countDown();
            }
        }

        long await() throws InterruptedException {
            all.await();
            return (total - first) * 1_000_000_000L / (System.nanoTime() - started);
        }
    }
}
