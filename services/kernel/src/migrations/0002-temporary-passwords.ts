import { sqlMigration } from '../postgres/migrations.ts'

/** An administrator set the password: its sessions only permit setting a new one. */
export const temporaryPasswords = sqlMigration(
  '0002_temporary_passwords',
  'alter table current_credential add column if not exists is_temporary boolean not null default false',
)
