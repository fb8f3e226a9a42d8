import type { Ports } from '@prosa/kernel/ports'
import { transaction } from '@prosa/kernel/postgres/pool'

/** An arbitrary lock number, used only here. */
const administration = 724_311

/** Two administrators could remove each other. */
export const whileNobodyElseAdministers = <T>(pool: Ports['pool'], work: () => Promise<T>): Promise<T> =>
  transaction(pool, async (db) => {
    await db.query('select pg_advisory_xact_lock($1)', [administration])
    return work()
  })
