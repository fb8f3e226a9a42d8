import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/** Processes that take leases, also those that hold none: each takes its share. */
export const sessionProcess = sqlMigration(
  '0003_session_process',
  'create table session_process (holder uuid primary key, expires_at timestamptz not null)',
)
