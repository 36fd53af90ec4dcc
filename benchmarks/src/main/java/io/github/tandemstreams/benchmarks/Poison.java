package io.github.tandemstreams.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.Batch;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.engine.StreamDefinition;
import io.github.tandemstreams.engine.StreamRuntime;
import io.github.tandemstreams.jdbc.JdbcCheckpoint;
import io.github.tandemstreams.jdbc.SchemaMigrator;
import io.github.tandemstreams.kafka.KafkaSource;
import io.github.tandemstreams.sink.Sink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * What bad records cost: flights of which some can't be written, beside the same flights where all can. Arguments: the file
 * of flights, records, bad ones, rounds.
 */
public final class Poison {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int BAD_DELAY = -99_999;

    private final Servers servers;
    private final int records;
    private final int bad;
    private int runs;

    private Poison(Servers servers, int records, int bad) {
        this.servers = servers;
        this.records = records;
        this.bad = bad;
    }

    /** Prints, for each round, the time without bad records, with those that Postgres refuses, and with a handler that throws. */
    public static void main(String[] args) throws Exception {
        int records = Integer.parseInt(args[1]);
        int bad = Integer.parseInt(args[2]);
        int rounds = Integer.parseInt(args[3]);
        Path poisoned = poisoned(Path.of(args[0]), records, bad);
        try (Servers servers = new Servers()) {
            servers.fill("flights", poisoned, records);
            Poison poison = new Poison(servers, records, bad);
            poison.run(false, false);
            for (int round = 1; round <= rounds; round++) {
                double without = poison.run(false, false);
                double refused = poison.run(true, false);
                double thrown = poison.run(false, true);
                System.out.printf(
                        "round %d: %,d records in %.1f s; with %d that Postgres refuses %.1f s (%.2f times), with %d that the"
                                + " handler throws on %.1f s (%.2f times)%n",
                        round, records, without, bad, refused, refused / without, bad, thrown, thrown / without);
            }
        } finally {
            Files.delete(poisoned);
        }
        System.exit(0);
    }

    private static Path poisoned(Path flights, int records, int bad) throws Exception {
        List<String> input = Files.readAllLines(flights);
        List<String> lines = new ArrayList<>(records);
        for (int i = 0; i < records; i++) {
            lines.add(input.get(i % input.size()));
        }
        new Random(37).ints(0, records).distinct().limit(bad).forEach(i -> lines.set(i, bad(lines.get(i))));
        return Files.write(Files.createTempFile("flights", ".jsonl"), lines);
    }

    private static String bad(String line) {
        return line.replaceFirst("\"delay\":\\s*-?\\d+", "\"delay\":" + BAD_DELAY);
    }

    private double run(boolean refuse, boolean throwing) throws InterruptedException {
        try (HikariDataSource database = servers.newDatabase(3)) {
            JdbcTemplate jdbc = new JdbcTemplate(database);
            if (refuse) {
                jdbc.execute("alter table flight add check (delay > " + BAD_DELAY + ")");
            }
            new SchemaMigrator("tandem").migrate(database.getDataSource());
            Handler handler = new Handler(new FlightWriter(jdbc), throwing);
            Finish finish = new Finish(records);
            StreamDefinition<Flight> definition = StreamDefinition.<Flight>named("flights")
                    .source(KafkaSource.builder(Set.of("flights"), "poison-" + ++runs)
                            .consumerProperties(Map.of("bootstrap.servers", servers.bootstrapServers()))
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

    private void check(JdbcTemplate jdbc, boolean poisoned) {
        long expected = poisoned ? bad : 0;
        Long rows = jdbc.queryForObject("select count(*) from flight", Long.class);
        Long dead = jdbc.queryForObject("select count(*) from tandem.dead_letter where status = 'parked'", Long.class);
        if (!Objects.equals(rows, records - expected) || !Objects.equals(dead, expected)) {
            throw new IllegalStateException(rows + " rows and " + dead + " dead letters, of " + records);
        }
    }

    private record Handler(FlightWriter writer, boolean throwing, AtomicLong handed) implements Sink<Flight> {

        Handler(FlightWriter writer, boolean throwing) {
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
