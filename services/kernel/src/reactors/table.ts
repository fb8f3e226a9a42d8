/**
 * What waits for an administrator: one row a key that a worker (`reactor <name>`, `timer <kind>` or `projection <name>`) could
 * not serve. The key itself may be personal (a chat's number), so only a keyed hash of it is stored, as the row's id. The key of
 * a projection is a tenant, which is not.
 */
export const parkedWorkSchema = `
  create table if not exists parked_work (
    id uuid primary key,
    worker text not null,
    parking_id uuid not null default gen_random_uuid(),
    position text collate "C",
    event_id uuid,
    error_name text not null,
    message text not null,
    attempts int not null,
    effect_id text,
    parked_at timestamptz not null,
    request text check (request in ('retry', 'release')),
    is_announced boolean not null default false,
    tenant text collate "C"
  );
  -- Asked first: changing a table waits for everybody who reads it, also where there is nothing to change.
  do $$ begin
    if not exists (select from pg_attribute where attrelid = 'parked_work'::regclass and attname = 'tenant') then
      alter table parked_work add column tenant text collate "C";
    end if;
  end $$;
  create index if not exists parked_work_worker on parked_work (worker, parked_at);
  create table if not exists parked_event (
    worker text not null,
    position text collate "C" not null,
    work_id uuid not null,
    event_id uuid not null,
    stream text not null,
    revision bigint not null,
    is_settled boolean not null default false,
    primary key (worker, position)
  );
  create index if not exists parked_event_waiting on parked_event (work_id, position) where not is_settled;
  create table if not exists worker_epoch (
    worker text primary key,
    epoch bigint not null
  )`

/** Effects outside the house, claimed before they are made and marked once they are. */
export const effectSchema = `
  create table if not exists effect_once (
    id text primary key,
    claimant uuid not null,
    claimed_at timestamptz not null default now(),
    made_at timestamptz
  );
  create index if not exists effect_once_made on effect_once (made_at) where made_at is not null`
