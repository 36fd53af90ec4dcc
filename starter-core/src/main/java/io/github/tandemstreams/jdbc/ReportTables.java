package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamReport;
import io.github.tandemstreams.checkpoint.LaneEnd;
import io.github.tandemstreams.checkpoint.ReportStore;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads the tables for people, and keeps the ends of lanes, which only they are interested in. */
final class ReportTables implements ReportStore {

    /** The last commit of each lane is found by its key: most are the first row from behind. */
    private static final String STREAMS = """
            select s.stream, s.topics, s.stopped, s.version,
                   l.active, l.paused, l.stopped as stopped_lanes, l.failed,
                   g.lag, d.waiting, l.last_commit, l.failure
              from tandem.stream s
             cross join lateral (
                   select count(*) filter (where state = 'active')  as active,
                          count(*) filter (where state = 'paused')  as paused,
                          count(*) filter (where state = 'stopped') as stopped,
                          count(*) filter (where state = 'failed')  as failed,
                          max(c.committed_at)                       as last_commit,
                          (array_agg(lane || ': ' || failure order by changed_at desc)
                              filter (where state = 'failed'))[1]   as failure
                     from tandem.lane l
                     left join lateral (
                          select committed_at
                            from tandem.commit_log c
                           where (c.stream, c.lane) = (l.stream, l.lane) and c.status = 'committed'
                           order by c.batch desc
                           limit 1) c on true
                    where l.stream = s.stream) l
             cross join lateral (
                   select case when bool_and(g.lag is not null) then sum(g.lag)::bigint end as lag
                     from tandem.lane_lag g
                    where g.stream = s.stream) g
             cross join lateral (
                   select count(*) as waiting
                     from tandem.dead_letter d
                    where d.stream = s.stream and d.status in ('parked', 'held')) d
             where s.stream = any (?::text[])
             order by s.stream collate "C"
            """;

    private static final String LANES = """
            select l.lane, l.state, l.instance, l.epoch, l.last_batch, l.position, l.changed_at, l.failure,
                   g.latest, g.lag, g.lag_seconds, g.seen_at
              from tandem.lane l
             cross join lateral (
                   select coalesce(jsonb_object_agg(g.partition, g.end_offset)
                                       filter (where g.end_offset is not null), '{}') as latest,
                          case when bool_and(g.lag is not null) then sum(g.lag)::bigint end as lag,
                          case when bool_and(g.lag_seconds is not null) then max(g.lag_seconds) end as lag_seconds,
                          min(g.seen_at) filter (where g.end_offset is not null) as seen_at
                     from tandem.lane_lag g
                    where (g.stream, g.lane) = (l.stream, l.lane)) g
             where l.stream = ?
             order by l.lane collate "C"
            """;

    /** Rates are those of the view stream_progress, which would look at the whole log of a lane for a few batches. */
    private static final String COLUMNS = """
            select o.lane, o.batch, o.generation, o.starts, o.ends, coalesce(c.status, 'planned') as status,
                   greatest(o.attempts, c.attempts) as attempts, c.epoch, c.instance,
                   coalesce(c.records, 0) as records, coalesce(c.dead_letters, 0) as dead_letters,
                   (select case when c.started_at > p.started_at
                                then c.records / extract(epoch from c.started_at - p.started_at)::double precision end
                      from tandem.commit_log p
                     where (p.stream, p.lane) = (c.stream, c.lane) and p.batch < c.batch and p.status = 'committed'
                     order by p.batch desc
                     limit 1) as records_per_second_in,
                   c.records * 1000.0::double precision / nullif(c.duration_ms::double precision, 0) as records_per_second_out,
                   o.planned_at, c.started_at, c.committed_at,
                   c.plan_ms, c.queue_ms, c.decode_ms, c.handler_ms, c.duration_ms, c.trace_id
            """;

    private static final String BATCHES = COLUMNS + """
              from tandem.offset_log o
              left join tandem.commit_log c using (stream, lane, batch)
             where o.stream = ?
            """;

