import { type MigrationSet, sqlMigration } from '../postgres/migrations.ts'
import { tables } from './0001-tables.ts'
import { temporaryPasswords } from './0002-temporary-passwords.ts'
import { readModels } from './0003-read-models.ts'
import { tenantBudgets } from './0004-tenant-budgets.ts'
import { logIdentity } from './0005-log-identity.ts'
import { sessionTokens } from './0006-session-tokens.ts'

/** Times of stretches of the log, which do not follow its order: clocks differ. Can be built anew. */
const logTimeTable = sqlMigration(
  '0007_log_times',
  `create table if not exists log_time (
     after_position text collate "C" primary key,
     up_to text collate "C" not null unique,
     earliest timestamptz not null,
     latest timestamptz not null
   );
   create index if not exists log_time_range on log_time using gist (tstzrange(earliest, latest, '[]'))`,
)

/** Without the log, which may be elsewhere. */
export const kernelMigrations: MigrationSet = {
  package: 'kernel',
  migrations: [tables, temporaryPasswords, readModels, tenantBudgets, logIdentity, sessionTokens, logTimeTable],
  positionTables: ['checkpoint', 'parked_work', 'parked_event'],
}
