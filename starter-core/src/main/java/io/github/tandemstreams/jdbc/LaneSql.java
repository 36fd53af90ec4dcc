package io.github.tandemstreams.jdbc;

/**
 * The statements on lanes and their logs, for one schema. Rows come as one array per column, so the text and the number of
 * parameters of a statement don't depend on how many lanes it is about.
 *
 * <p>A statement that writes for several lanes locks their rows first, ordered by key: two instances that share lanes in
 * a different order would deadlock otherwise.
 */
final class LaneSql {

    /** What every write compares under the lock of the lane's row {@code l}. {@code m} is what the owner believes. */
    private static final String COMPARE = """
            (l.stream, l.lane) = (m.stream, m.lane)
               and (l.epoch, l.owner, l.last_batch, l.position) = (m.epoch, m.owner, m.last_batch, m.position)""";

    private static final String TOPICS = "select unnest(topics) from tandem.stream where stream = ?";

    private static final String ADD_STREAM = """
            insert into tandem.stream (stream) values (?) on conflict do nothing
            """;

    /** What is stored wins over what comes. */
    private static final String SETTLE = """
            update tandem.stream set settings = ?::jsonb || settings where stream = ? returning settings
            """;

    /** A statement of its own after {@link #ADD_STREAM}, so that it sees what another instance has just committed. */
    private static final String LOCK_STREAM = """
            select unnest(s.topics) from (select topics from tandem.stream where stream = ? for update) s
            """;

    private static final String ADD_TOPICS = """
            update tandem.stream set topics = topics || ?::text[] where stream = ?
            """;

    private static final String ADD_LANES = """
            insert into tandem.lane (stream, lane, position, topic_id)
            select m.stream, m.lane, m.position, nullif(m.topic_id, '')
              from unnest(?::text[], ?::text[], ?::jsonb[], ?::text[]) as m (stream, lane, position, topic_id)
             order by m.stream, m.lane
                on conflict do nothing
            """;

    /** Which database this is: another cluster, or another timeline, tells of a restore or a fail-over. */
    static final String DATABASE = """
            select c.system_identifier,
                   ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
              from pg_control_system() c
            """;

    /** In another database than the one of the last claim, ids of plans may have been used that this one has forgotten. */
    private static final String CLAIM = """
            update tandem.lane
               set epoch = epoch + 1, owner = ?, instance = ?, claimed_at = now(),
                   generation = generation
                       + case when system_identifier <> ?::bigint or timeline <> ?::integer then 1 else 0 end,
                   system_identifier = coalesce(?::bigint, system_identifier),
                   timeline = coalesce(?::integer, timeline)
             where stream = ? and lane = ? and (epoch = ?::bigint or ?::bigint is null)
            returning epoch, generation, last_batch, position, topic_id, dead_in_a_row, state, failure
            """;

    /**
     * Must follow {@link #CLAIM} as a new statement: the snapshot of a statement that waited for a commit in flight is
     * older than that commit, and misses the plan that rode along with it.
     */
    private static final String CLAIMED_PLAN = """
            select o.batch, o.generation, o.starts, o.ends, o.attempts, o.begun, o.search, o.verdict, c.epoch
              from tandem.lane l
              left join tandem.offset_log o on (o.stream, o.lane, o.batch) = (l.stream, l.lane, l.last_batch + 1)
              left join tandem.commit_log c on (c.stream, c.lane, c.batch) = (l.stream, l.lane, l.last_batch)
             where l.stream = ? and l.lane = ?
            """;

    /** Plans of lanes whose fence holds. FOR SHARE, because a foreign key's FOR KEY SHARE wouldn't stop a claim. */
    private static final String TO_PLAN = """
                select m.*
                  from unnest(?::text[], ?::text[], ?::bigint[], ?::uuid[], ?::bigint[], ?::jsonb[],
                              ?::integer[], ?::jsonb[], ?::jsonb[])
                    as m (stream, lane, epoch, owner, last_batch, position, generation, starts, ends)
                  join tandem.lane l
                    on {compare}
                 order by l.stream, l.lane
                   for share of l""";

    private static final String ADD_PLANS = """
                insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)
                select stream, lane, last_batch + 1, generation, starts, ends
                  from to_plan
                    on conflict do nothing
                returning stream, lane""";

    private static final String PLAN = """
            with to_plan as materialized (
            {to plan})
            {add plans}
            """;

