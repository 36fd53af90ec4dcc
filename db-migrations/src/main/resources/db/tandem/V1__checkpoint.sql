-- The checkpoint of all streams. Names aren't qualified: the migration runs with its schema as search_path.
-- Later scripts only add: the previous release has to run on the new schema while instances are rolled forward or back.

create table stream (
    stream     text        primary key,
    topics     text[]      not null default '{}',
    settings   jsonb       not null default '{}',
    stopped    boolean     not null default false,
    version    bigint      not null default 0,
    created_at timestamptz not null default now()
);

comment on table stream is 'A stream is known here from its first start on. Its name is its identity.';
comment on column stream.topics is 'Topics whose lanes were resolved and stored. Partitions that such a topic gains later start at their earliest offset.';
comment on column stream.settings is 'Settings of the first start that hold for as long as the stream lives: a change of them later isn''t followed.';
comment on column stream.stopped is 'Whether an operator stopped the stream on all instances. No claim of its lanes lets them run then.';
comment on column stream.version is 'How many commands the stream has had.';

-- One row per lane, updated in every batch: half-empty pages let the new version stay on its page, without index work.
create table lane (
    stream            text        not null,
    lane              text        not null,
    epoch             bigint      not null default 0,
    owner             uuid,
    instance          text,
    generation        integer     not null default 0,
    last_batch        bigint      not null default -1,
    position          jsonb       not null,
    topic_id          text,
    system_identifier bigint,
    timeline          integer,
    dead_in_a_row     integer     not null default 0,
    state             text        not null default 'active' check (state in ('active', 'paused', 'stopped', 'failed')),
    failure           text,
    found_topic_id    text,
    created_at        timestamptz not null default now(),
    claimed_at        timestamptz,
    changed_at        timestamptz not null default now(),
    primary key (stream, lane)
) with (fillfactor = 50);

comment on table lane is 'The truth about each lane. A batch commits only if epoch, owner, last_batch and position are what its owner believes.';
comment on column lane.epoch is 'Fencing number: every claim and every command raises it.';
comment on column lane.owner is 'Random token of the last claim; null after a command.';
comment on column lane.instance is 'Instance that claimed the lane last; for people.';
comment on column lane.generation is 'Generation of plans made from now on; raised when the database was restored or failed over.';
comment on column lane.last_batch is 'Id of the last batch committed, -1 if none. Ids count 0, 1, 2 and are never used again within a generation.';
comment on column lane.position is 'Where the next batch starts: {"partition": offset}. A partition without entry starts at its earliest offset.';
comment on column lane.topic_id is 'Identity of the topic that the position belongs to; null if unknown. Another one: the topic was deleted and created again.';
comment on column lane.state is 'active, paused or stopped by an operator, or failed; survives claims until a command.';
comment on column lane.system_identifier is 'Identity of the database cluster that the lane was last claimed in; another one tells of a restore. Null: not known.';
comment on column lane.timeline is 'Timeline of the database when the lane was last claimed; another one tells of a fail-over or a restore. Null: not known.';
comment on column lane.dead_in_a_row is 'How many dead letters the last batches ended with, without a good record after them.';
comment on column lane.failure is 'Why the lane failed.';
comment on column lane.found_topic_id is 'Identity of the other topic that the lane failed for. A command that moves the lane then moves it into that one.';
comment on column lane.changed_at is 'When position, state or topic were changed last.';

-- No foreign keys to lane: each insert would lock the lane's row once more, and pruning needs no help.
create table offset_log (
    stream      text        not null,
    lane        text        not null,
    batch       bigint      not null,
    generation  integer     not null,
    starts      jsonb       not null,
    ends        jsonb       not null,
    attempts    integer     not null default 0,
    begun       uuid[],
    search      jsonb,
    verdict     jsonb,
    planned_at  timestamptz not null default now(),
    primary key (stream, lane, batch)
);

comment on table offset_log is 'Write-ahead plans: the range that a batch id has, for ever. Generation, starts and ends of a row are never changed.';
comment on column offset_log.starts is 'First offset of each partition, inclusive: {"partition": offset}.';
comment on column offset_log.ends is 'End of the range for the same partitions, exclusive. Offsets may be missing in between.';
comment on column offset_log.attempts is 'Runs of the batch that failed, written before the next one.';
comment on column offset_log.begun is 'Owners that began a run after it had failed or was found by a claim, and have not told its end: each died in it, or is still at it.';
comment on column offset_log.search is 'How far the search for the records that make the batch fail is; written before each trial.';
comment on column offset_log.verdict is 'Records that were found guilty and are parked in every run of this batch.';

create table commit_log (
    stream       text        not null,
    lane         text        not null,
    batch        bigint      not null,
    generation   integer     not null,
    epoch        bigint      not null,
    instance     text,
    status       text        not null default 'committed' check (status in ('committed', 'abandoned', 'lost', 'skipped')),
    records      integer     not null default 0,
    dead_letters integer     not null default 0,
    started_at   timestamptz,
    committed_at timestamptz not null,
    attempts     integer     not null default 0,
    plan_ms      real,
    queue_ms     real,
    decode_ms    real,
    handler_ms   real,
    duration_ms  real,
    latest       jsonb,
    trace_id     text,
    primary key (stream, lane, batch)
);

