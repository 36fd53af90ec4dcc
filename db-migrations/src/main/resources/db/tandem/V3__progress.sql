-- What people want to know of streams: batches with their rates, the lag of every lane, the batch of a record. What isn't
-- known is null: greatest(null, 0) is 0, so each use of it asks first.

-- Updated every few seconds by whoever holds the lane, in place: its pages have room for that.
create table lane_end (
    stream   text        not null,
    lane     text        not null,
    position jsonb       not null,
    ends     jsonb       not null,
    oldest   timestamptz,
    told_at  timestamptz not null,
    seen_at  timestamptz not null,
    primary key (stream, lane)
) with (fillfactor = 50);

comment on table lane_end is 'Where the partitions of each lane end, as the instance that holds it saw them last. Only for lag: no batch depends on it.';
comment on column lane_end.position is 'Where the lane stood then.';
comment on column lane_end.ends is 'Offsets after the last record that can be read: {"partition": offset}.';
comment on column lane_end.oldest is 'Timestamp of the first record after the position; null if there is none, or it isn''t known.';
comment on column lane_end.told_at is 'When this was written.';
comment on column lane_end.seen_at is 'When the ends were seen. Told anew at least once a minute: an older one means that no instance holds the lane, or that the source doesn''t answer it.';

create view stream_progress as
select c.stream,
       c.lane,
       c.batch,
       c.generation,
       o.starts,
       o.ends,
       c.latest,
       case when c.latest is not null
            then (select sum(greatest((c.latest ->> e.partition)::bigint - e.end_offset::bigint, 0))::bigint
                    from jsonb_each_text(o.ends) as e (partition, end_offset)) end as lag,
       c.records,
       c.dead_letters,
       -- Another instance's clock may be behind.
       case when c.started_at > lag(c.started_at) over batches
            then c.records / extract(epoch from c.started_at - lag(c.started_at) over batches)::double precision end
           as records_per_second_in,
       c.records * 1000.0::double precision / nullif(c.duration_ms::double precision, 0) as records_per_second_out,
       c.plan_ms,
       c.queue_ms,
       c.decode_ms,
       c.handler_ms,
       c.duration_ms,
       c.attempts,
       c.instance,
       c.epoch,
       c.trace_id,
       c.started_at,
       c.committed_at
  from commit_log c
  left join offset_log o using (stream, lane, batch)
 where c.status = 'committed'
window batches as (partition by c.stream, c.lane order by c.batch);

comment on view stream_progress is 'One row per committed batch. In a transaction that several lanes share, plan_ms and duration_ms are those of all of them.';
comment on column stream_progress.lag is 'Records between the end of the batch and the ends of its partitions, when it was committed; null if these weren''t known.';
comment on column stream_progress.records_per_second_in is 'Its records by the time since the batch before began: the rate at which they arrive, as long as the lane keeps up.';
comment on column stream_progress.records_per_second_out is 'Its records by the time of its run: what the lane could process.';

create view lane_lag as
select l.stream,
       l.lane,
       p.partition,
       l.state,
       l.instance,
       p.next_offset::bigint as next_offset,
       n.end_offset,
       case when n.end_offset is not null then greatest(n.end_offset - p.next_offset::bigint, 0) end as lag,
       case when n.end_offset <= p.next_offset::bigint then 0
            when n.end_offset is null or e.oldest is null then null
            when e.position = l.position then greatest(extract(epoch from now() - e.oldest)::double precision, 0)
            else greatest(extract(epoch from e.told_at - e.oldest)::double precision, 0) end as lag_seconds,
       n.seen_at
  from lane l
 cross join lateral jsonb_each_text(l.position) as p (partition, next_offset)
  left join lane_end e using (stream, lane)
  left join commit_log c on (c.stream, c.lane, c.batch) = (l.stream, l.lane, l.last_batch)
 cross join lateral (
       -- Where nobody has looked for a minute, more may have arrived since.
       select case when w.seen_at > now() - interval '1 minute' then (w.ends ->> p.partition)::bigint end as end_offset,
              w.seen_at
         from (values (e.ends, e.seen_at), (c.latest, c.committed_at)) as w (ends, seen_at)
        where w.ends is not null
        union all
       select null, null
        order by 2 desc nulls last
        limit 1) n;

comment on view lane_lag is 'How far each lane is behind, one row per partition, by what was seen last: with its last commit, or every few seconds by whoever holds it.';
comment on column lane_lag.end_offset is 'Offset after the last record that can be read; null if it isn''t known: if nobody has seen it for a minute, since no instance holds the lane, or the source doesn''t answer it.';
comment on column lane_lag.lag is 'Offsets between the two: records, and fewer where offsets are missing. Never negative; null if it isn''t known.';
comment on column lane_lag.lag_seconds is 'Age of the oldest record that isn''t committed; of a lane that moved since that was told, as it was then. Null if it isn''t known.';
comment on column lane_lag.seen_at is 'When the end was seen last. More than a minute ago means that no instance holds the lane, or that the source doesn''t answer it.';

-- The path is fixed here, to the schema of this script.
create function batch_of_record(stream text, topic text, partition integer, record_offset bigint)
returns setof batch
language sql stable
set search_path from current
as $$
    select b.*
      from batch b
     where b.stream = $1
       and b.partition = $2 || '-' || $3
       and $4 >= b.start_offset
       and $4 < b.end_offset
     order by b.status = 'abandoned', b.batch desc
     limit 1
$$;

comment on function batch_of_record is 'The batch whose range has an offset: the last one, if a rewind made it several. No row if the logs don''t have it.';
