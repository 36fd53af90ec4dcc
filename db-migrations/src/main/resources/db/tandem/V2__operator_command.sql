-- What operators want of streams. The row is the command: the database carries it out in the transaction that inserts it,
-- whoever inserts it. Only what the database can't know, the offsets of a timestamp and what a handler does, waits for an
-- instance, as pending.

create table operator_command (
    id               bigint      generated always as identity primary key,
    stream           text        not null,
    lane             text,
    action           text        not null,
    target           jsonb,
    dry_run          boolean     not null default false,
    expected_version bigint,
    issued_by        text        not null default current_user,
    reason           text,
    issued_at        timestamptz not null default now(),
    database_user    text        not null default session_user,
    status           text        not null default 'pending' check (status in ('pending', 'done', 'failed')),
    version          bigint      not null default 0,
    resolved         jsonb,
    result           jsonb,
    problem          text,
    instance         text,
    claimed_at       timestamptz,
    settled_at       timestamptz
);

create index operator_command_of_stream on operator_command (stream, id);
create index operator_command_pending on operator_command (stream, id) where status = 'pending';

comment on table operator_command is 'Commands to streams, and their audit trail. Inserting a row gives the command; returning status, result tells what it did.';
comment on column operator_command.lane is 'The lane; null for the whole stream.';
comment on column operator_command.action is 'pause, resume, stop, start, rewind, skip, redrive, discard or restored.';
comment on column operator_command.target is 'rewind: {"batch": n}, {"timestamp": text} or {"offsets": {"partition": offset}}; skip: {"offsets": …}, with "from": … refused if the lane stands elsewhere; redrive and discard: {"letters": {"ids": […], "cause_class": text, "parked_before": text}}, null for all.';
comment on column operator_command.dry_run is 'Only tell what would be done. Such a row changes nothing.';
comment on column operator_command.expected_version is 'Version of the stream that the operator saw; another one refuses the command. Null: whatever others did.';
comment on column operator_command.issued_by is 'Who wants it, as the application knows it.';
comment on column operator_command.database_user is 'Whom the database let in.';
comment on column operator_command.status is 'pending: an instance has yet to carry it out; done; failed: see problem.';
comment on column operator_command.version is 'Version of the stream after the command; of a dry run the one that it saw.';
comment on column operator_command.resolved is 'Offsets that an instance found for the timestamp.';
comment on column operator_command.result is '{"lanes": [{"lane", "from", "to", "batches", "records", "unknown", "dead_letters", "burnt"}], "dead_letters": n}: what was done, or would be; unknown: offsets of which the logs no longer tell.';
comment on column operator_command.instance is 'The instance that carries it out; null where the database did.';
comment on column operator_command.claimed_at is 'When the instance last told that it is at it. A minute ago: whoever comes takes over.';

create function refuse_command(problem text) returns void
language plpgsql as $$
begin
    raise exception using errcode = 'TD002', message = problem;
end $$;

-- Offsets as they are stored, {"partition": offset} with whole numbers, of what an operator wrote.
create function command_offsets(command operator_command, offsets jsonb) returns jsonb
language plpgsql as $$
declare
    entry record;
    clean jsonb := '{}';
begin
    if jsonb_typeof(offsets) is distinct from 'object' or offsets = '{}' then
        perform refuse_command(format('Stream ''%s'': offsets are written {"partition": offset}, not %s', command.stream, offsets));
    end if;
    for entry in select * from jsonb_each(offsets) as e (partition, start) loop
        if jsonb_typeof(entry.start) <> 'number' or entry.start::numeric <> trunc(entry.start::numeric)
                or entry.start::numeric < 0 or entry.start::numeric > 9223372036854775807 then
            perform refuse_command(format('Stream ''%s'': %s is no offset of %s', command.stream, entry.start, entry.partition));
        end if;
        clean := clean || jsonb_build_object(entry.partition, entry.start::numeric::bigint);
    end loop;
    return clean;
end $$;

-- A time as it is stored, in UTC.
create function command_time(command operator_command, written jsonb) returns text
language plpgsql as $$
declare
    meant timestamptz;
