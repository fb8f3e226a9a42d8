import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/**
 * Secrets of WhatsApp lines, sealed. `generation` is that of the connection's stream: a row of an older one belongs to a
 * number that was given up. Ids of keys hold phone numbers, so only their fingerprints are kept.
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
 * Messages on their way out, in the order of the log. Their content is sealed, and forgotten once no device can ask for it:
 * `sealed_work` is what to send, `sealed_prepared` the message as it was sent where that does not follow from the work.
 * `sealed_text` is what earlier versions kept. `is_held`: the first to somebody who never wrote, waiting for its turn.
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
 * One row for each connection that was not removed, held by at most one process at a time. A token is never given out twice
 * and only grows; a row whose time is over, by the database's clock, is free for anybody. `holder_process` lets other processes of the
 * same machine see that the holder is dead.
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

/**
 * The connections that a tenant has, for its budgets: as in the log up to `position`, and `reserved_until` while a command is
 * under way that would add the connection or begin to link it. Can be dropped, and is read anew from the log.
 */
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
 * Every file of a message that we know of: what is to be fetched and when, what was uploaded and not sent, what must be
 * deleted with its contact. `revision` is where in `chat-<contact>` the source of one that arrived stands: the source
 * itself is personal, and locked there. Of one that WhatsApp has forgotten, the message is named and what the own phone
 * answered when asked for it: `{"file": …}`, locked with the file's own key, or `{"file": null}`. `bytes` is what it takes
 * of the storage, null where nobody has counted it yet; `claimed_until` is set while a process fetches it. `fetch_turn` says
 * when a file of a tenant was claimed last.
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
 * `kept_files` is the sum of `media_file.bytes` for each tenant: triggers keep it, because files come and go in many
 * statements and the sum over all rows would be slow. `incoming_file` is what comes in: `bytes` are reserved until
 * `held_until`; once an upload has ended they are what came, and `held_until` is null. Uploads stay for a day.
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

/**
 * The tables as they were when migrations began. Databases from before have no migrations on record but may have any of these
 * tables, of the last version or of an earlier one: each statement makes only what is missing.
 */
export const tables = sqlMigration('0001_tables', credential, outbox, lease, connectionPlace, media, room)
