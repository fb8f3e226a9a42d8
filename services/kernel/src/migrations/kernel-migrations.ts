import type { MigrationSet } from '../postgres/migrations.ts'
import { tables } from './0001-tables.ts'
import { temporaryPasswords } from './0002-temporary-passwords.ts'
import { readModels } from './0003-read-models.ts'
import { tenantBudgets } from './0004-tenant-budgets.ts'

/** The tables of the kernel, the log excepted: that is another set, as it may be elsewhere. */
export const kernelMigrations: MigrationSet = {
  package: 'kernel',
  migrations: [tables, temporaryPasswords, readModels, tenantBudgets],
}
