import type { MigrationSet } from '@prosa/kernel/postgres/migrations'
import { tables } from './0001-tables.ts'
import { sentTo } from './0002-sent-to.ts'
import { sessionProcess } from './0003-session-process.ts'

export const sessionMigrations: MigrationSet = {
  package: 'sessions',
  migrations: [tables, sentTo, sessionProcess],
  positionTables: ['outbox', 'connection_place'],
}
