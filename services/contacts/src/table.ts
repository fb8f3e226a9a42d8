/** Connections whose line is up, as far as this service has read the log; can be dropped, and comes back with the next line. */
export const openLineSchema = `
  create table if not exists open_line (
    connection_id uuid primary key,
    owner text not null
  );
  create index if not exists open_line_owner on open_line (owner)`

/** What WhatsApp said of numbers, for a while: by the number's fingerprint, sealed. Not from the log; without it WhatsApp is asked again. */
export const lookedUpNumberSchema = `
  create table if not exists looked_up_number (
    owner text not null,
    fingerprint text not null,
    sealed bytea not null,
    expires_at timestamptz not null,
    primary key (owner, fingerprint)
  );
  create index if not exists looked_up_number_expires_at on looked_up_number (expires_at)`

/** To whose chat each id of a message of ours belongs; can be dropped, and is read anew from the log. */
export const sentMessageIdSchema = `
  create table if not exists sent_message_id (
    owner text not null,
    message_id text not null,
    chat_id uuid not null,
    primary key (owner, message_id)
  );
  create index if not exists sent_message_id_chat on sent_message_id (chat_id)`
