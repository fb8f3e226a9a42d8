import { type MigrationSet, sqlMigration } from '../postgres/migrations.ts'
import { tables } from './0001-tables.ts'
import { temporaryPasswords } from './0002-temporary-passwords.ts'
import { readModels } from './0003-read-models.ts'
import { tenantBudgets } from './0004-tenant-budgets.ts'
import { sessionTokens } from './0006-session-tokens.ts'
import { logBlocks, logIdentity, logTimeTable } from './log-tables.ts'

/** Per day of São Paulo. `account` and `address`: '' for nobody, and for the rest beyond the limits. Rows are deleted after 30 days. */
const refusedRequests = sqlMigration(
  '0009_refused_requests',
  `create table if not exists refused_request (
     day text collate "C" not null,
     account text collate "C" not null,
     route text collate "C" not null,
     refusal text collate "C" not null,
     address text collate "C" not null,
     count bigint not null,
     first_at text collate "C" not null,
     last_at text collate "C" not null,
     primary key (day, account, route, refusal, address)
   );
   create index if not exists refused_request_account on refused_request (account, day) where account <> '';
   create index if not exists refused_request_last on refused_request (last_at)`,
)

/** Without the log, which may be elsewhere. */
export const kernelMigrations: MigrationSet = {
  package: 'kernel',
  migrations: [
    tables,
    temporaryPasswords,
    readModels,
    tenantBudgets,
    logIdentity,
    sessionTokens,
    logTimeTable,
    logBlocks,
    refusedRequests,
  ],
  positionTables: ['checkpoint', 'parked_work', 'parked_event'],
}
