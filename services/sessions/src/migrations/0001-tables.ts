import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/**
 * Encrypted. Older generations belong to a number that was given up. Ids of keys contain phone numbers, so only fingerprints are stored.
 */
const credential = `
  create table if not exists whatsapp_credentials (
    connection_id uuid primary key,
    generation int not null,
    sealed bytea
  );
  create table if not exists whatsapp_key (
    connection_id uuid not null references whatsapp_credentials on delete cascade,
    type text not null,
    id_fingerprint bytea not null,
    sealed bytea not null,
    primary key (connection_id, type, id_fingerprint)
  )`

/**
 * Outgoing messages in the order of the log. Content is encrypted, and deleted once no device can ask for it. `sealed_prepared`: as sent,
 * where it does not follow from `sealed_work`; `sealed_text`: of earlier versions. `is_held`: first message, waiting for its rate limit.
 */
const outbox = `
  create table if not exists outbox (
    connection_id uuid not null,
    message_id text not null,
    contact_id uuid not null,
    owner text not null,
    to_jid text not null,
    sealed_text bytea,
    state text not null default 'waiting' check (state in ('waiting', 'dispatched', 'failed')),
    attempts int not null default 0,
    position text collate "C" not null,
    event_id uuid not null,
    correlation_id text not null,
    settled_at timestamptz,
    primary key (connection_id, message_id)
  );
  alter table outbox add column if not exists sealed_work bytea;
  alter table outbox add column if not exists sealed_prepared bytea;
  alter table outbox add column if not exists is_held boolean not null default false;
  create index if not exists outbox_waiting on outbox (connection_id, position) where state = 'waiting';
  create index if not exists outbox_contact on outbox (contact_id)`

/**
 * One row for each connection that was not removed. Tokens are unique and only grow; an expired row (database clock) is free.
 * `holder_process` lets processes of the same machine see that the holder is dead.
 */
const lease = `
  create sequence if not exists connection_lease_token;
  create table if not exists connection_lease (
    connection_id uuid primary key,
    holder uuid,
    token bigint not null default 0,
    expires_at timestamptz not null default '-infinity'
  );
  alter table connection_lease add column if not exists holder_process text;
  create index if not exists connection_lease_expires_at on connection_lease (expires_at);
  insert into connection_lease (connection_id) select connection_id from whatsapp_credentials on conflict do nothing`

/** A tenant's connections: state at `position`; `reserved_until` while a command would add or link. Can be rebuilt from the log. */
const connectionPlace = `
  create table if not exists connection_place (
    connection_id uuid primary key,
    owner text not null,
    linking_until timestamptz,
    position text collate "C" not null default '',
    reserved_until timestamptz
  );
  create index if not exists connection_place_owner on connection_place (owner)`

/**
 * Every known file of a message. `revision` is the source's in `chat-<contact>`, where it is encrypted as personal data. `phone_answer`:
 * for an expired file, encrypted with the file's key, or null. `bytes`: null if not counted; `claimed_until`: while a process fetches it;
 * `fetch_turn`: last claim of the tenant.
 */
const media = `
  create table if not exists media_file (
    id uuid primary key,
    owner text not null,
    contact_id uuid,
    state text not null check (state in ('uploading', 'uploaded', 'given', 'fetching', 'settled', 'erased')),
    revision bigint,
    request_id uuid unique,
    attempts int not null default 0,
    due_at timestamptz,
    event_id uuid,
    correlation_id text not null
  );
  alter table media_file add column if not exists connection_id uuid;
  alter table media_file add column if not exists message_id text;
  alter table media_file add column if not exists phone_asked_at timestamptz;
  alter table media_file add column if not exists phone_answer jsonb;
  alter table media_file add column if not exists bytes bigint;
  alter table media_file add column if not exists claimed_until timestamptz;
  create table if not exists fetch_turn (owner text primary key, claimed_at timestamptz not null);
  create index if not exists media_file_wanted on media_file (owner, due_at) where state = 'fetching';
  create index if not exists media_file_claimed on media_file (owner, claimed_until) where claimed_until is not null;
  create index if not exists media_file_uncounted on media_file (id)
    where bytes is null and state in ('uploaded', 'given', 'settled');
  create index if not exists media_file_message on media_file (connection_id, message_id) where message_id is not null;
  create index if not exists media_file_due on media_file (due_at) where due_at is not null;
  create index if not exists media_file_contact on media_file (contact_id);
  create index if not exists media_file_owner on media_file (owner)`

/**
 * `kept_files`: sum of `media_file.bytes`, maintained by triggers because a sum over all rows would be slow. `incoming_file`: `bytes` are
 * reserved until `held_until`; after an upload they are those received. Uploads stay for a day.
 */
const room = `
  create table if not exists kept_files (
    owner text primary key,
    bytes bigint not null default 0
  );
  create table if not exists incoming_file (
    id uuid primary key,
    owner text not null,
    is_upload boolean not null,
    began_at timestamptz not null,
    bytes bigint not null,
    held_until timestamptz
  );
  create index if not exists incoming_file_owner on incoming_file (owner, began_at);
  create index if not exists incoming_file_began on incoming_file (began_at);
  create or replace function count_kept_files() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into kept_files as kept (owner, bytes)
        select owner, sum(bytes) from new_rows where bytes > 0 group by owner order by owner
        on conflict (owner) do update set bytes = kept.bytes + excluded.bytes;
    elsif tg_op = 'DELETE' then
      insert into kept_files as kept (owner, bytes)
        select owner, -sum(bytes) from old_rows where bytes > 0 group by owner order by owner
        on conflict (owner) do update set bytes = kept.bytes + excluded.bytes;
    else
      insert into kept_files as kept (owner, bytes)
        select owner, sum(change) from (
          select owner, coalesce(bytes, 0) as change from new_rows
          union all
          select owner, -coalesce(bytes, 0) from old_rows
        ) as changes group by owner having sum(change) <> 0 order by owner
        on conflict (owner) do update set bytes = kept.bytes + excluded.bytes;
    end if;
    return null;
  end $$;
  create or replace trigger kept_files_inserted after insert on media_file
    referencing new table as new_rows for each statement execute function count_kept_files();
  create or replace trigger kept_files_deleted after delete on media_file
    referencing old table as old_rows for each statement execute function count_kept_files();
  create or replace trigger kept_files_changed after update on media_file
    referencing old table as old_rows new table as new_rows for each statement execute function count_kept_files()`

/** Older databases may have any of these tables, but no record of migrations: each statement creates only what is missing. */
export const tables = sqlMigration('0001_tables', credential, outbox, lease, connectionPlace, media, room)
