import { sqlMigration } from '../postgres/migrations.ts'

/** One row: the log that this database belongs to. `is_confirmed`: the log bears the id. */
export const logIdentity = sqlMigration(
  '0005_log_identity',
  `create table if not exists log_identity (
     is_only boolean primary key default true check (is_only),
     log_id uuid not null,
     address text not null,
     is_confirmed boolean not null
   )`,
)
