package io.github.tandemstreams.benchmarks.latency;

import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.contenders.Task;
import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.benchmarks.servers.Servers;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * One contender at one rate, with a topic and a database of its own. A first record tells that it is at work; the records of
 * the first seconds after that warm it up and aren't counted.
 */
final class LatencyRun {

    private static final int WARM_UP_SECONDS = 10;
    private static final Duration GIVE_UP = Duration.ofMinutes(2);
    private static final long LOOK_EVERY_MILLIS = 50;

    /** What a commit's time stamp says is the moment before it is flushed. */
    private static final String PERCENTILES = """
            select percentile_disc(0.5) within group (order by millis), percentile_disc(0.99) within group (order by millis),
                max(millis)
            from (select (extract(epoch from pg_xact_commit_timestamp(xmin) - at) * 1000)::float8 as millis
                from orders where at >= ?) latency
            """;

    private final Servers servers;
    private final int seconds;
    private final Path directory;

    LatencyRun(Servers servers, int seconds, Path directory) {
        this.servers = servers;
        this.seconds = seconds;
        this.directory = directory;
    }

    LatencyResult of(Contender contender, int rate, int round) throws Exception {
        String name = "latency-" + rate + "-" + contender.name() + "-" + round;
        Path files = Files.createDirectories(directory.resolve(name));
        long records = (long) rate * (WARM_UP_SECONDS + seconds);
        servers.broker().create(name);
        try (Database database = servers.postgres().newDatabase()) {
            database.jdbc().execute(Workload.ORDERS.ddl());
            Task task = new Task(
                    name,
                    Workload.ORDERS,
                    name,
                    records + 1,
                    true,
                    servers.broker().bootstrapServers(),
                    database.url(),
                    files.toString());
            try (ContenderProcess process = ContenderProcess.start(contender, task, files.resolve("log"));
                    OpenLoop loop = new OpenLoop(name, servers.broker().bootstrapServers())) {
                loop.sendOne();
                awaitRow(process, database.jdbc());
                Instant counted = Instant.now().plusSeconds(WARM_UP_SECONDS);
                loop.send(records, rate);
                process.awaitEnd(GIVE_UP);
                return result(contender, rate, round, records + 1, counted, database.jdbc());
            }
        } catch (IllegalStateException failure) {
            return LatencyResult.failed(contender.name(), rate, round, Objects.requireNonNull(failure.getMessage()));
        }
    }

    private static void awaitRow(ContenderProcess process, JdbcTemplate jdbc) throws InterruptedException {
        Instant giveUp = Instant.now().plus(GIVE_UP);
        while (rows(jdbc) == 0) {
            if (!process.isAlive() || Instant.now().isAfter(giveUp)) {
                throw new IllegalStateException("it wrote no row");
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }

    private static LatencyResult result(
            Contender contender, int rate, int round, long records, Instant counted, JdbcTemplate jdbc) {
        if (rows(jdbc) != records) {
            throw new IllegalStateException(rows(jdbc) + " rows instead of " + records);
        }
        return jdbc.query(
                PERCENTILES,
                rows -> {
                    rows.next();
                    return new LatencyResult(
                            contender.name(),
                            rate,
                            round,
                            rows.getDouble(1),
                            rows.getDouble(2),
                            rows.getDouble(3),
                            null);
                },
                counted.atOffset(ZoneOffset.UTC));
    }

    private static long rows(JdbcTemplate jdbc) {
        return Objects.requireNonNull(jdbc.queryForObject(Workload.ORDERS.countSql(), Long.class));
    }
}