begin
    begin
        meant := (written #>> '{}')::timestamptz;
    exception when data_exception then
        meant := null;
    end;
    if jsonb_typeof(written) <> 'string' or meant is null or not isfinite(meant)
            or meant not between '0001-01-02' and '9999-12-30' then
        perform refuse_command(format('Stream ''%s'': %s is no time such as "2026-01-31T12:00:00Z"', command.stream, written));
    end if;
    return to_char(meant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
end $$;

-- The target as it is stored. What isn't understood is refused, never ignored.
create function command_target(command operator_command) returns jsonb
language plpgsql as $$
declare
    target  jsonb := nullif(command.target, 'null');
    letters jsonb;
    fields  text[];
    known   text[];
begin
    if command.action in ('pause', 'resume', 'stop', 'start', 'restored') then
        if target is not null then
            perform refuse_command(format('Stream ''%s'': %s takes no target', command.stream, command.action));
        end if;
        return null;
    end if;
    if jsonb_typeof(target) <> 'object' then
        perform refuse_command(format('Stream ''%s'': a target is an object, not %s', command.stream, target));
    end if;
    fields := array(select jsonb_object_keys(coalesce(target, '{}')) order by 1);
    if command.action = 'rewind' and fields = '{batch}' then
        if jsonb_typeof(target -> 'batch') <> 'number' or (target ->> 'batch')::numeric <> trunc((target ->> 'batch')::numeric) then
            perform refuse_command(format('Stream ''%s'': %s is no batch', command.stream, target -> 'batch'));
        end if;
        if command.lane is null then
            perform refuse_command(format('Stream ''%s'': batches are counted in each lane, so a rewind to one needs the lane', command.stream));
        end if;
        return jsonb_build_object('batch', trunc((target ->> 'batch')::numeric));
    elsif command.action = 'rewind' and fields = '{timestamp}' then
        return jsonb_build_object('timestamp', command_time(command, target -> 'timestamp'));
    elsif command.action in ('rewind', 'skip') and fields = '{offsets}' then
        return jsonb_build_object('offsets', command_offsets(command, target -> 'offsets'));
    elsif command.action = 'skip' and fields = '{from,offsets}' then
        return jsonb_build_object('offsets', command_offsets(command, target -> 'offsets'),
                                  'from', command_offsets(command, target -> 'from'));
    elsif command.action in ('redrive', 'discard') and (target is null or fields = '{letters}') then
        letters := coalesce(nullif(target -> 'letters', 'null'), '{}');
        if jsonb_typeof(letters) <> 'object' then
            perform refuse_command(format('Stream ''%s'': letters are an object, not %s', command.stream, letters));
        end if;
        letters := jsonb_strip_nulls(letters);
        known := array(select jsonb_object_keys(letters));
        if not known <@ '{ids,cause_class,parked_before}' then
            perform refuse_command(format('Stream ''%s'': letters are told by ids, cause_class and parked_before, not by %s',
                                          command.stream, letters));
        end if;
        if letters ? 'ids' then
            if jsonb_typeof(letters -> 'ids') <> 'array' or exists (
                    select from jsonb_array_elements(case jsonb_typeof(letters -> 'ids') when 'array' then letters -> 'ids' else '[]' end) e
                     where case when jsonb_typeof(e) <> 'number' then true
                                else e::numeric <> trunc(e::numeric) or e::numeric not between 0 and 9223372036854775807 end) then
                perform refuse_command(format('Stream ''%s'': ids are an array of numbers, not %s', command.stream, letters -> 'ids'));
            end if;
        end if;
        if letters ? 'cause_class' and jsonb_typeof(letters -> 'cause_class') <> 'string' then
            perform refuse_command(format('Stream ''%s'': cause_class is a text, not %s', command.stream, letters -> 'cause_class'));
        end if;
        if letters ? 'parked_before' then
            letters := letters || jsonb_build_object('parked_before', command_time(command, letters -> 'parked_before'));
        end if;
        return case when letters <> '{}' then jsonb_build_object('letters', letters) end;
    end if;
    perform refuse_command(format('Stream ''%s'': %s can''t be done with target %s; %s', command.stream, command.action,
        coalesce(target::text, 'null'),
        case command.action
            when 'rewind' then 'it takes {"batch": n} with a lane, {"timestamp": text} or {"offsets": {"partition": offset}}'
            when 'skip' then 'it takes {"offsets": {"partition": offset}}, and "from" beside it'
            else 'it takes {"letters": {"ids": […], "cause_class": text, "parked_before": text}}, or null for all' end));
    return null;
end $$;

-- Dead letters that a re-drive or a discard is about: they wait, and were there when it was given. Of a key that is held the
-- cause is that of the record in front; a re-drive of that one frees those behind, a discard doesn't concern them.
create function command_letters(command operator_command) returns setof bigint
language sql stable as $$
    select d.id
      from dead_letter d
     where d.stream = command.stream
       and (command.lane is null or d.lane = command.lane)
       and d.status in ('parked', 'held')
       and d.parked_at <= command.issued_at
       and (command.target #> '{letters,ids}' is null or command.target #> '{letters,ids}' @> to_jsonb(d.id))
       and (command.target #>> '{letters,cause_class}' is null
            or d.cause_class = command.target #>> '{letters,cause_class}'
            or command.action = 'redrive' and d.status = 'held' and (d.lane, d.key) in (
                select e.lane, e.key
                  from dead_letter e
                 where e.stream = command.stream
                   and e.cause_class = command.target #>> '{letters,cause_class}'
                   and e.parked_at <= command.issued_at
                   and (e.status = 'parked' or e.status = 'redriven' and e.settled_at >= command.issued_at)))
       and (command.target #>> '{letters,parked_before}' is null
            or d.parked_at < (command.target #>> '{letters,parked_before}')::timestamptz)
$$;

-- Batches and records from the goal up to where the lane stands. Of offsets that were processed several times the last
-- time counts. Of a batch that is covered in part no more records than offsets count, and what was skipped counts as many.
-- Where the logs don't reach back to the goal, the offsets that are left are unknown.
create function command_reread(l lane, goal jsonb, out batches bigint, out records bigint, out unknown bigint)
language plpgsql as $$
declare
    low     jsonb := l.position;
    covered bigint;
    b       record;
begin
    batches := 0;
    records := 0;
    for b in
        select o.starts, o.ends, c.status, c.records + c.dead_letters as records
          from offset_log o
          join commit_log c using (stream, lane, batch)
         where o.stream = l.stream and o.lane = l.lane and o.batch <= l.last_batch and c.status <> 'abandoned'
         order by o.batch desc
    loop
        select coalesce(sum(greatest(0, least((b.ends ->> g.partition)::bigint, (low ->> g.partition)::bigint)
                                        - greatest((b.starts ->> g.partition)::bigint, g.start::bigint))), 0)
          into covered
          from jsonb_each_text(goal) as g (partition, start)
         where b.starts ? g.partition;
        if covered > 0 then
            batches := batches + 1;
            records := records + case when b.status = 'skipped' then covered else least(b.records, covered) end;
        end if;
        select jsonb_object_agg(p.partition, least(p.start::bigint, coalesce((b.starts ->> p.partition)::bigint, p.start::bigint)))
          into low
          from jsonb_each_text(low) as p (partition, start);
        exit when not exists (select from jsonb_each_text(goal) as g (partition, start)
                               where (low ->> g.partition)::bigint > g.start::bigint);
    end loop;
    select coalesce(sum(greatest(0, (low ->> g.partition)::bigint - g.start::bigint)), 0)
      into unknown
      from jsonb_each_text(goal) as g (partition, start);
end $$;

-- Dead letters that wait between the goal and where the lane stands.
create function command_reread_letters(l lane, goal jsonb) returns setof bigint
language sql stable as $$
    select d.id
      from dead_letter d
     where d.stream = l.stream and d.lane = l.lane and d.status in ('parked', 'held')
       and (l.topic_id is null or d.topic_id in ('', l.topic_id))
       and d.record_offset >= (goal ->> (d.topic || '-' || d.partition))::bigint
       and d.record_offset < (l.position ->> (d.topic || '-' || d.partition))::bigint
$$;

-- What a command does to a lane, for its result.
create function command_effect(l lane, moved_to jsonb, batches bigint, records bigint, unknown bigint, dead_letters bigint,
                               burnt bigint) returns jsonb
language sql immutable as $$
    select jsonb_build_object('lane', l.lane, 'from', l.position, 'to', moved_to, 'batches', batches, 'records', records,
                              'unknown', unknown, 'dead_letters', dead_letters, 'burnt', burnt)
$$;

-- Moves a lane whose row is locked, back or ahead. A plan that was left is given up: its id is burnt, since it has been used.
-- One that failed because its topic was created anew goes on in the topic that it failed for, if that was before the command:
-- nobody has decided about what is lost with another one, or later.
create function move_lane(command operator_command, l lane, goal jsonb) returns jsonb
language plpgsql as $$
declare
    plan     offset_log;
    last     bigint := l.last_batch;
    burnt    bigint;
    batches  bigint := 0;
    records  bigint := 0;
    unknown  bigint := 0;
    letters  bigint := 0;
    moved_to jsonb := l.position || goal;
    anew     boolean := l.found_topic_id is not null and l.changed_at <= command.issued_at;
begin
    if anew then
        l.topic_id := l.found_topic_id;
        l.found_topic_id := null;
    end if;
    select * into plan from offset_log o where (o.stream, o.lane, o.batch) = (l.stream, l.lane, l.last_batch + 1);
    if found then
        last := last + 1;
        burnt := last;
    end if;
    if command.action = 'rewind' then
        if anew then
            -- The logs are about the old one.
            select sum((l.position ->> g.partition)::bigint - g.start::bigint)
              into unknown
              from jsonb_each_text(goal) as g (partition, start);
        else
            select r.batches, r.records, r.unknown into batches, records, unknown from command_reread(l, goal) r;
        end if;
        select count(*) into letters from command_reread_letters(l, goal);
    else
        -- Nobody has read what is skipped: it counts by offsets.
        batches := 1;
        select sum(g.start::bigint - (l.position ->> g.partition)::bigint)
          into records
          from jsonb_each_text(goal) as g (partition, start);
    end if;
    if command.dry_run then
        return command_effect(l, moved_to, batches, records, unknown, letters, burnt);
    end if;
    if burnt is not null then
        insert into commit_log (stream, lane, batch, generation, epoch, status, committed_at)
        values (l.stream, l.lane, burnt, plan.generation, l.epoch + 1, 'abandoned', clock_timestamp());
    end if;
    if command.action = 'skip' then
        last := last + 1;
        insert into offset_log (stream, lane, batch, generation, starts, ends)
        select l.stream, l.lane, last, l.generation, jsonb_object_agg(g.partition, l.position -> g.partition), goal
          from jsonb_object_keys(goal) as g (partition);
        insert into commit_log (stream, lane, batch, generation, epoch, status, committed_at)
        values (l.stream, l.lane, last, l.generation, l.epoch + 1, 'skipped', clock_timestamp());
    end if;
    update lane
       set epoch = l.epoch + 1, owner = null, last_batch = last, position = moved_to, topic_id = l.topic_id, found_topic_id = l.found_topic_id,
           dead_in_a_row = 0, changed_at = now()
     where lane.stream = l.stream and lane.lane = l.lane;
    if command.action = 'rewind' then
        update dead_letter d
           set status = 'superseded', settled_at = now()
         where d.id in (select command_reread_letters(l, goal)) and d.status in ('parked', 'held');
    end if;
    return command_effect(l, moved_to, batches, records, unknown, letters, burnt);
end $$;

-- Gives a lane whose row is locked a state, perhaps the one that it has, and makes its owner notice.
create function restate_lane(command operator_command, l lane, wanted text) returns jsonb
language plpgsql as $$
begin
    if not command.dry_run then
        -- A lane that becomes active gets a new trial: what is known of its batch's failures is forgotten. No note of them
        -- comes later, since its writer compares under the lock that is held here.
        update offset_log o
           set attempts = 0, begun = null, search = null, verdict = null
         where wanted = 'active' and l.state <> 'active' and (o.stream, o.lane, o.batch) = (l.stream, l.lane, l.last_batch + 1);
        update lane
           set epoch = l.epoch + 1, owner = null, state = wanted,
               generation = l.generation + case when command.action = 'restored' then 1 else 0 end,
               failure = case when wanted <> 'active' then l.failure end,
               found_topic_id = case when wanted <> 'active' then l.found_topic_id end,
               dead_in_a_row = case when wanted = 'active' and l.state <> 'active' then 0 else l.dead_in_a_row end,
               changed_at = case when wanted <> l.state then now() else l.changed_at end
         where lane.stream = l.stream and lane.lane = l.lane;
    end if;
    return command_effect(l, l.position, 0, 0, 0, 0, null);
end $$;

-- The lanes that a command is about, locked in the order of their keys unless it is a dry run.
create function command_lanes(command operator_command) returns setof lane
language plpgsql as $$
begin
    if not command.dry_run then
        perform from lane l
          where l.stream = command.stream and (l.lane = command.lane or command.lane is null)
          order by l.lane
            for no key update;
    end if;
    -- A new statement: what it reads is what the commits that were waited for left.
    return query
        select l.* from lane l
         where l.stream = command.stream and (l.lane = command.lane or command.lane is null)
         order by l.lane;
end $$;

create function restate_lanes(command operator_command, stopped boolean) returns jsonb
language plpgsql as $$
declare
    l       lane;
    wanted  text;
    effects jsonb := '[]';
    whole   boolean := command.lane is null;
begin
    for l in select * from command_lanes(command) loop
        wanted := case
            when command.action = 'restored' then l.state
            when command.action = 'pause' and l.state in ('active', 'failed') then 'paused'
            when command.action = 'resume' and l.state in ('paused', 'failed') then 'active'
            when command.action = 'start' and l.state = 'stopped' then 'active'
            when command.action = 'stop' and not whole and l.state <> 'stopped' then 'stopped'
            -- Claims tell whether the stream is stopped, so all lanes are to be claimed anew.
            when command.action = 'stop' and whole and not stopped then l.state
            when command.action = 'start' and whole and stopped then l.state
        end;
        if wanted is not null then
            effects := effects || restate_lane(command, l, wanted);
        elsif not whole and command.action in ('pause', 'resume', 'start')
                and l.state <> (case command.action when 'pause' then 'paused' else 'active' end) then
            perform refuse_command(format('Stream ''%s'', lane %s: is %s; %s', l.stream, l.lane, l.state,
                case l.state when 'stopped' then 'start it' else 'resume it' end));
        end if;
    end loop;
    if whole and command.action in ('stop', 'start') and not command.dry_run then
        update stream set stopped = command.action = 'stop' where stream.stream = command.stream;
    end if;
    return effects;
end $$;

-- A stop keeps everything still: re-drives of these lanes that aren't done are given up. What such a one has under way finds
-- that before its commit (CommandStore.isPending), or is waited for here, and so counts right.
create function break_off_redrives(command operator_command) returns void
language plpgsql as $$
begin
    perform from operator_command c
      where c.stream = command.stream and c.status = 'pending' and c.action = 'redrive'
        and (c.lane = command.lane or c.lane is null or command.lane is null)
      order by c.id
        for no key update;
    update operator_command c
       set status = 'failed',
           problem = format('Command %s, stop of %s, broke it off: %s of its dead letters wait as before', command.id,
                            coalesce('lane ' || command.lane, 'the stream'), (select count(*) from command_letters(c)))
     where c.stream = command.stream and c.status = 'pending' and c.action = 'redrive'
       and (c.lane = command.lane or c.lane is null or command.lane is null);
end $$;

-- Moves all lanes that have partitions of the goal. Dead letters are locked before lanes, as a batch's commit does it: one
-- that is being re-driven is waited for without holding up a lane.
create function move_lanes(command operator_command, goal jsonb) returns jsonb
language plpgsql as $$
declare
    l       lane;
    mine    jsonb;
    wrong   text;
    effects jsonb := '[]';
begin
    if command.action = 'rewind' and not command.dry_run then
        perform from dead_letter d
          where d.stream = command.stream and (d.lane = command.lane or command.lane is null) and d.status in ('parked', 'held')
            and d.record_offset >= (goal ->> (d.topic || '-' || d.partition))::bigint
          order by d.topic_id, d.topic, d.partition, d.record_offset
            for no key update;
    end if;
    for l in select * from command_lanes(command) loop
        select jsonb_object_agg(g.partition, g.start),
               string_agg(format('%s %s, which stands at %s', g.partition, g.start, l.position ->> g.partition), ', ')
                   filter (where (command.action = 'skip') <> (g.start::bigint > (l.position ->> g.partition)::bigint))
          into mine, wrong
          from jsonb_each(goal) as g (partition, start)
         where l.position ? g.partition
           and (command.action = 'skip' or g.start::bigint <> (l.position ->> g.partition)::bigint
                or l.found_topic_id is not null)
           and not (command.target ? 'timestamp' and g.start::bigint > (l.position ->> g.partition)::bigint);
        if wrong is not null then
            perform refuse_command(format('Stream ''%s'', lane %s: can''t %s to %s; %s', l.stream, l.lane, command.action, wrong,
                case command.action when 'skip' then 'a skip goes ahead, a rewind goes back'
                     else 'a rewind goes back; to leave records out, skip them' end));
        end if;
        select string_agg(format('%s at %s', f.partition, coalesce(l.position ->> f.partition, 'no offset')), ', ')
          into wrong
          from jsonb_each(command.target -> 'from') as f (partition, start)
         where mine ? f.partition and f.start <> l.position -> f.partition;
        if wrong is not null then
            perform refuse_command(format('Stream ''%s'', lane %s: doesn''t stand where it was expected, but %s', l.stream, l.lane, wrong));
        end if;
        if mine is not null then
            effects := effects || move_lane(command, l, mine);
        end if;
    end loop;
    return effects;
end $$;

-- Where a rewind to a batch goes.
create function batch_start(command operator_command) returns jsonb
language plpgsql as $$
declare
    wanted bigint := case when (command.target ->> 'batch')::numeric between 0 and 9223372036854775806
                          then (command.target ->> 'batch')::bigint end;
    starts jsonb;
    oldest bigint;
    last   bigint;
begin
    select l.last_batch into last from lane l where l.stream = command.stream and l.lane = command.lane;
    select o.starts into starts
      from offset_log o
     where o.stream = command.stream and o.lane = command.lane and o.batch = wanted and wanted <= last;
    if starts is null then
        select min(o.batch) into oldest from offset_log o
         where o.stream = command.stream and o.lane = command.lane and o.batch <= last;
        perform refuse_command(format('Stream ''%s'', lane %s: the logs don''t have batch %s; %s', command.stream, command.lane,
            command.target ->> 'batch',
            case when oldest is null then 'they have none yet'
                 else format('they have %s to %s. Offsets and times go further back', oldest, last) end));
    end if;
    return starts;
end $$;

-- All that the database can do by itself.
create function carry_out(command operator_command, stopped boolean, inout result jsonb, out settled boolean)
language plpgsql as $$
declare
    goal    jsonb;
    unknown text;
    letters bigint := 0;
    effects jsonb := '[]';
begin
    settled := true;
    if command.action in ('pause', 'resume', 'stop', 'start', 'restored') then
        effects := restate_lanes(command, stopped);
        if command.action = 'stop' and not command.dry_run then
            perform break_off_redrives(command);
        end if;
    elsif command.action in ('rewind', 'skip') then
        goal := case when command.target ? 'batch' then batch_start(command)
                     else coalesce(command.target -> 'offsets', command.resolved) end;
        if goal is null then
            settled := false; -- an instance asks the source for the offsets of the timestamp
            return;
        end if;
        select string_agg(g.partition, ', ') into unknown
          from jsonb_object_keys(goal || coalesce(command.target -> 'from', '{}')) as g (partition)
         where not command.target ? 'timestamp'
           and (not goal ? g.partition or not exists (
                    select from lane l
                     where l.stream = command.stream and (l.lane = command.lane or command.lane is null)
                       and l.position ? g.partition));
        if unknown is not null then
            perform refuse_command(format('Stream ''%s'': %s is no partition that is to be moved; %s', command.stream, unknown,
                coalesce((select 'there are ' || string_agg(p.partition, ', ' order by p.partition)
                            from lane l cross join lateral jsonb_object_keys(l.position) as p (partition)
                           where l.stream = command.stream and (l.lane = command.lane or command.lane is null)),
                         'there are none')));
        end if;
        effects := move_lanes(command, goal);
        select coalesce(sum((e ->> 'dead_letters')::bigint), 0) into letters from jsonb_array_elements(effects) e;
    elsif command.action = 'discard' and not command.dry_run then
        perform from dead_letter d
          where d.id in (select command_letters(command))
          order by d.topic_id, d.topic, d.partition, d.record_offset
            for no key update;
        update dead_letter d
           set status = 'discarded', reason = command.reason, settled_at = now()
         where d.id in (select command_letters(command)) and d.status in ('parked', 'held');
        get diagnostics letters = row_count;
    else
        select count(*) into letters from command_letters(command);
        settled := command.dry_run;
    end if;
    result := jsonb_build_object('lanes', effects, 'dead_letters', letters);
end $$;

-- Statements must see what was committed while they waited for locks.
create function require_read_committed() returns void
language plpgsql as $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception using errcode = '25001',
            message = format('Commands are given at READ COMMITTED, and this transaction is at %s',
                             upper(current_setting('transaction_isolation'))),
            hint = 'Begin it with BEGIN ISOLATION LEVEL READ COMMITTED.';
    end if;
end $$;

-- These run with the rights of the schema's owner, and what they are given is taken for what stands in their table. Called for
-- any other, they would call what somebody else has made of its type.
create function require_own_table(called_for oid) returns void
language plpgsql as $$
begin
    if called_for <> 'operator_command'::regclass then
        raise exception using errcode = '42501', message = 'Commands are rows of operator_command, and of no other table';
    end if;
end $$;

-- Looks at a command before anything is done, and refuses what makes no sense.
create function check_command(command operator_command) returns void
language plpgsql as $$
declare
    s      stream;
    latest operator_command;
    known  text;
begin
    select * into s from stream where stream.stream = command.stream;
    if not found then
        select string_agg(stream.stream, ', ' order by stream.stream) into known from stream;
        perform refuse_command(format('Stream ''%s'' isn''t known here; there are: %s', command.stream, coalesce(known, 'none')));
    end if;
    if command.expected_version <> s.version then
        select * into latest from operator_command c
         where c.stream = command.stream and not c.dry_run order by c.id desc limit 1;
        raise exception using errcode = 'TD001', message = format(
            'Stream ''%s'' is at version %s, not at %s as expected: %s. Nothing was done; look again',
            command.stream, s.version, command.expected_version,
            case when latest.id is null then 'it has had no command yet'
                 else format('the last command was %s of %s, by %s at %s', latest.action,
                             coalesce('lane ' || latest.lane, 'the stream'), latest.issued_by,
                             to_char(latest.issued_at, 'YYYY-MM-DD HH24:MI:SS TZ')) end);
    end if;
    if command.action not in ('pause', 'resume', 'stop', 'start', 'rewind', 'skip', 'redrive', 'discard', 'restored') then
        perform refuse_command(format('Stream ''%s'': there is no action ''%s''; there are pause, resume, stop, start, rewind,'
                                      ' skip, redrive, discard, restored', command.stream, command.action));
    end if;
    if command.lane is not null and command.action = 'restored' then
        perform refuse_command(format('Stream ''%s'': a database is restored as a whole, so restored takes no lane', command.stream));
    end if;
    if command.lane is not null and not exists (
            select from lane l where l.stream = command.stream and l.lane = command.lane) then
        select string_agg(l.lane, ', ' order by l.lane) into known from lane l where l.stream = command.stream;
        perform refuse_command(format('Stream ''%s'' has no lane %s; there are: %s', command.stream, command.lane,
                                      coalesce(known, 'none')));
    end if;
    if command.action in ('skip', 'discard') and coalesce(trim(command.reason), '') = '' then
        perform refuse_command(format('Stream ''%s'': %s loses records, so it needs a reason', command.stream, command.action));
    end if;
end $$;

create function give_command() returns trigger
language plpgsql security definer set lock_timeout = '10s' as $$
declare
    s    stream;
    done record;
begin
    perform require_own_table(tg_relid);
    perform require_read_committed();
    if not new.dry_run then
        -- First of all locks: commands of a stream come one after the other.
        perform from stream where stream.stream = new.stream for update;
    end if;
    -- Drawn under the lock, so that a stream's ids tell which command came first. Whoever chooses an id could choose one that is
    -- taken, and have the command without its row.
    new.id := nextval(pg_get_serial_sequence('operator_command', 'id'));
    perform check_command(new);
    -- A statement of its own, after the lock.
    select * into s from stream where stream.stream = new.stream;
    new.target := command_target(new);
    new.issued_at := clock_timestamp();
    new.database_user := session_user;
    new.problem := null;
    new.resolved := null;
    select * into done from carry_out(new, s.stopped, null);
    new.result := done.result;
    new.status := case when done.settled then 'done' else 'pending' end;
    new.settled_at := case when done.settled then clock_timestamp() end;
    -- Who gives a command may say that it is at it already, if it is an instance.
    new.instance := case when not done.settled then new.instance end;
    new.claimed_at := case when new.instance is not null then clock_timestamp() end;
    new.version := s.version;
    if not new.dry_run then
        update stream set version = version + 1 where stream.stream = new.stream returning version into new.version;
    end if;
    return new;
end $$;

create trigger give_command before insert on operator_command for each row execute function give_command();

-- What was commanded is never changed; what became of it, only while it is pending.
create function settle_command() returns trigger
language plpgsql security definer set lock_timeout = '10s' as $$
declare
    s    stream;
    done record;
begin
    perform require_own_table(tg_relid);
    if old.status <> 'pending'
            or (new.id, new.stream, new.lane, new.action, new.target, new.dry_run, new.expected_version, new.issued_by,
                new.reason, new.issued_at, new.database_user, new.version)
               is distinct from
               (old.id, old.stream, old.lane, old.action, old.target, old.dry_run, old.expected_version, old.issued_by,
                old.reason, old.issued_at, old.database_user, old.version) then
        perform refuse_command(format('Stream ''%s'': command %s is part of the audit trail, and stays as it is', old.stream, old.id));
    end if;
    if new.resolved is distinct from old.resolved then
        perform require_read_committed();
        if new.target -> 'timestamp' is null then
            perform refuse_command(format('Stream ''%s'': command %s has no timestamp', old.stream, old.id));
        end if;
        if not new.dry_run then
            perform from stream where stream.stream = new.stream for update;
        end if;
        select * into s from stream where stream.stream = new.stream;
        -- What moved lanes meanwhile or let them go on didn't see this one done: it would read again what nobody looked at.
        select format('Command %s, %s of %s, came before an instance could carry this one out. Nothing was moved; look again',
                      c.id, c.action, coalesce('lane ' || c.lane, 'the stream'))
          into new.problem
          from operator_command c
         where c.stream = new.stream and c.id > new.id and not new.dry_run and not c.dry_run
           and c.action in ('resume', 'start', 'rewind', 'skip')
           and (c.lane = new.lane or c.lane is null or new.lane is null)
         order by c.id
         limit 1;
        if new.problem is not null then
            new.resolved := old.resolved;
            new.status := 'failed';
            new.settled_at := clock_timestamp();
            return new;
        end if;
        new.resolved := case when new.resolved = '{}' then new.resolved else command_offsets(new, new.resolved) end;
        select * into done from carry_out(new, s.stopped, null);
        new.result := done.result;
        new.status := 'done';
        if not new.dry_run then
            -- It moves lanes only now: who looked at them before has to look again.
            update stream set version = version + 1 where stream.stream = new.stream returning version into new.version;
        end if;
    end if;
    if new.status <> 'pending' then
        new.settled_at := clock_timestamp();
    end if;
    return new;
end $$;

create trigger settle_command before update on operator_command for each row execute function settle_command();

-- Names in these functions mean what is in this schema, wherever they are called from; nothing of a caller's temporary
-- tables is mistaken for it.
do $$
declare
    entry text;
begin
    foreach entry in array array['give_command()', 'settle_command()', 'command_letters(operator_command)'] loop
        execute format('alter function %s set search_path = %I, pg_temp', entry, current_schema());
    end loop;
    -- Nobody needs a right to them for the triggers that exist, and nobody else shall make another one of them.
    revoke execute on function give_command(), settle_command() from public;
end $$;
