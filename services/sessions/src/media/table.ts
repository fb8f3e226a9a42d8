/**
 * Every file of a message that we know of: what is to be fetched and when, what was uploaded and not sent, what must be
 * deleted with its contact. `revision` is where in `chat-<contact>` the source of one that arrived stands: the source
 * itself is personal, and locked there. Of one that WhatsApp has forgotten, the message is named and what the own phone
 * said that was asked for it: `{"file": …}`, locked with the file's own key, or `{"file": null}`. `bytes` is what it takes
 * of the storage, null where nobody has counted it yet; `claimed_until` is set while a process fetches it. `fetch_turn` says
 * when a file of a tenant was claimed last.
 */
export const mediaSchema = `
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

/** Announces that there is something to fetch. */
export const mediaChannel = 'prosa_media'
