import { sqlMigration } from '../postgres/migrations.ts'

/** Positions are compared byte by byte. */
const checkpoint = `
  create table if not exists checkpoint (
    name text collate "C" primary key,
    version int not null,
    position text collate "C" not null
  )`

const secret = `
  create table if not exists secret (
    kind text not null,
    id text not null,
    sealed bytea not null,
    expires_at timestamptz,
    primary key (kind, id)
  );
  create index if not exists secret_expires on secret (expires_at) where expires_at is not null`

/** Keys are wrapped by the master key and never change, not even with the master secret. */
const installationKey = `
  create table if not exists house_key (
    purpose text primary key,
    wrapped bytea not null,
    master text not null
  )`

/** One current key per subject. An erased key leaves its row: its data are erased, not lost. */
const subjectKey = `
  create table if not exists subject_key (
    id uuid primary key,
    subject text collate "C" not null,
    wrapped bytea,
    master text collate "C",
    created_at timestamptz not null default now(),
    erased_at timestamptz,
    check ((wrapped is null) = (erased_at is not null) and (wrapped is null) = (master is null))
  );
  create unique index if not exists subject_key_current on subject_key (subject) where wrapped is not null;
  create index if not exists subject_key_master on subject_key (master, id) where wrapped is not null`

/**
 * `credential_id`: the password proved for the session; null in older sessions. `next_credential_id`: one that the session is setting, also
 * valid.
 * `current_credential`: null once erased; such rows stay, so that pending sign-ins fail. `epoch` orders late writers.
 */
const browserSession = `
  create table if not exists browser_session (
    token_hash bytea primary key,
    user_id uuid not null,
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now()
  );
  alter table browser_session add column if not exists credential_id uuid;
  alter table browser_session add column if not exists next_credential_id uuid;
  create index if not exists browser_session_user on browser_session (user_id);
  create table if not exists current_credential (
    user_id uuid primary key,
    credential_id uuid,
    epoch integer not null
  )`

const idempotentRequest = `
  create table if not exists idempotent_request (
    id text primary key,
    fingerprint text not null,
    claimed_until timestamptz,
    reply bytea,
    created_at timestamptz not null
  );
  create index if not exists idempotent_request_created on idempotent_request (created_at)`

/**
 * Workers: `reactor <name>`, `timer <kind>`, `projection <name>`. The id is a keyed hash, as the key may be personal; a projection's is a
 * tenant.
 */
const parkedWork = `
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

const effect = `
  create table if not exists effect_once (
    id text primary key,
    claimant uuid not null,
    claimed_at timestamptz not null default now(),
    made_at timestamptz
  );
  create index if not exists effect_once_made on effect_once (made_at) where made_at is not null`

/** `try_at` equals `due_at` until a failure. A kind fires only after catching up with the log (`is_live`). */
const timer = `
  create table if not exists timer (
    kind text not null,
    key text collate "C" not null,
    due_at timestamptz not null,
    payload jsonb not null,
    owner text,
    event_id uuid not null,
    correlation_id text not null,
    try_at timestamptz not null,
    attempts int not null default 0,
    is_parked boolean not null default false,
    work_id uuid,
    primary key (kind, key)
  );
  create index if not exists timer_due on timer (try_at) where not is_parked;
  create index if not exists timer_work on timer (work_id) where work_id is not null;
  create table if not exists timer_kind (
    kind text primary key,
    is_live boolean not null
  )`

/**
 * Can be rebuilt from the log. `lineage` changes with each full fold: entries of two folds never mix. `subject_key`: null without personal
 * data.
 */
const snapshot = `
  create table if not exists stream_snapshot (
    stream text collate "C" not null,
    decider text collate "C" not null,
    fold_version int not null,
    revision bigint not null,
    lineage uuid not null,
    subject_key uuid not null,
    state bytea not null,
    saved_at timestamptz not null default now(),
    primary key (stream, decider, fold_version, revision)
  );
  create table if not exists stream_entry (
    lineage uuid not null,
    key text collate "C" not null,
    value bytea not null,
    subject_key uuid,
    primary key (lineage, key)
  )`

/** Older databases may have any of these tables. */
export const tables = sqlMigration(
  '0001_tables',
  checkpoint,
  secret,
  installationKey,
  subjectKey,
  browserSession,
  idempotentRequest,
  parkedWork,
  effect,
  timer,
  snapshot,
)
