package io.github.tandemstreams.torture.check;

import java.util.List;

/** The invariants as SQL: each statement yields a line for whatever breaks it. */
final class Checks {

    /** One statement, and what it stands for. */
    record Check(String invariant, String sql) {}

    private static final String MISSING = """
            select format('%s@%s (%s) is neither seen nor a dead letter', e.part, e.off, e.key)
              from checker.expected e
             where not exists (select 1 from seen s where (s.part, s.off) = (e.part, e.off))
               and not exists (select 1 from tandem.dead_letter d where (d.partition, d.record_offset) = (e.part, e.off))
             order by e.part, e.off
            """;

    private static final String SEEN_TWICE = """
            select format('%s@%s (%s) was seen %s times, in batches %s by %s', part, off, min(key), count(*),
                          array_agg(batch_id order by batch_id), array_agg(instance order by batch_id))
              from seen
             group by part, off
            having count(*) > 1
             order by part, off
            """;

    private static final String DEAD_TWICE = """
            select format('%s@%s is %s dead letters', partition, record_offset, count(*))
              from tandem.dead_letter
             group by partition, record_offset
            having count(*) > 1
            """;

    private static final String NEVER_COMMITTED = """
            select format('%s@%s (%s) is %s, and was never committed to the topic', part, off, f.key, f.what)
              from (select part, off, key, 'seen' as what from seen
                     union all
                    select partition, record_offset, convert_from(key, 'utf8'), 'a dead letter' from tandem.dead_letter) f
              left join checker.expected e using (part, off)
             where e.part is null
            """;

    private static final String SEEN_CHANGED = """
            select format('%s@%s was seen as (%s, %s) instead of (%s, %s)', e.part, e.off, s.key, s.val, e.key, e.seen)
              from seen s
              join checker.expected e using (part, off)
             where (s.key, s.val) is distinct from (e.key, e.seen)
            """;

    private static final String DEAD_CHANGED = """
            select format('%s@%s (%s) is a dead letter with other bytes', e.part, e.off, e.key)
              from tandem.dead_letter d
              join checker.expected e on (e.part, e.off) = (d.partition, d.record_offset)
             where (d.key, d.value) is distinct from (convert_to(e.key, 'utf8'), e.value)
            """;

    private static final String WRONG_END = """
            select format('%s@%s (%s) is a dead letter: %s %s', e.part, e.off, e.key, d.cause_class, d.message)
              from tandem.dead_letter d
              join checker.expected e on (e.part, e.off) = (d.partition, d.record_offset)
             where not e.parked
             union all
            select format('%s@%s (%s) was seen, and no handler can bear it', e.part, e.off, e.key)
              from seen s
              join checker.expected e using (part, off)
             where e.parked
            """;

    private static final String GAPS = """
            select format('%s: batch %s stands where %s should', lane, batch, place)
              from (select lane, batch, row_number() over (partition by lane order by batch) - 1 as place
                      from tandem.commit_log) numbered
             where batch <> place
            """;

    /** The plan of the next batch may stand there already. */
    private static final String LOGS = """
            select format('%s: batch %s has %s', lane, batch,
                          case when o.lane is null then 'a commit, but no plan' else 'a plan, but no commit' end)
              from tandem.offset_log o
              full join tandem.commit_log c using (lane, batch)
              left join tandem.lane l using (lane)
             where o.lane is null
                or (c.lane is null and batch is distinct from l.last_batch + 1)
                or o.generation <> c.generation
            """;

    private static final String RANGES = """
            select format('%s: batch %s starts at %s, but the one before it ended at %s',
                          partition, batch, start_offset, before)
              from (select partition, batch, start_offset,
                           lag(end_offset, 1, 0::bigint) over (partition by partition order by batch) as before
                      from tandem.batch) ranges
             where start_offset <> before
            """;

    private static final String COUNTS = """
            select format('%s: batch %s is %s, with %s records and %s dead letters, its range %s to %s holds %s and %s',
                          b.lane, b.batch, b.status, b.records, b.dead_letters, b.start_offset, b.end_offset,
                          e.records, e.dead_letters)
              from tandem.batch b
             cross join lateral (
                    select count(*) filter (where not parked) as records, count(*) filter (where parked) as dead_letters
                      from checker.expected
                     where part = split_part(b.partition, '-', 2)::integer
                       and off >= b.start_offset and off < b.end_offset) e
             where b.status <> 'planned'
               and (b.status, b.records, b.dead_letters) <> ('committed', e.records, e.dead_letters)
            """;

