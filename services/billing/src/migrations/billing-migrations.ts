import type { MigrationSet } from '@prosa/kernel/postgres/migrations'
import { endAccess } from './0001-end-access.ts'
import { refusedDeliveries } from './0002-refused-deliveries.ts'

export const billingMigrations: MigrationSet = { package: 'billing', migrations: [endAccess, refusedDeliveries] }