    /**
     * The last statement before COMMIT: it also bounds the wait for it, and asks for a durable one. For the rows of lanes
     * whose plans ride along it doesn't wait, so it takes them in no order that could matter.
     */
    private static final String COMMIT = """
            with settings as materialized (
                {settings}),
            mine as materialized (
                select m.*
                  from unnest(?::text[], ?::text[], ?::bigint[], ?::uuid[], ?::bigint[], ?::jsonb[],
                              ?::integer[], ?::jsonb[], ?::jsonb[], ?::boolean[],
                              ?::integer[], ?::jsonb[], ?::jsonb[],
                              ?::integer[], ?::integer[], ?::integer[], ?::timestamptz[])
                    as m (stream, lane, epoch, owner, last_batch, position,
                          generation, starts, ends, is_planned,
                          next_generation, next_starts, next_ends,
                          records, dead_letters, dead_in_a_row, started_at)
                  join tandem.lane l
                    on {compare}
                 order by l.stream, l.lane
                   for no key update of l),
            moved as (
                update tandem.lane l
                   set last_batch = m.last_batch + 1, position = l.position || m.ends,
                       dead_in_a_row = m.dead_in_a_row, changed_at = now()
                  from mine m
                 where (l.stream, l.lane) = (m.stream, m.lane)
                returning m.*),
            logged as (
                insert into tandem.commit_log (stream, lane, batch, generation, epoch, instance,
                                               records, dead_letters, started_at, committed_at)
                select stream, lane, last_batch + 1, generation, epoch, ?::text,
                       records, dead_letters, started_at, clock_timestamp()
                  from moved),
            planned as (
                insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)
                select stream, lane, last_batch + 1, generation, starts, ends
                  from moved
                 where not is_planned
                 union all
                select stream, lane, last_batch + 2, next_generation, next_starts, next_ends
                  from moved
                 where next_ends is not null),
            to_plan as materialized (
            {to plan} skip locked),
            riding as (
            {add plans})
            select held.stream, held.lane, settings.*
              from (select stream, lane from moved union all select stream, lane from riding) held
             cross join settings
            """;

    private static final String RAISE_GENERATION = """
            update tandem.lane l
               set generation = m.generation
              from unnest(?::text[], ?::text[], ?::bigint[], ?::uuid[], ?::bigint[], ?::jsonb[], ?::integer[])
                as m (stream, lane, epoch, owner, last_batch, position, generation)
             where {compare} and l.generation < m.generation
            """;

    private static final String HOLDING = """
            select m.stream, m.lane
              from unnest(?::text[], ?::text[], ?::bigint[], ?::uuid[], ?::bigint[], ?::jsonb[])
                as m (stream, lane, epoch, owner, last_batch, position)
              join tandem.lane l
                on {compare}
            """;

    /** What is known of a batch's failures stands with its plan, under the lock that the plan was written with. */
    private static final String NOTE = """
            with mine as materialized (
                select m.*
                  from unnest(?::text[], ?::text[], ?::bigint[], ?::uuid[], ?::bigint[], ?::jsonb[],
                              ?::integer[], ?::jsonb[], ?::jsonb[])
                    as m (stream, lane, epoch, owner, last_batch, position, attempts, search, verdict)
                  join tandem.lane l
                    on {compare}
                   for share of l)
            update tandem.offset_log o
               set attempts = m.attempts, search = m.search, verdict = m.verdict,
                   begun = array_append(array_remove(o.begun, m.owner), m.owner)
              from mine m
             where (o.stream, o.lane, o.batch) = (m.stream, m.lane, m.last_batch + 1)
            """;

    private static final String ENDED = """
            update tandem.offset_log set begun = array_remove(begun, ?) where stream = ? and lane = ? and batch = ?
            """;

    private static final String FAIL = """
            update tandem.lane l
               set state = 'failed', failure = m.failure, changed_at = now()
              from unnest(?::text[], ?::text[], ?::bigint[], ?::uuid[], ?::bigint[], ?::jsonb[], ?::text[])
                as m (stream, lane, epoch, owner, last_batch, position, failure)
             where {compare}
            """;