    private static final String OF_LANE = " and o.lane = ? order by o.batch desc limit ?";
    private static final String OLDEST = " and o.lane = ? order by o.batch limit 1";
    private static final String OF_RECORD = """
             and (o.lane, o.batch) in (select b.lane, b.batch from tandem.batch_of_record(?, ?, ?, ?) b)
            """;

    /** By the key of each lane, from behind: of many lanes only the last batches are looked at, and never the whole logs. */
    private static final String OF_ALL_LANES = COLUMNS + """
              from tandem.lane l
             cross join lateral (
                   select *
                     from tandem.offset_log o
                    where (o.stream, o.lane) = (l.stream, l.lane)
                    order by o.batch desc
                    limit (select greatest(3, least(?, 5000 / greatest(count(*), 1))) from tandem.lane where stream = ?)) o
              left join tandem.commit_log c on (c.stream, c.lane, c.batch) = (o.stream, o.lane, o.batch)
             where l.stream = ?
             order by coalesce(c.committed_at, o.planned_at) desc, o.lane collate "C", o.batch desc
             limit ?
            """;

    /** What was known of the oldest record stays true as long as the lane stands where it stood. */
    private static final String SEEN = """
            insert into tandem.lane_end as e (stream, lane, position, ends, oldest, told_at, seen_at)
            select m.stream, m.lane, m.position, m.ends, m.oldest, clock_timestamp(),
                   clock_timestamp() - m.age * interval '1 ms'
              from {rows m: stream text, lane text, position jsonb, ends jsonb, oldest timestamptz, age bigint}
             order by m.stream, m.lane
                on conflict (stream, lane) do update
               set position = excluded.position, ends = excluded.ends, told_at = excluded.told_at,
                   seen_at = excluded.seen_at,
                   oldest = case when excluded.oldest is null and e.position = excluded.position
                                 then e.oldest else excluded.oldest end
            """;

    private final JdbcTemplate jdbc;
    private final OwnTransactions own;
    private final String streams;
    private final String lanes;
    private final String batches;
    private final String batchesOfLane;
    private final String oldestBatch;
    private final String batchOfRecord;
    private final RowsSql seen;

    ReportTables(JdbcTemplate jdbc, OwnTransactions own, SchemaName schema) {
        this.jdbc = jdbc;
        this.own = own;
        this.streams = schema.in(STREAMS);
        this.lanes = schema.in(LANES);
        this.batches = schema.in(OF_ALL_LANES);
        this.batchesOfLane = schema.in(BATCHES + OF_LANE);
        this.oldestBatch = schema.in(BATCHES + OLDEST);
        this.batchOfRecord = schema.in(BATCHES + OF_RECORD);
        this.seen = RowsSql.of(schema.in(SEEN));
    }

    @Override
    public List<StreamReport> streams(Collection<String> names) {
        return own.run(() -> jdbc.query(
                streams,
                statement -> statement.setArray(
                        1, statement.getConnection().createArrayOf("text", names.toArray(String[]::new))),
                ReportTables::stream));
    }

    @Override
    public List<LaneReport> lanes(String stream) {
        return own.run(() -> jdbc.query(lanes, ReportTables::lane, stream));
    }

    @Override
    public List<BatchReport> batches(String stream, @Nullable String lane, int limit) {
        return own.run(() -> lane == null
                ? jdbc.query(batches, ReportTables::batch, limit, stream, stream, limit)
                : jdbc.query(batchesOfLane, ReportTables::batch, stream, lane, limit));
    }

    @Override
    public Optional<BatchReport> batchOf(String stream, String topic, int partition, long offset) {
        return own
                .run(() -> jdbc.query(batchOfRecord, ReportTables::batch, stream, stream, topic, partition, offset))
                .stream()
                .findFirst();
    }

    @Override
    public Optional<BatchReport> oldestBatch(String stream, String lane) {
        return own.run(() -> jdbc.query(oldestBatch, ReportTables::batch, stream, lane)).stream()
                .findFirst();
    }

