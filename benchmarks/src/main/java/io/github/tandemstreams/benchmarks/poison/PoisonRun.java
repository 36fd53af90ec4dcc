package io.github.tandemstreams.benchmarks.poison;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.Batch;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.benchmarks.servers.Servers;
import io.github.tandemstreams.benchmarks.workloads.Flight;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import io.github.tandemstreams.engine.StreamDefinition;
import io.github.tandemstreams.engine.StreamRuntime;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.kafka.KafkaSource;
import io.github.tandemstreams.sink.Sink;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** The flights once, into a database of its own; checks that the good ones are written and exactly the bad ones are dead letters. */
final class PoisonRun {

    static final int BAD_DELAY = -99_999;

    private static final JsonMapper JSON = new JsonMapper();

    private final Servers servers;
    private final int records;
    private final int bad;
    private int runs;

    PoisonRun(Servers servers, int records, int bad) {
        this.servers = servers;
        this.records = records;
        this.bad = bad;
    }

    double seconds(boolean refuse, boolean throwing) throws InterruptedException {
        try (Database run = servers.postgres().newDatabase();
                HikariDataSource database = pool(run)) {
            JdbcTemplate jdbc = new JdbcTemplate(database);
            jdbc.execute(Workload.FLIGHTS.ddl());
            jdbc.execute(FlightsAndDelays.DDL);
            if (refuse) {
                jdbc.execute("alter table flight add check (delay > " + BAD_DELAY + ")");
            }
            new SchemaMigrator("tandem").migrate(run.dataSource());
            Handler handler = new Handler(new FlightsAndDelays(jdbc), throwing);
            Finish finish = new Finish(records);
            StreamDefinition<Flight> definition = StreamDefinition.<Flight>named("flights")
                    .source(KafkaSource.builder(Set.of("flights"), "poison-" + ++runs)
                            .consumerProperties(
                                    Map.of("bootstrap.servers", servers.broker().bootstrapServers()))
                            .build())
                    .decoders(() -> record -> JSON.readValue(Objects.requireNonNull(record.value()), Flight.class))
                    .sink(handler)
                    .checkpoint(new JdbcCheckpoint(database, "tandem", "benchmark"))
                    .transactionManager(new JdbcTransactionManager(database))
                    .build();
            StreamRuntime runtime = new StreamRuntime(definition, List.of(finish), Clock.systemUTC());
            runtime.start();
            double seconds = finish.await();
            runtime.stop(Duration.ofSeconds(10));
            check(jdbc, refuse || throwing);
            if (refuse || throwing) {
                System.out.printf(
                        "  the handler was handed %.2f times the records%n", (double) handler.handed.get() / records);
            }
            return seconds;
        }
    }

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(3);
        return new HikariDataSource(config);
    }

    private void check(JdbcTemplate jdbc, boolean poisoned) {
        long expected = poisoned ? bad : 0;
        Long rows = jdbc.queryForObject("select count(*) from flight", Long.class);
        Long dead = jdbc.queryForObject("select count(*) from tandem.dead_letter where status = 'parked'", Long.class);
        if (!Objects.equals(rows, records - expected) || !Objects.equals(dead, expected)) {
            throw new IllegalStateException(rows + " rows and " + dead + " dead letters, of " + records);
        }
    }

    private record Handler(FlightsAndDelays writer, boolean throwing, AtomicLong handed) implements Sink<Flight> {

        Handler(FlightsAndDelays writer, boolean throwing) {
            this(writer, throwing, new AtomicLong());
        }

        @Override
        public void write(Batch<Flight> flights) {
            handed.addAndGet(flights.size());
            if (throwing && flights.values().stream().anyMatch(flight -> flight.delay() == BAD_DELAY)) {
                throw new IllegalStateException("a delay that can't be");
            }
            writer.write(flights.values());
        }
    }

    /** From the start to the last committed batch, joining the group included. */
    private static final class Finish implements StreamProgressListener {

        private final long total;
        private final AtomicLong done = new AtomicLong();
        private final CountDownLatch all = new CountDownLatch(1);
        private final long started = System.nanoTime();

        Finish(long total) {
            this.total = total;
        }

        @Override
        public void onCommitted(StreamProgress progress) {
            if (done.addAndGet(progress.records() + progress.deadLetters()) >= total) {
                all.countDown();
            }
        }

        double await() throws InterruptedException {
            all.await();
            return (System.nanoTime() - started) / 1e9;
        }
    }
}
