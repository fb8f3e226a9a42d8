import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/** To whose chat each id of a message of ours belongs; can be dropped, and is read anew from the log. */
const sentMessageId = `
  create table if not exists sent_message_id (
    owner text not null,
    message_id text not null,
    chat_id uuid not null,
    primary key (owner, message_id)
  );
  create index if not exists sent_message_id_chat on sent_message_id (chat_id)`

/**
 * WhatsApp's answers for numbers, for a while: by the number's fingerprint, sealed. Not from the log; without it WhatsApp is
 * asked again.
 */
const lookedUpNumber = `
  create table if not exists looked_up_number (
    owner text not null,
    fingerprint text not null,
    sealed bytea not null,
    expires_at timestamptz not null,
    primary key (owner, fingerprint)
  );
  create index if not exists looked_up_number_expires_at on looked_up_number (expires_at)`

/**
 * The tables as they were when migrations began. Databases from before have no migrations on record but may have any of these
 * tables, of the last version or of an earlier one: each statement makes only what is missing.
 */
export const tables = sqlMigration('0001_tables', sentMessageId, lookedUpNumber)
