package io.github.tandemstreams.benchmarks.latency;

import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.contenders.LiveRun;
import io.github.tandemstreams.benchmarks.servers.Servers;
import java.nio.file.Path;
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
        long records = 1 + (long) rate * (WARM_UP_SECONDS + seconds);
        try (LiveRun run = LiveRun.prepare(servers, name, directory);
                ContenderProcess process = run.start(contender, records, "log")) {
            run.orders().sendOne();
            run.awaitRows(1, process);
            Instant counted = Instant.now().plusSeconds(WARM_UP_SECONDS);
            run.orders().send(records - 1, rate);
            run.awaitEnd(records, process);
            return result(contender, rate, round, counted, run.jdbc());
        } catch (IllegalStateException failure) {
            return LatencyResult.failed(contender.name(), rate, round, Objects.requireNonNull(failure.getMessage()));
        }
    }

    private static LatencyResult result(Contender contender, int rate, int round, Instant counted, JdbcTemplate jdbc) {
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
}
