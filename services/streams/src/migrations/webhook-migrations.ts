import { type MigrationSet, sqlMigration } from '@prosa/kernel/postgres/migrations'

/**
 * An event that is due to a webhook. No content: the body is made from the log at each attempt. `next_try_at` has a value only at the first
 * waiting one of a stream, so that what is due is found without passing what waits behind it; a test has no stream.
 */
const webhookCalls = sqlMigration(
  '0001_webhook_calls',
  `create table if not exists webhook_call (
     webhook_id text collate "C" not null,
     event_id text collate "C" not null,
     owner text collate "C" not null,
     position text collate "C" not null,
     stream text collate "C",
     revision bigint,
     type text collate "C" not null,
     recorded_at text collate "C" not null,
     status text collate "C" not null,
     first_try_at text collate "C",
     next_try_at text collate "C",
     attempt_count integer not null default 0,
     attempts jsonb not null default '[]',
     primary key (webhook_id, event_id)
   );
   create index if not exists webhook_call_due on webhook_call (webhook_id, next_try_at) where next_try_at is not null;
   create index if not exists webhook_call_waiting on webhook_call (webhook_id, stream, position) where status = 'waiting';
   create index if not exists webhook_call_shown on webhook_call (webhook_id, position desc, event_id desc);
   create index if not exists webhook_call_recorded on webhook_call (recorded_at)`,
)

export const webhookMigrations: MigrationSet = {
  package: 'streams',
  migrations: [webhookCalls],
  positionTables: ['webhook_call'],
}
