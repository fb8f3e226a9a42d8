import type { MigrationSet } from '@prosa/kernel/postgres/migrations'
import { endAccess } from './0001-end-access.ts'

export const billingMigrations: MigrationSet = { package: 'billing', migrations: [endAccess] }
