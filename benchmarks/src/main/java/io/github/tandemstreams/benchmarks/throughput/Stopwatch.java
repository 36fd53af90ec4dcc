package io.github.tandemstreams.benchmarks.throughput;

import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Times a contender by what Postgres knows, the same for all, and by the server's clock alone. It begins when the first rows
 * are seen, and what stands there then isn't counted: neither a JVM's start nor joining a group is measured. It ends with
 * the time stamp of the last commit that wrote a row of the table. Where all rows stay as they were written, the time stamps
 * of all commits tell also how long the second half of the records took: by then a JVM has compiled what is hot.
 */
final class Stopwatch {

    private static final Duration GIVE_UP = Duration.ofMinutes(10);

    /** Who is slower than this hangs: with many records it has as long as they take at this pace, if that is longer. */
    private static final long GIVE_UP_PER_SECOND = 3_000;

    private static final long LOOK_EVERY_MILLIS = 10;

    /** The commit that brings half of the records isn't of the second half; its time is where that begins. */
    private static final String SECOND_HALF = """
            with commit as (select pg_xact_commit_timestamp(xmin) as at, count(*) as records from %s group by xmin),
                progress as (select at, sum(records) over (order by at) as done, sum(records) over () as total from commit),
                second_half as (select total - done as records, at from progress where done >= total / 2
                    order by at limit 1)
            select records / nullif(extract(epoch from (select max(at) from commit) - at), 0) from second_half
            """;

    private final Workload workload;
    private final JdbcTemplate jdbc;
    private final String look;

    Stopwatch(Workload workload, SingleConnectionDataSource connection) {
        this.workload = workload;
        jdbc = new JdbcTemplate(connection);
        look = "select clock_timestamp(), case when exists (select from %s) then (%s) end"
                .formatted(workload.table(), workload.countSql());
    }

    /** Waits for the process to end in order. */
    Timing time(ContenderProcess process, long records) throws InterruptedException {
        Instant launched = clock();
        Seen first = awaitFirst(process);
        process.awaitEnd(giveUp(records));
        if (first.records() >= records) {
            throw new IllegalStateException("all records were there at the first look: too few of them to be measured");
        }
        Instant last = lastCommit();
        return new Timing(
                records - first.records(),
                Duration.between(first.at(), last),
                Duration.between(launched, last),
                secondHalfPerSecond());
    }

    private static Duration giveUp(long records) {
        Duration atMost = Duration.ofSeconds(records / GIVE_UP_PER_SECOND);
        return atMost.compareTo(GIVE_UP) > 0 ? atMost : GIVE_UP;
    }

    private Seen awaitFirst(ContenderProcess process) throws InterruptedException {
        while (true) {
            boolean alive = process.isAlive();
            Seen seen = jdbc.query(look, rows -> {
                rows.next();
                return new Seen(
                        rows.getLong(2), rows.getObject(1, OffsetDateTime.class).toInstant());
            });
            if (seen != null && seen.records() > 0) {
                return seen;
            }
            if (!alive) {
                throw new IllegalStateException("it ended without a row");
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }

    private Instant clock() {
        return instant("select clock_timestamp()");
    }

    private Instant lastCommit() {
        return instant("select max(pg_xact_commit_timestamp(xmin)) from " + workload.table());
    }

    private @Nullable Double secondHalfPerSecond() {
        return workload.appends() ? jdbc.queryForObject(SECOND_HALF.formatted(workload.table()), Double.class) : null;
    }

    private Instant instant(String sql) {
        return Objects.requireNonNull(jdbc.queryForObject(sql, OffsetDateTime.class))
                .toInstant();
    }

    /** @param records that were there at that time */
    private record Seen(long records, Instant at) {}

    /**
     * How long it took.
     *
     * @param records that were committed after the first rows were seen
     * @param busy from then to the last commit
     * @param whole from the start of the JVM to the last commit
     * @param secondHalfPerSecond records a second in the second half of all records; null if the table doesn't tell
     */
    record Timing(
            long records,
            Duration busy,
            Duration whole,
            @Nullable Double secondHalfPerSecond) {

        double perSecond() {
            return records * 1e9 / busy.toNanos();
        }
    }
}
