import type { Pool } from 'pg'
import type { Logger } from '../observability/log.ts'
import type { MasterKeys } from './master-keys.ts'
import { readKeysOfOtherMasters, rewrapKeys } from './queries.ts'
import { rewrapped } from './subject-keys.ts'

const pageSize = 500
const logEvery = 10_000

/** Works page by page, until done or aborted; returns the count. Safe to repeat concurrently. */
export const rewrapSubjectKeys = async (
  pool: Pool,
  masters: MasterKeys,
  log: Logger,
  signal: AbortSignal,
): Promise<number> => {
  let done = 0
  while (!signal.aborted) {
    const page = await readKeysOfOtherMasters(pool, masters.current, pageSize)
    if (page.length === 0) {
      if (done > 0) log.warn({ keys: done }, 'all keys are under the new master secret: the old one can be taken away')
      return done
    }
    await rewrapKeys(
      pool,
      page.map((row) => rewrapped(masters, row)),
    )
    done += page.length
    if (done === page.length || done % logEvery < pageSize)
      log.warn({ keys: done }, 'putting keys under the new master secret')
  }
  return done
}
