package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.DeadLetterStore;
import io.github.tandemstreams.checkpoint.RecordKey;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.RawRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Parks records in the transaction of their batch, and keeps what becomes of them. */
final class DeadLetterTable implements DeadLetterStore {

    /**
     * A record that is parked again, after a rewind, is one dead letter still. It is parked now, not when the handler's transaction
     * began: a command that was tried out in between has not seen it.
     */
    private static final String PARK = """
            insert into tandem.dead_letter as d (stream, topic, topic_id, partition, record_offset, lane, batch,
                                                 key, value, headers, record_timestamp,
                                                 cause_class, message, stack_trace, status, parked_at)
            select m.stream, m.topic, m.topic_id, m.partition, m.record_offset, m.lane, m.batch,
                   m.key, m.value, m.headers, timestamptz 'epoch' + m.timestamp_ms * interval '1 ms',
                   m.cause_class, m.message, m.stack_trace, m.status, clock_timestamp()
              from {rows m: stream text, topic text, topic_id text, partition integer, record_offset bigint, lane text,
                            batch bigint, key bytea, value bytea, headers json, timestamp_ms bigint,
                            cause_class text, message text, stack_trace text, status text}
             order by m.stream, m.topic_id, m.topic, m.partition, m.record_offset
                on conflict (stream, topic_id, topic, partition, record_offset) do update
               set lane = excluded.lane, batch = excluded.batch,
                   key = excluded.key, value = excluded.value, headers = excluded.headers,
                   record_timestamp = excluded.record_timestamp, cause_class = excluded.cause_class,
                   message = excluded.message, stack_trace = excluded.stack_trace,
                   attempts = d.attempts + 1, redrives = 0, status = excluded.status, reason = null,
                   parked_at = excluded.parked_at, settled_at = null, erased_at = null
            """;

    private static final String COLUMNS = """
            id, stream, lane, batch, topic, topic_id, partition, record_offset, record_timestamp, key, value, headers,
            cause_class, message, stack_trace, attempts, redrives, status, reason, parked_at
            """;

    private static final String WAITING = "select " + COLUMNS + """
              from tandem.dead_letter
             where stream = ? and status in ('parked', 'held') and id > ?
             order by id
             limit ?
            """;

    /** FOR SHARE waits for a re-drive whose COMMIT is in flight. */
    private static final String FIND = "select " + COLUMNS + """
              from tandem.dead_letter
             where stream = ? and id = ?
               for share
            """;

    /** Those of a key in the order of their offsets, which isn't that of ids where one was parked again after a rewind. */
    private static final String TAKE = """
            update tandem.dead_letter d
               set status = 'redriven', settled_at = now()
             where d.stream = ? and d.id = ? and d.status in ('parked', 'held')
               and (not ?::boolean or d.key is null or not exists (
                    select from tandem.dead_letter e
                     where (e.stream, e.lane, e.key) = (d.stream, d.lane, d.key)
                       and (e.topic_id, e.topic, e.partition, e.record_offset)
                           < (d.topic_id, d.topic, d.partition, d.record_offset)
                       and e.status in ('parked', 'held')))
            """ + "returning " + COLUMNS;

    private static final String REDRIVE_FAILED = """
            update tandem.dead_letter
               set redrives = redrives + 1, status = 'parked', cause_class = ?, message = ?, stack_trace = ?
             where stream = ? and id = ? and status in ('parked', 'held')
            """;

    private static final String DISCARD = """
            update tandem.dead_letter
               set status = 'discarded', reason = ?, settled_at = now()
             where stream = ? and id = ? and status in ('parked', 'held')
            """;

    private static final String ERASE = """
            update tandem.dead_letter
               set key = null, value = null, headers = '[]', message = null, stack_trace = null, erased_at = now(),
                   reason = case when status in ('parked', 'held') then 'erased' else reason end,
                   settled_at = case when status in ('parked', 'held') then now() else settled_at end,
                   status = case when status in ('parked', 'held') then 'discarded' else status end
             where stream = ? and erased_at is null and {which}
            """;

    /** A re-drive that isn't done finds those that are held by what stood in front of them, which it may have processed. */
    private static final String PRUNE = """
            delete from tandem.dead_letter d
             where d.stream = ? and d.status not in ('parked', 'held') and coalesce(d.settled_at, d.parked_at) < ?
               and not exists (
                    select from tandem.operator_command c
                     where c.stream = d.stream and c.action = 'redrive' and c.status = 'pending'
                       and c.issued_at <= d.settled_at)
            """;

    private static final String WAITING_KEYS = """
            select distinct key
              from tandem.dead_letter
             where stream = ? and lane = ? and status in ('parked', 'held') and key = any (?::bytea[])
            """;

    private static final String ANY_WAITING = """
            select exists (
                select from tandem.dead_letter where stream = ? and lane = ? and status in ('parked', 'held'))
            """;

    /** The end of the year 9999. Producers set timestamps as they like, and what Postgres can't hold would fail the batch. */
    private static final long MAX_TIMESTAMP = 253_402_300_799_999L;

    private final JdbcTemplate jdbc;
    private final OwnTransactions own;
    private final SchemaName schema;
    private final RowsSql park;

