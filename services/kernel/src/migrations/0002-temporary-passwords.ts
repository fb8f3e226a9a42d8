import { sqlMigration } from '../postgres/migrations.ts'

/** Whether an administrator set the password of an account: its sessions are good for setting another one. */
export const temporaryPasswords = sqlMigration(
  '0002_temporary_passwords',
  'alter table current_credential add column if not exists is_temporary boolean not null default false',
)
