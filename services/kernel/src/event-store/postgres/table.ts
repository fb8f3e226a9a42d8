/**
 * The log is one table that is only ever inserted into.
 *
 * `position` counts 1, 2, 3 … in commit order: `es.append` hands positions out under one lock that it holds until the
 * commit, from max(position), not from a sequence. So an event that is visible is never followed by a later commit with
 * a lower position, a rollback leaves no hole, and "everything after n" can skip nothing.
 *
 * `data` and `metadata` are `json`: `jsonb` refuses the character U+0000, reorders keys and rewrites numbers; `json` keeps the
 * text as it was written and can still be queried by hand.
 *
 * There is no index by category. A reader of few categories scans about a million rows a second, once, and its checkpoint
 * moves on even where nothing matches.
 */
export const eventTable = `
create schema if not exists es;

create table if not exists es.event (
  position bigint not null primary key,
  stream   text   not null,
  revision bigint not null,
  id       uuid   not null,
  type     text   not null,
  data     json   not null,
  metadata json   not null,
  unique (stream, revision)
);
`

/** Any number, the same for all who append to this log. */
const appendLock = 7240012026

/** Each commit is announced with the last place of the log, or with nothing by processes of an earlier version. */
export const channel = 'es_event'

/** Parts the fields of one parameter: names and JSON texts hold no control character, so nothing has to be escaped. */
export const separator = '\u001e'

/**
 * Appends the requests of a batch, at most one per stream. `streams`, `expecteds` and `sizes` have one field per request, the
 * others one per event, request by request. Where all were appended it answers the one row ('all', null, position before
 * the first event); else one row for each request: 'appended', 'repeated' (these ids stand there already) or 'conflict', with
 * the revision of the last event, after a conflict where the stream stands. Small statements after each other are much
 * faster here than one that does it all. A change of this function gets a new name, so that processes of two versions can run
 * side by side.
 */
export const appendFunction = `
create or replace function es.append_v2(
  streams text, expecteds text, sizes text, ids text, types text, datas text, metadatas text
) returns table (outcome text, revision bigint, "position" bigint) language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  names constant text[] := string_to_array(streams, E'\\x1e');
  wanted constant bigint[] := string_to_array(expecteds, ' ');
  counts constant int[] := string_to_array(sizes, ' ');
  event_ids constant uuid[] := string_to_array(ids, ' ');
  actual bigint[];
  accepted boolean[];
  firsts bigint[];
  starts bigint[];
  head bigint;
  added bigint;
begin
  perform pg_advisory_xact_lock(${appendLock});
  head := coalesce((select max(e.position) from es.event e), 0);
  with request as materialized (
    select r.n, r.size, r.expected, coalesce(
      (select e.revision from es.event e where e.stream = r.stream order by e.revision desc limit 1), -1
    ) as actual
    from unnest(names, wanted, counts) with ordinality r(stream, expected, size, n)
  ), judged as (
    select r.n, r.actual, r.expected = r.actual as accepted, coalesce(sum(r.size) over before, 0) as first,
      head + coalesce(sum(r.size) filter (where r.expected = r.actual) over before, 0) as start
    from request r window before as (order by r.n rows between unbounded preceding and 1 preceding)
  )
  select array_agg(j.actual order by j.n), array_agg(j.accepted order by j.n),
    array_agg(j.first order by j.n), array_agg(j.start order by j.n)
  into actual, accepted, firsts, starts from judged j;

  if true = any(accepted) then
    insert into es.event (position, stream, revision, id, type, data, metadata)
    select r.start + s.step, r.stream, r.expected + s.step, i.id, i.type, i.data::json, i.metadata::json
    from unnest(names, wanted, counts, accepted, firsts, starts) r(stream, expected, size, accepted, first, start)
    cross join generate_series(1, r.size) s(step)
    join unnest(event_ids, string_to_array(types, E'\\x1e'), string_to_array(datas, E'\\x1e'), string_to_array(metadatas, E'\\x1e'))
      with ordinality i(id, type, data, metadata, n) on i.n = r.first + s.step
    where r.accepted;
    get diagnostics added = row_count;
    perform pg_notify('${channel}', (head + added)::text);
  end if;

  if true = all(accepted) then
    return query select 'all', null::bigint, head;
    return;
  end if;

  return query
  with stood as (
    select r.n, count(f.position) as events, max(f.position) as last_position
    from unnest(names, wanted, counts, accepted, firsts) with ordinality r(stream, expected, size, accepted, first, n)
    cross join generate_series(1, r.size) s(step)
    left join es.event f
      on f.stream = r.stream and f.revision = r.expected + s.step and f.id = event_ids[r.first + s.step]
    where not r.accepted
    group by r.n
  )
  select
    case when r.accepted then 'appended' when s.events = r.size then 'repeated' else 'conflict' end,
    case when r.accepted or s.events = r.size then r.expected + r.size else r.actual end,
    case when r.accepted then r.start + r.size else s.last_position end
  from unnest(wanted, counts, actual, accepted, starts) with ordinality r(expected, size, actual, accepted, start, n)
  left join stood s on s.n = r.n
  order by r.n;
end
$$;
`

/** One process at a time makes the tables: two that start together would trip over each other. */
export const migrationLock = appendLock + 1
