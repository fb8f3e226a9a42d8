import { type MigrationSet, sqlMigration } from '../../postgres/migrations.ts'

/**
 * Insert-only.
 *
 * `position` is dense and in commit order: `es.append` assigns max(position) + 1 under a lock held until commit, not from a sequence.
 * Readers of "everything after n" skip nothing; rollbacks leave no gap.
 *
 * `jsonb` refuses U+0000, reorders keys and rewrites numbers.
 *
 * No index by category: a scan does a million rows a second, and checkpoints move on without matches.
 */
const eventTable = `
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

/**
 * At most one request per stream. Per event: stream, revision, step in its request (1 begins one), content. Returns ('all', null, position
 * before the first) or, per request, 'appended', 'repeated' (ids exist) or 'conflict', with the last revision. Small statements without
 * joins are faster. A change needs a new name and migration: two versions run side by side.
 */
const appendFunction = `
create or replace function es.append_v3(
  streams text, revisions text, steps text, ids text, types text, datas text, metadatas text
) returns table (outcome text, revision bigint, "position" bigint) language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  event_streams constant text[] := string_to_array(streams, E'\\x1e');
  event_revisions constant bigint[] := string_to_array(revisions, ' ');
  event_steps constant int[] := string_to_array(steps, ' ');
  event_ids constant uuid[] := string_to_array(ids, ' ');
  firsts bigint[];
  counts bigint[];
  wanted bigint[];
  actual bigint[];
  head bigint;
  added bigint;
begin
  perform pg_advisory_xact_lock(7240012026);
  head := coalesce((select max(e.position) from es.event e), 0);

  if (
    select bool_and(i.revision - 1 = coalesce(
      (select e.revision from es.event e where e.stream = i.stream order by e.revision desc limit 1), -1
    ))
    from unnest(event_streams, event_revisions, event_steps) i(stream, revision, step)
    where i.step = 1
  ) then
    insert into es.event (position, stream, revision, id, type, data, metadata)
    select head + i.n, i.stream, i.revision, i.id, i.type, i.data::json, i.metadata::json
    from unnest(
      event_streams, event_revisions, event_ids, string_to_array(types, E'\\x1e'), string_to_array(datas, E'\\x1e'),
      string_to_array(metadatas, E'\\x1e')
    ) with ordinality i(stream, revision, id, type, data, metadata, n);
    get diagnostics added = row_count;
    perform pg_notify('es_event', (head + added)::text);
    return query select 'all', null::bigint, head;
    return;
  end if;

  with request as materialized (
    select i.n, i.stream, i.revision - 1 as expected, lead(i.n, 1, cardinality(event_steps) + 1) over (order by i.n) - i.n as size
    from unnest(event_streams, event_revisions, event_steps) with ordinality i(stream, revision, step, n)
    where i.step = 1
  ), judged as (
    select r.n, r.size, r.expected, coalesce(
      (select e.revision from es.event e where e.stream = r.stream order by e.revision desc limit 1), -1
    ) as actual
    from request r
  )
  select array_agg(j.n order by j.n), array_agg(j.size order by j.n),
    array_agg(j.expected order by j.n), array_agg(j.actual order by j.n)
  into firsts, counts, wanted, actual from judged j;

  insert into es.event (position, stream, revision, id, type, data, metadata)
  select head + row_number() over (order by i.n), i.stream, i.revision, i.id, i.type, i.data::json, i.metadata::json
  from unnest(firsts, counts, wanted, actual) r(first, size, expected, actual)
  join unnest(
    event_streams, event_revisions, event_ids, string_to_array(types, E'\\x1e'), string_to_array(datas, E'\\x1e'),
    string_to_array(metadatas, E'\\x1e')
  ) with ordinality i(stream, revision, id, type, data, metadata, n) on i.n >= r.first and i.n < r.first + r.size
  where r.expected = r.actual;
  get diagnostics added = row_count;
  if added > 0 then
    perform pg_notify('es_event', (head + added)::text);
  end if;

  return query
  with stood as (
    select r.first, count(e.position) as events, max(e.position) as last_position
    from unnest(firsts, counts) r(first, size)
    join unnest(event_streams, event_revisions, event_ids) with ordinality i(stream, revision, id, n)
      on i.n >= r.first and i.n < r.first + r.size
    left join es.event e on e.stream = i.stream and e.revision = i.revision and e.id = i.id
    group by r.first
  )
  select
    case when r.expected = r.actual then 'appended' when s.events = r.size then 'repeated' else 'conflict' end,
    case when s.events = r.size then r.expected + r.size else r.actual end,
    s.last_position
  from unnest(firsts, counts, wanted, actual) r(first, size, expected, actual)
  join stood s on s.first = r.first
  order by r.first;
end
$$;
`

/** Idempotent: logs may predate migrations. */
const log = sqlMigration('0001_log', eventTable, appendFunction)

export const eventStoreMigrations: MigrationSet = { package: 'event-store', migrations: [log] }