    @Override
    public void seen(Map<LaneEnd, Duration> ends) {
        if (ends.isEmpty()) {
            return;
        }
        own.run(() -> jdbc.update(
                seen.of(ends.size()),
                Columns.of(ends.entrySet())
                        .text(end -> end.getKey().lane().stream())
                        .text(end -> end.getKey().lane().lane())
                        .text(end -> Json.of(end.getKey().position()))
                        .text(end -> Json.of(end.getKey().ends()))
                        .text(end -> end.getKey().oldest() == null
                                ? null
                                : end.getKey().oldest().toString())
                        .bigint(end -> end.getValue().toMillis())));
    }

    private static StreamReport stream(ResultSet row, int number) throws SQLException {
        Map<LaneState, Integer> states = new EnumMap<>(LaneState.class);
        states.put(LaneState.ACTIVE, row.getInt("active"));
        states.put(LaneState.PAUSED, row.getInt("paused"));
        states.put(LaneState.STOPPED, row.getInt("stopped_lanes"));
        states.put(LaneState.FAILED, row.getInt("failed"));
        return new StreamReport(
                row.getString("stream"),
                texts(row.getArray("topics")),
                row.getBoolean("stopped"),
                row.getLong("version"),
                states,
                number(row, "lag"),
                row.getLong("waiting"),
                instant(row, "last_commit"),
                row.getString("failure"));
    }

    private static LaneReport lane(ResultSet row, int number) throws SQLException {
        return new LaneReport(
                row.getString("lane"),
                LaneState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getString("instance"),
                row.getLong("epoch"),
                row.getLong("last_batch"),
                Json.offsets(row.getString("position")),
                Json.offsets(row.getString("latest")),
                number(row, "lag"),
                decimal(row, "lag_seconds"),
                instant(row, "seen_at"),
                row.getTimestamp("changed_at").toInstant(),
                row.getString("failure"));
    }

    private static BatchReport batch(ResultSet row, int number) throws SQLException {
        Offsets starts = Json.offsets(row.getString("starts"));
        long epoch = row.getLong("epoch");
        boolean planned = row.wasNull();
        return new BatchReport(
                row.getString("lane"),
                row.getLong("batch"),
                row.getInt("generation"),
                new OffsetRange(starts, Json.offsets(row.getString("ends"))),
                row.getString("status"),
                row.getInt("attempts"),
                planned ? null : epoch,
                row.getString("instance"),
                row.getInt("records"),
                row.getInt("dead_letters"),
                decimal(row, "records_per_second_in"),
                decimal(row, "records_per_second_out"),
                row.getTimestamp("planned_at").toInstant(),
                instant(row, "started_at"),
                instant(row, "committed_at"),
                duration(row, "duration_ms"),
                phases(row),
                row.getString("trace_id"));
    }

    private static Map<BatchPhase, Duration> phases(ResultSet row) throws SQLException {
        Map<BatchPhase, Duration> phases = new EnumMap<>(BatchPhase.class);
        for (BatchPhase phase : PHASES.keySet()) {
            Duration duration = duration(row, PHASES.get(phase));
            if (duration != null) {
                phases.put(phase, duration);
            }
        }
        return phases;
    }

    /** COMMIT's own time can't be in a row that it writes. */
    private static final Map<BatchPhase, String> PHASES = Map.of(
            BatchPhase.PLAN, "plan_ms",
            BatchPhase.QUEUE, "queue_ms",
            BatchPhase.DECODE, "decode_ms",
            BatchPhase.HANDLER, "handler_ms");

    private static @Nullable Duration duration(ResultSet row, String milliseconds) throws SQLException {
        double value = row.getDouble(milliseconds);
        return row.wasNull() ? null : Duration.ofNanos(Math.round(value * 1e6));
    }

    private static OptionalLong number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static OptionalDouble decimal(ResultSet row, String column) throws SQLException {
        double value = row.getDouble(column);
        return row.wasNull() ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp timestamp = row.getTimestamp(column);
        return timestamp == null ? null : timestamp.toInstant();
    }

    private static List<String> texts(Array array) throws SQLException {
        return List.of((String[]) array.getArray());
    }
}
