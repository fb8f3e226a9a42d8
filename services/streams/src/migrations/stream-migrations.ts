import type { MigrationSet } from '@prosa/kernel/postgres/migrations'
import { webhookCalls } from './0001-webhook-calls.ts'

export const streamMigrations: MigrationSet = {
  package: 'streams',
  migrations: [webhookCalls],
  positionTables: ['webhook_call'],
}
