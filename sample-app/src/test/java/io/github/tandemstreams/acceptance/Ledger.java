package io.github.tandemstreams.acceptance;

import io.github.tandemstreams.acceptance.Flights.Totals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares what stands in Postgres with what was published, and the checkpoint with itself. Each check names what it finds;
 * nothing found is exact.
 */
final class Ledger {

    private static final int AT_MOST = 10;

    private static final String FLIGHTS = """
            select date, delay, distance, origin, destination from flight
            """;

    private static final String SUMS = """
            select origin, flights, total_delay, total_distance from airport_delay
            """;

    private static final String DEAD_LETTERS = """
            select format('dead letter: %s-%s@%s: %s %s', topic, partition, record_offset, cause_class, message)
              from tandem.dead_letter
             where stream = ?
            """;

    /** Ids count 0, 1, 2 in both logs, each commit has its plan. */
    private static final String GAPS = """
            select format('%s: batch %s stands where %s should', lane, batch, place)
              from (select lane, batch, row_number() over (partition by lane order by batch) - 1 as place
                      from tandem.commit_log
                     where stream = ?) numbered
             where batch <> place
            """;

    private static final String LOGS = """
            select format('%s: batch %s has %s', lane, batch,
                          case when o.stream is null then 'a commit, but no plan' else 'a plan, but no commit' end)
              from tandem.offset_log o
              full join tandem.commit_log c using (stream, lane, batch)
             where stream = ? and (o.stream is null or c.stream is null or o.generation <> c.generation)
            """;

    private static final String RANGES = """
            select format('%s: batch %s starts at %s, but the one before it ended at %s',
                          partition, batch, start_offset, before)
              from (select partition, batch, start_offset,
                           lag(end_offset, 1, 0::bigint) over (partition by partition order by batch) as before
                      from tandem.batch
                     where stream = ?) ranges
             where start_offset <> before
            """;

    private static final String COUNTS = """
            select format('%s: batch %s is %s, with %s records and %s dead letters in a range of %s',
                          partition, batch, status, records, dead_letters, end_offset - start_offset)
              from tandem.batch
             where stream = ? and (status, records, dead_letters) <> ('committed', end_offset - start_offset, 0)
            """;

    private static final String EPOCHS = """
            select format('%s: batch %s was committed in epoch %s, the one before it in %s', lane, batch, epoch, before)
              from (select lane, batch, epoch, lag(epoch) over (partition by lane order by batch) as before
                      from tandem.commit_log
                     where stream = ?) epochs
             where before > epoch
            """;

    private static final String LANES = """
            select format('%s: stands %s at batch %s and offset %s, its last commit is batch %s up to %s',
                          l.lane, l.state, l.last_batch, l.next_offset, b.batch, b.end_offset)
              from tandem.lane_position l
              left join lateral (select batch, end_offset
                                   from tandem.batch
                                  where (stream, partition) = (l.stream, l.partition) and status = 'committed'
                                  order by batch desc
                                  limit 1) b on true
             where l.stream = ?
               and (l.state, l.last_batch, l.next_offset)
                   <> ('active', coalesce(b.batch, -1), coalesce(b.end_offset, 0))
            """;

    private static final String POSITIONS = """
            select partition, next_offset from tandem.lane_position where stream = ?
            """;

    private static final String OPEN = """
            select format('session %s is %s: %s', pid, state, query)
              from pg_stat_activity
             where datname = current_database() and state like 'idle in transaction%'
            union all
            select format('advisory lock of session %s', pid)
              from pg_locks
             where locktype = 'advisory'
               and database = (select oid from pg_database where datname = current_database())
            """;

    private final JdbcTemplate jdbc;
    private final String stream;

    Ledger(JdbcTemplate jdbc, String stream) {
        this.jdbc = jdbc;
        this.stream = stream;
    }

    /**
     * Everything that is wrong.
     *
     * @param published all flights
     * @param ends the end of each partition, by its name
     * @param groupOffsets where the Kafka group stands in each partition, by its name
     */
    List<String> violations(List<Flight> published, Map<String, Long> ends, Map<String, Long> groupOffsets) {
        List<String> all = new ArrayList<>();
        all.addAll(flightsOnce(published));
        all.addAll(sumsExact(published));
        all.addAll(checkpoint());
        all.addAll(positions(ends, groupOffsets));
        all.addAll(leftOpen());
        return all;
    }

    /** INV1: each flight once, none parked. */
    List<String> flightsOnce(List<Flight> published) {
        Map<Flight, Long> expected = counted(published);
        Map<Flight, Long> found = counted(jdbc.query(
                FLIGHTS,
                (row, number) -> new Flight(
                        row.getString(1), row.getInt(2), row.getInt(3), row.getString(4), row.getString(5))));
        List<String> violations = differences("flight", expected, found, 0L);
        violations.addAll(jdbc.queryForList(DEAD_LETTERS, String.class, stream));
        return violations;
    }

    List<String> sumsExact(List<Flight> published) {
        Map<String, Totals> found = new TreeMap<>();
        jdbc.query(SUMS, row -> {
            found.put(row.getString(1), new Totals(row.getLong(2), row.getLong(3), row.getLong(4)));
        });
        return differences("airport", Flights.totalsByOrigin(published), found, Totals.NONE);
    }

    /** INV2 and INV3: ids without gap, ranges that touch, logs and lanes that agree, epochs that never fall. */
    List<String> checkpoint() {
        List<String> violations = new ArrayList<>();
        for (String check : List.of(GAPS, LOGS, RANGES, COUNTS, EPOCHS, LANES)) {
            violations.addAll(jdbc.queryForList(check, String.class, stream).stream()
                    .limit(AT_MOST)
                    .toList());
        }
        return violations;
    }

    /** INV6, and that each lane has come to the end of its partition. */
    List<String> positions(Map<String, Long> ends, Map<String, Long> groupOffsets) {
        Map<String, Long> positions = new HashMap<>();
        jdbc.query(
                POSITIONS,
                row -> {
                    positions.put(row.getString(1), row.getLong(2));
                },
                stream);
        List<String> violations = differences("position", ends, positions, -1L);
        groupOffsets.forEach((partition, offset) -> {
            if (offset > positions.getOrDefault(partition, 0L)) {
                violations.add(partition + ": the Kafka group stands at " + offset + ", beyond Postgres with "
                        + positions.get(partition));
            }
        });
        return violations;
    }

    /** INV5: nobody sits in a transaction, no advisory lock is left. */
    List<String> leftOpen() {
        return jdbc.queryForList(OPEN, String.class);
    }

    /** Batches that were committed. */
    long batches() {
        return count("select count(*) from tandem.commit_log where stream = ?");
    }

    private long count(String sql) {
        Long count = jdbc.queryForObject(sql, Long.class, stream);
        return count == null ? 0 : count;
    }

    private static Map<Flight, Long> counted(List<Flight> flights) {
        return flights.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private static <K, V> List<String> differences(String what, Map<K, V> expected, Map<K, V> found, V none) {
        List<String> differences = new ArrayList<>();
        expected.forEach((key, value) -> {
            if (!value.equals(found.get(key))) {
                differences.add(what + " " + key + ": " + found.getOrDefault(key, none) + " instead of " + value);
            }
        });
        found.forEach((key, value) -> {
            if (!expected.containsKey(key)) {
                differences.add(what + " " + key + ": " + value + " instead of " + none);
            }
        });
        return differences.stream().limit(AT_MOST).collect(Collectors.toCollection(ArrayList::new));
    }
}
