package io.github.tandemstreams.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Checks the invariants that hold after every scenario, by SQL alone, over the table {@code seen} that a probing handler
 * fills without any unique constraint.
 */
public final class Ledger {

    private final JdbcTemplate jdbc;
    private final String stream;

    public Ledger(JdbcTemplate jdbc, String stream) {
        this.jdbc = jdbc;
        this.stream = stream;
    }

    /** Creates the table of the probe. */
    public static void create(JdbcTemplate jdbc) {
        jdbc.execute("create table seen (lane text, part int, off bigint, val text, batch_id bigint)");
    }

    /** Everything: each record in its place once, batches without gap, epochs that never fall, nothing left open. */
    public void check(Map<Integer, List<Long>> visibleOffsets) {
        everyRecordOnce(visibleOffsets);
        batchesAreContiguous();
        epochsNeverFall();
        nothingIsLeftOpen();
    }

    /** INV1 and INV4: seen and dead letters together are the visible records, each once. */
    public void everyRecordOnce(Map<Integer, List<Long>> visibleOffsets) {
        List<String> expected = visibleOffsets.entrySet().stream()
                .flatMap(partition -> partition.getValue().stream().map(offset -> partition.getKey() + "@" + offset))
                .sorted()
                .toList();
        List<String> actual = jdbc.queryForList("""
                select part || '@' || off from seen
                union all
                select partition || '@' || record_offset from tandem.dead_letter where stream = ? and status = 'parked'
                """, String.class, stream);
        assertThat(actual.stream().sorted().toList()).isEqualTo(expected);
    }

    /** INV2: per lane ids grow by one from 0, and each batch starts where the one before ended. */
    public void batchesAreContiguous() {
        List<String> breaks = jdbc.queryForList("""
                select lane || ' batch ' || batch || ': ' || starts || ' after ' || coalesce(previous_ends::text, 'nothing')
                from (
                    select c.lane, c.batch, o.starts, o.batch as planned,
                           lag(o.ends) over w as previous_ends, lag(c.batch) over w as previous_batch
                    from tandem.commit_log c left join tandem.offset_log o using (stream, lane, batch)
                    where c.stream = ? window w as (partition by c.lane order by c.batch)) b
                where planned is null
                   or batch <> coalesce(previous_batch + 1, batch)
                   or (previous_ends is not null and previous_ends <> starts)
                """, String.class, stream);
        assertThat(breaks).isEmpty();
    }

    /** INV3: the epochs of a lane's commits never fall. */
    public void epochsNeverFall() {
        List<String> falls = jdbc.queryForList("""
                select lane || ' batch ' || batch from (
                    select lane, batch, epoch, lag(epoch) over (partition by lane order by batch) as before
                    from tandem.commit_log where stream = ?) c
                where before > epoch
                """, String.class, stream);
        assertThat(falls).isEmpty();
    }

    /**
     * INV5: no session stays in a transaction, and no advisory lock is left. Streams may go on meanwhile: between two
     * statements of theirs each session looks idle for a moment, so what is open now must end, and isn't asked to be nothing.
     */
    public void nothingIsLeftOpen() {
        Set<String> left = new HashSet<>(open());
        await("the transactions that are open now end: " + left)
                .atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    left.retainAll(open());
                    return left.isEmpty();
                });
    }

    private List<String> open() {
        return jdbc.queryForList("""
                select pid || ' in the transaction of ' || xact_start || ' after ' || query from pg_stat_activity
                where datname = current_database() and state like 'idle in transaction%'
                union all
                select pid || ' holds advisory lock ' || virtualtransaction from pg_locks
                where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
                """, String.class);
    }

    /** Where each lane stands. */
    public Map<String, Long> positions() {
        return jdbc
                .queryForList(
                        "select l.lane, p.value::bigint as position from tandem.lane l, jsonb_each_text(position) p"
                                + " where stream = ?",
                        stream)
                .stream()
                .collect(Collectors.toMap(row -> (String) row.get("lane"), row -> (Long) row.get("position")));
    }
}
