import type { Ports } from '@prosa/kernel/ports'
import { transaction } from '@prosa/kernel/postgres/pool'

/** Any number; nothing else takes this lock. */
const administration = 724_311

/** Runs the work while no other process changes accounts as an administrator: two of them could remove each other. */
export const whileNobodyElseAdministers = <T>(pool: Ports['pool'], work: () => Promise<T>): Promise<T> =>
  transaction(pool, async (db) => {
    await db.query('select pg_advisory_xact_lock($1)', [administration])
    return work()
  })
