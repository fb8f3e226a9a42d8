import { eventStoreMigrations } from '../event-store/postgres/migrations.ts'
import { kernelMigrations } from '../migrations/kernel-migrations.ts'
import { type MigrationSet, migrate } from '../postgres/migrations.ts'
import { openPool } from '../postgres/pool.ts'
import { recordParked } from '../postgres/tenants-parked.ts'
import { type TestPostgres, testPostgres } from '../postgres/testing.ts'
import { templateDatabase } from './template-database.ts'

export const kernelDatabase = (...more: readonly MigrationSet[]): Promise<TestPostgres> => {
  const sets = [eventStoreMigrations, kernelMigrations, ...more]
  const contents = JSON.stringify(sets.map((set) => [set.package, set.migrations.map(({ name }) => name)]))
  const fill = async (url: string) => {
    await migrate(url, sets)
    const pool = openPool(url)
    await recordParked(pool)
    await pool.end()
  }
  return testPostgres((serverUrl) => templateDatabase(serverUrl, contents, fill))
}
