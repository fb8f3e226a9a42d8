import knex, { type Knex } from 'knex'
import { openPool } from './pool.ts'
import { maxTimeout } from './without-timeout.ts'

/** Never edited once it has run anywhere. */
export interface Migration {
  /** `0001_what_it_does` */
  name: string
  up(db: Knex): Promise<void>
}

export interface MigrationSet {
  /** Stored: never changes. */
  package: string
  migrations: readonly Migration[]
  /** Its tables whose column `position` is one of the log, without read models: a move of the log changes them. */
  positionTables?: readonly string[]
}

/** The message is for the operator. */
export class DatabaseIsNewer extends Error {
  override name = 'DatabaseIsNewer'
}

/** All migrations were rolled back. */
export class MigrationFailed extends Error {
  override name = 'MigrationFailed'
}

/** A text may hold several statements. */
export const sqlMigration = (name: string, ...texts: readonly string[]): Migration => ({
  name,
  async up(db) {
    // knex takes a bare question mark for a parameter.
    for (const text of texts) await db.raw(text.replaceAll('?', '\\?'))
  },
})

/** `kernel/0001_tables`; knex keeps `migration_lock` beside it. */
const bookkeeping = 'migration'
const migrationLock = 724_012

const storedName = (set: MigrationSet, { name }: Migration) => `${set.package}/${name}`

/** Ignores packages of other processes. */
const refuseNewer = async (db: Knex, sets: readonly MigrationSet[]): Promise<void> => {
  if (!(await db.schema.hasTable(bookkeeping))) return
  const rows: { name: string }[] = await db.select('name').from(bookkeeping).orderBy('id')
  const known = new Set(sets.flatMap((set) => set.migrations.map((migration) => storedName(set, migration))))
  const packages = new Set(sets.map((set) => set.package))
  const unknown = rows
    .map(({ name }) => name)
    .find((name) => packages.has(name.split('/')[0] ?? '') && !known.has(name))
  if (unknown === undefined) return
  throw new DatabaseIsNewer(
    `This database belongs to a newer version of Prosa (its migration ${unknown} is not known to this one), so nothing was ` +
      'changed: start that version or a later one, or restore a backup from before the upgrade.',
  )
}

/** knex asks for `down`, which does not exist. */
const sourceOf = (sets: readonly MigrationSet[]): Knex.MigrationSource<Migration> => {
  const migrations = sets.flatMap((set) =>
    set.migrations.map((migration) => ({ ...migration, name: storedName(set, migration) })),
  )
  return {
    getMigrations: async () => migrations,
    getMigrationName: ({ name }) => name,
    getMigration: async ({ name, up }) => ({
      async up(db) {
        await up(db).catch((cause: unknown) => {
          throw new MigrationFailed(`The migration ${name} failed; the database is as it was`, { cause })
        })
      },
      async down() {
        throw new Error(`${name} has no way back`)
      },
    }),
  }
}

const silent = () => undefined
const log: Knex.Logger = { debug: silent, warn: silent, error: silent, deprecate: silent }

/**
 * One transaction under one lock; processes that start together wait. Each first migration creates only what is missing, for databases that
 * predate migrations.
 *
 * Throws `DatabaseIsNewer`, `MigrationFailed` or connection errors; the database is then unchanged.
 */
export const migrate = async (databaseUrl: string, sets: readonly MigrationSet[]): Promise<void> => {
  const pool = openPool(databaseUrl, { max: 1, answerMs: maxTimeout })
  try {
    const db = knex({ client: 'pg', connectionPool: pool, compileSqlOnError: false, log })
    await db.transaction(async (transaction) => {
      await transaction.raw('select pg_advisory_xact_lock(?)', [migrationLock])
      await refuseNewer(transaction, sets)
      await transaction.migrate.latest({
        tableName: bookkeeping,
        migrationSource: sourceOf(sets),
        // Other packages' migrations would count as missing files.
        disableMigrationsListValidation: true,
      })
    })
  } finally {
    await pool.end()
  }
}
