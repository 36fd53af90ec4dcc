package io.github.tandemstreams.jdbc;

/**
 * The statements on lanes and their logs, for one schema.
 *
 * <p>A statement that writes for several lanes locks their rows first, ordered by key: two instances that share lanes in
 * a different order would deadlock otherwise.
 */
final class LaneSql {

    /** What an owner believes of its lane. */
    private static final String FENCE =
            "stream text, lane text, epoch bigint, owner uuid, last_batch bigint, position jsonb";

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
              from {rows m: stream text, lane text, position jsonb, topic_id text}
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
     * older than that commit, and misses the plan that rode along with it. The same goes for a command that stops the stream.
     */
    private static final String CLAIMED_PLAN = """
            select o.batch, o.generation, o.starts, o.ends, o.attempts, o.begun, o.search, o.verdict, c.epoch,
                   coalesce(s.stopped, false) as stopped
              from tandem.lane l
              left join tandem.stream s on s.stream = l.stream
              left join tandem.offset_log o on (o.stream, o.lane, o.batch) = (l.stream, l.lane, l.last_batch + 1)
              left join tandem.commit_log c on (c.stream, c.lane, c.batch) = (l.stream, l.lane, l.last_batch)
             where l.stream = ? and l.lane = ?
            """;

    /** Plans of lanes whose fence holds. FOR SHARE, because a foreign key's FOR KEY SHARE wouldn't stop a claim. */
    private static final String TO_PLAN = """
                select m.*
                  from {rows m: {fence}, generation integer, starts jsonb, ends jsonb}
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

    /** A batch that is done, as {@link CommitColumns} binds it. */
    private static final String COMMITS = """
            {rows m: {fence}, generation integer, starts jsonb, ends jsonb, is_planned boolean,
                     next_generation integer, next_starts jsonb, next_ends jsonb,
                     records integer, dead_letters integer, dead_in_a_row integer, started_at timestamptz,
                     attempts integer, plan_ms real, queue_ms real, decode_ms real, handler_ms real,
                     duration_ms real, latest jsonb, trace_id text}""";

    private static final String MOVE = """
                update tandem.lane l
                   set last_batch = m.last_batch + 1, position = l.position || m.ends,
                       dead_in_a_row = m.dead_in_a_row, changed_at = now()
                  from""";

    /** An update locks its row and compares under the lock. */
    private static final String MOVE_ONE = """
            moved as (
            {move} {commits}
                 where {compare}
                returning m.*)""";

    private static final String MOVE_MANY = """
            mine as materialized (
                select m.*
                  from {commits}
                  join tandem.lane l
                    on {compare}
                 order by l.stream, l.lane
                   for no key update of l),
            moved as (
            {move} mine m
                 where (l.stream, l.lane) = (m.stream, m.lane)
                returning m.*)""";

    /**
     * Nothing waits for the rows of these lanes, so their order doesn't matter. They are taken after those that are waited
     * for, since the union below reads those first: a lock that is held in a wait could close a circle.
     */
    private static final String RIDE = """
            ,
            to_plan as materialized (
            {to plan} skip locked),
            riding as (
            {add plans})""";

    /** The last statement before COMMIT: it also bounds the wait for it, and asks for a durable one. */
    private static final String COMMIT = """
            with settings as materialized (
                {settings}),
            {moved},
            logged as (
                insert into tandem.commit_log (stream, lane, batch, generation, epoch, instance,
                                               records, dead_letters, started_at, committed_at, attempts,
                                               plan_ms, queue_ms, decode_ms, handler_ms, duration_ms,
                                               latest, trace_id)
                select stream, lane, last_batch + 1, generation, epoch, ?::text,
                       records, dead_letters, started_at, clock_timestamp(), attempts,
                       plan_ms, queue_ms, decode_ms, handler_ms, duration_ms, latest, trace_id
                  from moved),
            planned as (
                insert into tandem.offset_log (stream, lane, batch, generation, starts, ends)
                select stream, lane, last_batch + 1, generation, starts, ends
                  from moved
                 where not is_planned
                 union all
                select stream, lane, last_batch + 2, next_generation, next_starts, next_ends
                  from moved
                 where next_ends is not null){ride}
            select held.stream, held.lane, settings.*
              from ({held}) held
             cross join settings
            """;

    private static final String MOVED = "select stream, lane from moved";
    private static final String MOVED_AND_PLANNED = MOVED + " union all select stream, lane from riding";

    private static final String RAISE_GENERATION = """
            update tandem.lane l
               set generation = m.generation
              from {rows m: {fence}, generation integer}
             where {compare} and l.generation < m.generation
            """;

    /** Only a command leaves a lane that was claimed without an owner. */
    private static final String HOLDING = """
            select m.stream, m.lane, l.owner is null as commanded
              from {rows m: {fence}}
              join tandem.lane l
                on (l.stream, l.lane) = (m.stream, m.lane)
             where l.owner is null or ({compare})
            """;

    /** What is known of a batch's failures stands with its plan, under the lock that the plan was written with. */
    private static final String NOTE = """
            with mine as materialized (
                select m.*
                  from {rows m: {fence}, attempts integer, search jsonb, verdict jsonb}
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
               set state = 'failed', failure = m.failure, found_topic_id = m.found_topic_id, changed_at = now()
              from {rows m: {fence}, failure text, found_topic_id text}
             where {compare}
            """;

    /** A plan that was left for the id stays as it is: burnt, with a commit log row that says so. */
    private static final String SKIP = """
            with moved as (
                update tandem.lane l
                   set last_batch = m.last_batch + 1, position = l.position || m.ends,
                       topic_id = nullif(m.topic_id, ''), changed_at = now()
                  from {rows m: {fence}, generation integer, starts jsonb, ends jsonb, topic_id text}
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
    final RowsSql addLanes;
    final String claim;
    final String claimedPlan;
    final RowsSql plan;
    private final RowsSql commit;
    private final RowsSql commitAndPlan;
    private final RowsSql commitAndPlans;
    final RowsSql holding;
    final RowsSql raiseGeneration;
    final RowsSql note;
    final String ended;
    final RowsSql fail;
    final RowsSql skip;
    final String pruneOffsetLog;
    final String pruneCommitLog;
    final String position;

    LaneSql(SchemaName schema) {
        topics = schema.in(TOPICS);
        addStream = schema.in(ADD_STREAM);
        settle = schema.in(SETTLE);
        lockStream = schema.in(LOCK_STREAM);
        addTopics = schema.in(ADD_TOPICS);
        addLanes = rows(schema, ADD_LANES);
        claim = schema.in(CLAIM);
        claimedPlan = schema.in(CLAIMED_PLAN);
        plan = rows(schema, Settings.alone(PLAN));
        commit = commit(schema, "", MOVED);
        RowsSql ride = RowsSql.of(inFull(RIDE));
        commitAndPlan = commit(schema, ride.one(), MOVED_AND_PLANNED);
        commitAndPlans = commit(schema, ride.many(), MOVED_AND_PLANNED);
        holding = rows(schema, HOLDING);
        raiseGeneration = rows(schema, RAISE_GENERATION);
        note = rows(schema, NOTE);
        ended = schema.in(ENDED);
        fail = rows(schema, FAIL);
        skip = rows(schema, SKIP);
        pruneOffsetLog = schema.in(PRUNE.replace("{log}", "offset_log"));
        pruneCommitLog = schema.in(PRUNE.replace("{log}", "commit_log"));
        position = schema.in(POSITION);
    }

    /** The commit of so many batches, with so many plans of other lanes. */
    String commit(int commits, int riding) {
        RowsSql sql = riding == 0 ? commit : riding == 1 ? commitAndPlan : commitAndPlans;
        return sql.of(commits);
    }

    private static RowsSql commit(SchemaName schema, String ride, String held) {
        String commit = COMMIT.replace("{settings}", Settings.BOUND_COMMIT)
                .replace("{ride}", ride)
                .replace("{held}", held);
        return RowsSql.of(
                schema.in(inFull(commit.replace("{moved}", MOVE_ONE))),
                schema.in(inFull(commit.replace("{moved}", MOVE_MANY))));
    }

    private static RowsSql rows(SchemaName schema, String sql) {
        return RowsSql.of(schema.in(inFull(sql)));
    }

    private static String inFull(String sql) {
        return sql.replace("{move}", MOVE)
                .replace("{commits}", COMMITS)
                .replace("{to plan}", TO_PLAN)
                .replace("{add plans}", ADD_PLANS)
                .replace("{compare}", COMPARE)
                .replace("{fence}", FENCE);
    }
}