    /** A plan that was left for the id stays as it is: burnt, with a commit log row that says so. */
    private static final String SKIP = """
            with moved as (
                update tandem.lane l
                   set last_batch = m.last_batch + 1, position = l.position || m.ends,
                       topic_id = nullif(m.topic_id, ''), changed_at = now()
                  from unnest(?::text[], ?::text[], ?::bigint[], ?::uuid[], ?::bigint[], ?::jsonb[],
                              ?::integer[], ?::jsonb[], ?::jsonb[], ?::text[])
                    as m (stream, lane, epoch, owner, last_batch, position, generation, starts, ends, topic_id)
                 where {compare}
                returning m.*),
            planned as (
                insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)
                select stream, lane, last_batch + 1, generation, starts, ends
                  from moved
                    on conflict do nothing)
            insert into tandem.commit_log (stream, lane, batch, generation, epoch, instance, status, committed_at)
            select stream, lane, last_batch + 1, generation, epoch, ?::text, 'lost', clock_timestamp()
              from moved
            """;

    /**
     * A lane that is in the state already is left alone: its owner has nothing to notice. One that becomes active gets a
     * new trial: its batch's failures are forgotten. Their row is found under the lock, so no note of them comes later.
     */
    private static final String COMMAND = """
            with wanted as (
                select ?::text as stream, ?::text as lane, ?::text as state),
            found as materialized (
                select l.stream, l.lane, l.last_batch, w.state
                  from tandem.lane l
                  join wanted w
                    on l.stream = w.stream and (l.lane = w.lane or w.lane is null) and l.state <> w.state
                 order by l.stream, l.lane
                   for no key update of l),
            forgotten as (
                update tandem.offset_log o
                   set attempts = 0, begun = null, search = null, verdict = null
                  from found f
                 where (o.stream, o.lane, o.batch) = (f.stream, f.lane, f.last_batch + 1) and f.state = 'active')
            update tandem.lane l
               set epoch = l.epoch + 1, owner = null, state = f.state,
                   failure = case when f.state <> 'active' then l.failure end,
                   dead_in_a_row = case when f.state <> 'active' then l.dead_in_a_row else 0 end,
                   changed_at = now()
              from found f
             where (l.stream, l.lane) = (f.stream, f.lane)
            returning l.stream, l.lane
            """;

    /** The limit comes from the lane's row, never from memory: after a restore memory is ahead of it. */
    private static final String PRUNE = """
            delete from tandem.{log} g
             using tandem.lane l
             where l.stream = ? and (g.stream, g.lane) = (l.stream, l.lane) and g.batch <= l.last_batch - ?
            """;

    private static final String POSITION = "select position from tandem.lane where stream = ? and lane = ?";

    final String topics;
    final String addStream;
    final String settle;
    final String lockStream;
    final String addTopics;
    final String addLanes;
    final String claim;
    final String claimedPlan;
    final String plan;
    final String commit;
    final String holding;
    final String raiseGeneration;
    final String note;
    final String ended;
    final String fail;
    final String skip;
    final String command;
    final String pruneOffsetLog;
    final String pruneCommitLog;
    final String position;

    LaneSql(SchemaName schema) {
        topics = schema.in(TOPICS);
        addStream = schema.in(ADD_STREAM);
        settle = schema.in(SETTLE);
        lockStream = schema.in(LOCK_STREAM);
        addTopics = schema.in(ADD_TOPICS);
        addLanes = schema.in(ADD_LANES);
        claim = schema.in(CLAIM);
        claimedPlan = schema.in(CLAIMED_PLAN);
        plan = OwnTransactions.alone(schema.in(withCompare(withPlans(PLAN))));
        commit = schema.in(withCompare(withPlans(COMMIT.replace("{settings}", Settings.BOUND_COMMIT))));
        holding = schema.in(withCompare(HOLDING));
        raiseGeneration = schema.in(withCompare(RAISE_GENERATION));
        note = schema.in(withCompare(NOTE));
        ended = schema.in(ENDED);
        fail = schema.in(withCompare(FAIL));
        skip = schema.in(withCompare(SKIP));
        command = schema.in(COMMAND);
        pruneOffsetLog = schema.in(PRUNE.replace("{log}", "offset_log"));
        pruneCommitLog = schema.in(PRUNE.replace("{log}", "commit_log"));
        position = schema.in(POSITION);
    }

    private static String withPlans(String sql) {
        return sql.replace("{to plan}", TO_PLAN).replace("{add plans}", ADD_PLANS);
    }

    private static String withCompare(String sql) {
        return sql.replace("{compare}", COMPARE);
    }
}
