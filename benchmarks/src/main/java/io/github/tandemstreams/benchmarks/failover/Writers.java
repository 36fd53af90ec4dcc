package io.github.tandemstreams.benchmarks.failover;

import io.github.tandemstreams.benchmarks.servers.Broker;
import io.github.tandemstreams.benchmarks.workloads.Input;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Which instance wrote the orders of which partition, and when. Postgres itself notes it: each row has the name that its
 * writer's connection goes by.
 */
final class Writers {

    private static final String NOTE_THEM = """
            alter table orders add column instance text not null default current_setting('application_name')
            """;

    /** Of the last moments; while partitions move, more than one instance has some of the same. */
    private static final String PARTITIONS_NOW = """
            select count(distinct (id - %1$d) %% %2$d) from orders
             where instance = ? and pg_xact_commit_timestamp(xmin) > now() - interval '2 s'
            """.formatted(Input.FIRST_ID, Broker.PARTITIONS);

    private static final String TAKEN_OVER = """
            with signal as (
                select ?::timestamptz as at),
            written as (
                select (id - %1$d) %% %2$d as partition, instance, pg_xact_commit_timestamp(xmin) as committed
                  from orders),
            lost as (
                select distinct partition
                  from written, signal
                 where instance = ? and committed between signal.at - interval '2 s' and signal.at),
            taken as (
                select partition, min(committed) - signal.at as waited
                  from written, signal
                 where instance = ? and committed > signal.at
                 group by partition, signal.at)
            select count(*) > 0 and count(*) = count(taken.waited) as is_all,
                   (extract(epoch from max(waited)) * 1000)::float8 as worst,
                   (extract(epoch from min(waited)) * 1000)::float8 as best
              from lost left join taken using (partition)
            """.formatted(Input.FIRST_ID, Broker.PARTITIONS);

    private final JdbcTemplate jdbc;

    Writers(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** From now on. The table must be empty. */
    void note() {
        jdbc.execute(NOTE_THEM);
    }

    /** How many partitions an instance has written of in the last moments. */
    int partitionsOf(String instance) {
        return Objects.requireNonNull(jdbc.queryForObject(PARTITIONS_NOW, Integer.class, instance));
    }

    /**
     * How long the partitions of one instance waited for the first commit by the other after it got a signal; the rows that
     * are missing in the end are yet to be counted.
     *
     * @return empty as long as some still wait
     */
    Optional<TakeOver> takeOver(String ended, String other, Instant signal) {
        return Objects.requireNonNull(jdbc.queryForObject(
                TAKEN_OVER,
                (row, number) -> row.getBoolean("is_all")
                        ? Optional.of(new TakeOver(row.getDouble("worst"), row.getDouble("best"), 0))
                        : Optional.<TakeOver>empty(),
                signal.atOffset(ZoneOffset.UTC),
                ended,
                other));
    }
}
