package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.sink.DeadLetter;
import io.github.tandemstreams.source.RawRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Parks records in the transaction of their batch. */
final class DeadLetterTable {

    /** A record that is parked again, after a rewind, is one dead letter still. */
    private static final String PARK = """
            insert into tandem.dead_letter as d (stream, topic, topic_id, partition, record_offset, lane, batch,
                                                 key, value, headers, record_timestamp,
                                                 cause_class, message, stack_trace)
            select m.stream, m.topic, m.topic_id, m.partition, m.record_offset, m.lane, m.batch,
                   m.key, m.value, m.headers, timestamptz 'epoch' + m.timestamp_ms * interval '1 ms',
                   m.cause_class, m.message, m.stack_trace
              from unnest(?::text[], ?::text[], ?::text[], ?::integer[], ?::bigint[], ?::text[], ?::bigint[],
                          ?::bytea[], ?::bytea[], ?::json[], ?::bigint[],
                          ?::text[], ?::text[], ?::text[])
                as m (stream, topic, topic_id, partition, record_offset, lane, batch,
                      key, value, headers, timestamp_ms,
                      cause_class, message, stack_trace)
             order by m.stream, m.topic_id, m.topic, m.partition, m.record_offset
                on conflict (stream, topic_id, topic, partition, record_offset) do update
               set lane = excluded.lane, batch = excluded.batch,
                   key = excluded.key, value = excluded.value, headers = excluded.headers,
                   record_timestamp = excluded.record_timestamp, cause_class = excluded.cause_class,
                   message = excluded.message, stack_trace = excluded.stack_trace,
                   attempts = d.attempts + 1, status = 'parked', parked_at = now()
            """;

    /** The end of the year 9999. Producers set timestamps as they like, and what Postgres can't hold would fail the batch. */
    private static final long MAX_TIMESTAMP = 253_402_300_799_999L;

    private final JdbcTemplate jdbc;
    private final String park;

    DeadLetterTable(JdbcTemplate jdbc, SchemaName schema) {
        this.jdbc = jdbc;
        this.park = schema.in(PARK);
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
                park,
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
                        .text(row -> Json.storable(row.cause().stackTrace())));
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
