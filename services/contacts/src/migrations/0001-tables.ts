import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/** Rebuilt from the log. */
const sentMessageId = `
  create table if not exists sent_message_id (
    owner text not null,
    message_id text not null,
    chat_id uuid not null,
    primary key (owner, message_id)
  );
  create index if not exists sent_message_id_chat on sent_message_id (chat_id)`

/** By fingerprint, encrypted; not from the log. */
const lookedUpNumber = `
  create table if not exists looked_up_number (
    owner text not null,
    fingerprint text not null,
    sealed bytea not null,
    expires_at timestamptz not null,
    primary key (owner, fingerprint)
  );
  create index if not exists looked_up_number_expires_at on looked_up_number (expires_at)`

/** Older databases may have any of them. */
export const tables = sqlMigration('0001_tables', sentMessageId, lookedUpNumber)
