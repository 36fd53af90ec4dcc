package io.github.tandemstreams.torture.check;

import io.github.tandemstreams.torture.app.Chain;
import io.github.tandemstreams.torture.input.Visible;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares what stands in Postgres with what is committed in the topic, and the checkpoint with itself. It knows nothing of
 * the engine but its tables, all of whose rows must still be there.
 *
 * <pre>
 *   INV1  each committed record is seen once or a dead letter once, as it was produced; no other is; the order is that of
 *         the partition
 *   INV2  batches of a lane count 0, 1, 2 …, their ranges touch, each has plan and commit, and holds what it says
 *   INV3  epochs of a lane's commits never fall
 *   INV4  no record is both seen and a dead letter
 *   INV5  no session sits in a transaction, no advisory lock is left
 *   INV6  Kafka's group isn't ahead of Postgres
 * </pre>
 */
public final class Checker {

    private static final int AT_MOST = 10;
    private static final int ROWS_AT_ONCE = 2_000;

    private final JdbcTemplate jdbc;

    public Checker(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Everything that is wrong, each kind a few times. Sessions of the applications have ended before. */
    public List<String> violations(List<Visible> topic, Map<Integer, Long> groupOffsets) {
        load(topic);
        List<String> all = new ArrayList<>();
        for (Checks.Check check : Checks.ALL) {
            jdbc.queryForList(check.sql(), String.class).stream()
                    .limit(AT_MOST)
                    .forEach(found -> all.add(check.invariant() + ": " + found));
        }
        all.addAll(chains(topic));
        all.addAll(leftOpen());
        all.addAll(ahead(groupOffsets));
        return all;
    }

    private void load(List<Visible> topic) {
        jdbc.execute("drop schema if exists checker cascade");
        jdbc.execute("create schema checker");
        jdbc.execute("""
                create table checker.expected (
                    part integer, off bigint, key text not null, value bytea, seen text, parked boolean not null,
                    primary key (part, off))
                """);
        jdbc.batchUpdate(
                "insert into checker.expected (part, off, key, value, seen, parked) values (?, ?, ?, ?, ?, ?)",
                topic,
                ROWS_AT_ONCE,
                (row, record) -> {
                    row.setInt(1, record.partition());
                    row.setLong(2, record.offset());
                    row.setString(3, record.message().id());
                    row.setBytes(4, record.message().value());
                    row.setString(5, record.message().seen());
                    row.setBoolean(6, record.message().kind().isParked());
                });
        jdbc.execute("create index if not exists seen_by_offset on seen (part, off)");
        jdbc.execute("create index if not exists dead_by_offset on tandem.dead_letter (partition, record_offset)");
        jdbc.execute(
                "analyze seen, checker.expected, tandem.lane, tandem.offset_log, tandem.commit_log, tandem.dead_letter");
    }

    /** The order of effects is that of each partition. */
    private List<String> chains(List<Visible> topic) {
        Map<Integer, Chain> expected = new TreeMap<>();
        topic.stream()
                .filter(record -> !record.message().kind().isParked())
                .sorted(Comparator.comparing(Visible::offset))
                .forEach(record -> expected.merge(
                        record.partition(),
                        Chain.START.with(record.offset(), record.message().id()),
                        (before, first) ->
                                before.with(record.offset(), record.message().id())));
        Map<Integer, Chain> found = new HashMap<>();
        jdbc.query(Checks.CHAINS, row -> {
            found.put(row.getInt(1), new Chain(row.getLong(2), row.getString(3)));
        });
        List<String> wrong = new ArrayList<>();
        expected.forEach((partition, chain) -> {
            if (!chain.equals(found.get(partition))) {
                wrong.add(
                        "INV1: " + partition + ": the order of effects isn't that of the partition, or some are more or"
                                + " fewer: " + found.get(partition) + " instead of " + chain);
            }
        });
        return wrong;
    }

    /** INV5. */
    public List<String> leftOpen() {
        return jdbc.queryForList(Checks.LEFT_OPEN, String.class).stream()
                .map(found -> "INV5: " + found)
                .toList();
    }

    /** INV6. */
    private List<String> ahead(Map<Integer, Long> groupOffsets) {
        Map<Integer, Long> positions = new HashMap<>();
        jdbc.query(Checks.POSITIONS, row -> {
            positions.put(row.getInt(1), row.getLong(2));
        });
        List<String> wrong = new ArrayList<>();
        groupOffsets.forEach((partition, offset) -> {
            if (offset > positions.getOrDefault(partition, 0L)) {
                wrong.add("INV6: " + partition + ": Kafka's group stands at " + offset + ", Postgres at "
                        + positions.get(partition));
            }
        });
        return wrong;
    }
}
