import type { MigrationSet } from '@prosa/kernel/postgres/migrations'
import { tables } from './0001-tables.ts'

export const contactMigrations: MigrationSet = { package: 'contacts', migrations: [tables] }