    private static final String OUTSIDE = """
            select format('%s@%s (%s) was written by batch %s, whose range is %s to %s',
                          f.part, f.off, f.what, f.batch, b.start_offset, b.end_offset)
              from (select part, off, batch_id as batch, 'seen' as what from seen
                     union all
                    select partition, record_offset, batch, 'dead letter' from tandem.dead_letter) f
              left join tandem.batch b
                on b.batch = f.batch and split_part(b.partition, '-', 2)::integer = f.part and b.status = 'committed'
             where f.off < b.start_offset or f.off >= b.end_offset or b.batch is null
            """;

    private static final String LANES = """
            select format('%s: stands %s at batch %s and offset %s, its last commit is batch %s up to %s%s',
                          l.lane, l.state, l.last_batch, l.next_offset, b.batch, b.end_offset, ': ' || l.failure)
              from tandem.lane_position l
              left join lateral (select batch, end_offset
                                   from tandem.batch
                                  where partition = l.partition and status <> 'planned'
                                  order by batch desc
                                  limit 1) b on true
             where (l.state, l.last_batch, l.next_offset) <> ('active', coalesce(b.batch, -1), coalesce(b.end_offset, 0))
            """;

    private static final String UNREAD = """
            select format('%s: stands at %s, though the topic has committed records up to %s',
                          e.part, l.next_offset, e.last)
              from (select part, max(off) as last from checker.expected group by part) e
              left join tandem.lane_position l on split_part(l.partition, '-', 2)::integer = e.part
             where l.next_offset is null or l.next_offset <= e.last
            """;

    private static final String EPOCHS = """
            select format('%s: batch %s was committed in epoch %s, the one before it in %s', lane, batch, epoch, before)
              from (select lane, batch, epoch, lag(epoch) over (partition by lane order by batch) as before
                      from tandem.commit_log) epochs
             where before > epoch
             union all
            select format('%s: stands at epoch %s, and has a commit in epoch %s', l.lane, l.epoch, c.epoch)
              from tandem.lane l
              join (select lane, max(epoch) as epoch from tandem.commit_log group by lane) c using (lane)
             where c.epoch > l.epoch
            """;

    private static final String SEEN_AND_DEAD = """
            select format('%s@%s (%s) is both seen and a dead letter', s.part, s.off, s.key)
              from seen s
              join tandem.dead_letter d on (d.partition, d.record_offset) = (s.part, s.off)
            """;

    /** A session between two statements is at work, one that stays there isn't. */
    static final String LEFT_OPEN = """
            select format('session %s of %s is %s for %s s: %s', pid, application_name, state,
                          extract(epoch from clock_timestamp() - state_change)::integer, left(query, 60))
              from pg_stat_activity
             where datname = current_database()
               and state like 'idle in transaction%' and clock_timestamp() - state_change > interval '3 s'
             union all
            select format('advisory lock of session %s', pid)
              from pg_locks
             where locktype = 'advisory'
               and database = (select oid from pg_database where datname = current_database())
            """;

    /** Where the lanes stand, by the partition's number. */
    static final String POSITIONS = """
            select split_part(partition, '-', 2)::integer, next_offset from tandem.lane_position
            """;

    static final String CHAINS = "select part, n, chain from running";

    /** INV1 to INV4. */
    static final List<Check> ALL = List.of(
            new Check("INV1", MISSING),
            new Check("INV1", SEEN_TWICE),
            new Check("INV1", DEAD_TWICE),
            new Check("INV1", NEVER_COMMITTED),
            new Check("INV1", SEEN_CHANGED),
            new Check("INV1", DEAD_CHANGED),
            new Check("INV1", WRONG_END),
            new Check("INV1", UNREAD),
            new Check("INV2", GAPS),
            new Check("INV2", LOGS),
            new Check("INV2", RANGES),
            new Check("INV2", COUNTS),
            new Check("INV2", OUTSIDE),
            new Check("INV2", LANES),
            new Check("INV3", EPOCHS),
            new Check("INV4", SEEN_AND_DEAD));

    private Checks() {}
}
