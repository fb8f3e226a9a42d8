/**
 * Messages on their way out, in the order of the log. What they say is sealed, and forgotten once no device can ask for it:
 * `sealed_work` is what to send, `sealed_prepared` the message as it was sent where that does not follow from the work.
 * `sealed_text` is what earlier versions kept. `is_held`: the first to somebody who never wrote, waiting for its turn.
 */
export const outboxSchema = `
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

/** Announces the connection whose outbox got a message. */
export const outboxChannel = 'prosa_outbox'

/** WhatsApp asks for a message again for up to 14 days; after that its text is of no use here. */
export const textDays = 14
