import knex, { type Knex } from 'knex'
import { openPool } from './pool.ts'
import { maxTimeout } from './without-timeout.ts'

/** One step of a package's schema. It is never edited once it has run anywhere: the next change is the next number. */
export interface Migration {
  /** `0001_what_it_does`; numbers go up by one. */
  name: string
  /** Runs in the transaction of the whole start; throws to leave the database as it was. */
  up(db: Knex): Promise<void>
}

/** The schema of one package, from the first step to the last. */
export interface MigrationSet {
  /** Part of the stored names: it stays as it is. */
  package: string
  migrations: readonly Migration[]
}

/** The database was brought further than this program knows; the message is a whole sentence for whoever started it. */
export class DatabaseIsNewer extends Error {
  override name = 'DatabaseIsNewer'
}

/** A migration threw and all that ran with it was rolled back; `cause` is what it threw. */
export class MigrationFailed extends Error {
  override name = 'MigrationFailed'
}

/** A migration that is nothing but SQL; each text may hold several statements. */
export const sqlMigration = (name: string, ...texts: readonly string[]): Migration => ({
  name,
  async up(db) {
    // knex takes a bare question mark for a parameter.
    for (const text of texts) await db.raw(text.replaceAll('?', '\\?'))
  },
})

/** Which migrations have run, of all packages: `kernel/0001_tables`. knex keeps `migration_lock` beside it. */
const bookkeeping = 'migration'
const migrationLock = 724_012

const storedName = (set: MigrationSet, { name }: Migration) => `${set.package}/${name}`

/** Refuses what a later version of these packages has done. Other packages are the business of the processes that have them. */
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

/** The form in which knex takes migrations that are modules of ours. It asks for a way back, which there is not. */
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

/** knex would print to the console; what matters of it is thrown. */
const silent = () => undefined
const log: Knex.Logger = { debug: silent, warn: silent, error: silent, deprecate: silent }

/**
 * Brings a database to the version of this program: runs what has not run yet of these packages, in their order, in one
 * transaction and under one lock. Of processes that start together one does it and the others wait. Takes one connection,
 * which is closed at the end. A database from before there were migrations has none on record: the first step of each
 * package makes only what is missing and so takes over what is there.
 *
 * Throws `DatabaseIsNewer`, `MigrationFailed`, or what connecting throws; the database is as it was then.
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
        // Names of packages that this process does not have would be taken for missing files.
        disableMigrationsListValidation: true,
      })
    })
  } finally {
    await pool.end()
  }
}