    DeadLetterTable(JdbcTemplate jdbc, OwnTransactions own, SchemaName schema) {
        this.jdbc = jdbc;
        this.own = own;
        this.schema = schema;
        this.park = RowsSql.of(schema.in(PARK));
    }

    /** Costs nothing if there are none. */
    void park(List<Commit> commits) {
        List<Row> rows = commits.stream()
                .flatMap(commit -> commit.deadLetters().stream().map(letter -> new Row(commit, letter)))
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        jdbc.update(
                park.of(rows.size()),
                Columns.of(rows)
                        .text(row -> row.commit.fence().lane().stream())
                        .text(row -> row.record().topic())
                        .text(row -> row.commit.topicId())
                        .integer(row -> row.record().partition())
                        .bigint(row -> row.record().offset())
                        .text(row -> row.commit.fence().lane().lane())
                        .bigint(row -> row.commit.plan().batch())
                        .bytea(row -> row.record().key())
                        .bytea(row -> row.record().value())
                        .text(row -> Json.of(row.record().headers()))
                        .bigint(row -> timestamp(row.record()))
                        .text(row -> row.cause().type())
                        .text(row -> Json.storable(row.cause().message()))
                        .text(row -> Json.storable(row.cause().stackTrace()))
                        .text(row -> row.letter.held() ? "held" : "parked"));
    }

    @Override
    public List<DeadLetterRecord> waiting(String stream, long afterId, int limit) {
        return own.run(() -> jdbc.query(schema.in(WAITING), DeadLetterTable::letter, stream, afterId, limit));
    }

    @Override
    public Optional<DeadLetterRecord> find(String stream, long id) {
        return own.run(() -> jdbc.query(schema.in(FIND), DeadLetterTable::letter, stream, id)).stream()
                .findFirst();
    }

    @Override
    public Optional<DeadLetterRecord> take(String stream, long id, boolean inOrderOfKeys) {
        return jdbc.query(schema.in(TAKE), DeadLetterTable::letter, stream, id, inOrderOfKeys).stream()
                .findFirst();
    }

    @Override
    public void redriveFailed(String stream, long id, Cause cause) {
        own.run(() -> jdbc.update(
                schema.in(REDRIVE_FAILED),
                cause.type(),
                Json.storable(cause.message()),
                Json.storable(cause.stackTrace()),
                stream,
                id));
    }

    @Override
    public boolean discard(String stream, long id, String reason) {
        return own.run(() -> jdbc.update(schema.in(DISCARD), Json.storable(reason), stream, id)) > 0;
    }

    @Override
    public int erase(String stream, Instant parkedBefore) {
        return own.run(() -> jdbc.update(
                schema.in(ERASE.replace("{which}", "parked_at < ?")), stream, Timestamp.from(parkedBefore)));
    }

    @Override
    public int eraseKey(String stream, byte[] key) {
        return own.run(() -> jdbc.update(schema.in(ERASE.replace("{which}", "key = ?")), stream, key));
    }

    @Override
    public int prune(String stream, Instant settledBefore) {
        return own.run(() -> jdbc.update(schema.in(PRUNE), stream, Timestamp.from(settledBefore)));
    }

    @Override
    public Set<RecordKey> waitingKeys(LaneId lane, Collection<RecordKey> keys) {
        return own.run(() -> new HashSet<>(jdbc.query(
                schema.in(WAITING_KEYS),
                statement -> {
                    statement.setString(1, lane.stream());
                    statement.setString(2, lane.lane());
                    statement.setArray(
                            3,
                            statement
                                    .getConnection()
                                    .createArrayOf(
                                            "bytea",
                                            keys.stream().map(RecordKey::bytes).toArray(byte[][]::new)));
                },
                (row, number) -> new RecordKey(row.getBytes(1)))));
    }

    @Override
    public boolean anyWaiting(LaneId lane) {
        return Boolean.TRUE.equals(
                own.run(() -> jdbc.queryForObject(schema.in(ANY_WAITING), Boolean.class, lane.stream(), lane.lane())));
    }

    private static DeadLetterRecord letter(ResultSet row, int number) throws SQLException {
        Timestamp timestamp = row.getTimestamp("record_timestamp");
        return new DeadLetterRecord(
                row.getLong("id"),
                row.getString("stream"),
                row.getString("lane"),
                row.getLong("batch"),
                row.getString("topic"),
                row.getString("topic_id"),
                row.getInt("partition"),
                row.getLong("record_offset"),
                timestamp == null ? null : timestamp.toInstant(),
                row.getBytes("key"),
                row.getBytes("value"),
                Json.headers(row.getString("headers")),
                row.getString("cause_class"),
                row.getString("message"),
                row.getString("stack_trace"),
                row.getInt("attempts"),
                row.getInt("redrives"),
                DeadLetterRecord.Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getString("reason"),
                row.getTimestamp("parked_at").toInstant());
    }

    private record Row(Commit commit, DeadLetter letter) {

        RawRecord record() {
            return letter.record();
        }

        Cause cause() {
            return letter.cause();
        }
    }

    private static @Nullable Long timestamp(RawRecord record) {
        long timestamp = record.timestamp();
        return timestamp < 0 || timestamp > MAX_TIMESTAMP ? null : timestamp;
    }
}