comment on table commit_log is 'Batches that are done.';
comment on column commit_log.epoch is 'Epoch of the lane under which the batch was committed.';
comment on column commit_log.status is 'committed; abandoned: its id was burnt by a command that moved the position; lost: its offsets were gone; skipped: an operator left them out.';
comment on column commit_log.records is 'Records handed to the handler. Unrelated to the width of the range.';
comment on column commit_log.started_at is 'When its run began, by the clock of its instance; null where there was none.';
comment on column commit_log.committed_at is 'When the commit statement ran.';
comment on column commit_log.attempts is 'Runs before this one that failed, also for a reason that passed by itself, as far as its instance knew.';
comment on column commit_log.plan_ms is 'Milliseconds of the transaction that planned it ahead; 0 where its plan rode along with another commit.';
comment on column commit_log.queue_ms is 'Milliseconds that it waited, with its records there, for its worker and for a connection.';
comment on column commit_log.decode_ms is 'Milliseconds in which its records were decoded.';
comment on column commit_log.handler_ms is 'Milliseconds of its handler.';
comment on column commit_log.duration_ms is 'Milliseconds from the begin of its run until its commit statement; of all lanes that shared the transaction.';
comment on column commit_log.latest is 'Ends of its partitions as its instance knew them: {"partition": offset}. Null: not known.';
comment on column commit_log.trace_id is 'Trace that it was part of; null where nothing is traced.';

create table dead_letter (
    id               bigint      generated always as identity primary key,
    stream           text        not null,
    topic            text        not null,
    topic_id         text        not null default '',
    partition        integer     not null,
    record_offset    bigint      not null,
    lane             text        not null,
    batch            bigint      not null,
    key              bytea,
    value            bytea,
    headers          json        not null default '[]',
    record_timestamp timestamptz,
    cause_class      text        not null,
    message          text,
    stack_trace      text,
    attempts         integer     not null default 1,
    redrives         integer     not null default 0,
    status           text        not null default 'parked'
                                 check (status in ('parked', 'held', 'redriven', 'discarded', 'superseded')),
    reason           text,
    parked_at        timestamptz not null default now(),
    settled_at       timestamptz,
    erased_at        timestamptz,
    -- An identity belongs to one topic for ever; the name counts only where a source can't tell identities ('').
    unique (stream, topic_id, topic, partition, record_offset)
);

create index dead_letter_waiting on dead_letter (stream, lane, id) where status in ('parked', 'held');

comment on table dead_letter is 'Records that could not be processed, with their bytes and the cause.';
comment on column dead_letter.topic_id is 'Identity of the topic; empty if the source can''t tell.';
comment on column dead_letter.key is 'Key bytes; null and empty are different things.';
comment on column dead_letter.value is 'Value bytes; null for a tombstone.';
comment on column dead_letter.headers is 'Headers in their order, names may repeat: [{"name": text, "value": base64 or null}]. json, not jsonb: a name may hold \u0000.';
comment on column dead_letter.record_timestamp is 'The record''s timestamp; null if it has none that a calendar knows.';
comment on column dead_letter.message is 'Message of the cause, cut where it is long; a NUL shows as U+FFFD.';
comment on column dead_letter.attempts is 'How often the record was parked.';
comment on column dead_letter.redrives is 'How often the record was run again, and failed again.';
comment on column dead_letter.status is 'parked; held: behind a parked record of the same key; redriven: processed after all; discarded by an operator; superseded: a rewind reads the record again.';
comment on column dead_letter.reason is 'Why it was discarded.';
comment on column dead_letter.settled_at is 'When it was redriven, discarded or superseded.';
comment on column dead_letter.erased_at is 'When its key, value, headers and texts were erased, for privacy.';

create view batch as
select o.stream,
       o.lane,
       o.batch,
       p.partition,
       p.start_offset::bigint                 as start_offset,
       (o.ends ->> p.partition)::bigint       as end_offset,
       o.generation,
       coalesce(c.status, 'planned')          as status,
       o.attempts,
       c.epoch,
       c.instance,
       c.records,
       c.dead_letters,
       o.planned_at,
       c.started_at,
       c.committed_at
  from offset_log o
 cross join lateral jsonb_each_text(o.starts) as p (partition, start_offset)
  left join commit_log c using (stream, lane, batch);

comment on view batch is 'The offset log with what became of each plan, one row per batch and partition. Counts and times are those of the whole batch.';

create view lane_position as
select l.stream,
       l.lane,
       p.partition,
       p.next_offset::bigint as next_offset,
       l.last_batch,
       l.state,
       l.failure,
       l.instance,
       l.epoch,
       l.changed_at
  from lane l
 cross join lateral jsonb_each_text(l.position) as p (partition, next_offset);

comment on view lane_position is 'Where each lane stands, one row per partition.';
