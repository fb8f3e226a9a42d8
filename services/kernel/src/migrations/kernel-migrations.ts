import type { MigrationSet } from '../postgres/migrations.ts'
import { tables } from './0001-tables.ts'
import { temporaryPasswords } from './0002-temporary-passwords.ts'
import { readModels } from './0003-read-models.ts'
import { tenantBudgets } from './0004-tenant-budgets.ts'
import { logIdentity } from './0005-log-identity.ts'
import { sessionTokens } from './0006-session-tokens.ts'
import { logTimeTable } from './0007-log-times.ts'

/** Without the log, which may be elsewhere. */
export const kernelMigrations: MigrationSet = {
  package: 'kernel',
  migrations: [tables, temporaryPasswords, readModels, tenantBudgets, logIdentity, sessionTokens, logTimeTable],
  positionTables: ['checkpoint', 'parked_work', 'parked_event'],
}
