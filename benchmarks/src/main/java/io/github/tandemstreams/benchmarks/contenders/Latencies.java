package io.github.tandemstreams.benchmarks.contenders;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;

/** From when orders were due to their commits, in milliseconds. */
public record Latencies(double p50, double p99, double max) {

    /** What a commit's time stamp says is the moment before it is flushed. */
    private static final String PERCENTILES = """
            select percentile_disc(0.5) within group (order by millis), percentile_disc(0.99) within group (order by millis),
                max(millis)
            from (select (extract(epoch from pg_xact_commit_timestamp(xmin) - at) * 1000)::float8 as millis
                from orders where at >= ? and at < ?) latency
            """;

    /** Of the orders that were due in this time. */
    public static Latencies of(JdbcTemplate jdbc, Instant from, Instant until) {
        return Objects.requireNonNull(jdbc.queryForObject(
                PERCENTILES,
                (row, number) -> new Latencies(row.getDouble(1), row.getDouble(2), row.getDouble(3)),
                from.atOffset(ZoneOffset.UTC),
                until.atOffset(ZoneOffset.UTC)));
    }
}
