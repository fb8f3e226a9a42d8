import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { transaction } from '../postgres/pool.ts'
import { type MasterKeys, WrongMasterSecret } from './master-keys.ts'
import { holdHouseKeys, holdsSealed, mastersInUse, readHouseKeys, writeHouseKey } from './queries.ts'
import { type BoxKeys, derivedBoxKeys } from './secret-box.ts'

const purposes = ['sealing', 'fingerprint'] as const
const context = (purpose: string) => `house key ${purpose}`

/**
 * The keys of the house, made at the first start and put under today's master key when that has changed. Opening them proves
 * that the master secret is the right one: otherwise throws `WrongMasterSecret` and changes nothing.
 */
export const openHouseKeys = (pool: Pool, masterSecret: Uint8Array, masters: MasterKeys): Promise<BoxKeys> =>
  transaction(pool, async (db) => {
    await holdHouseKeys(db)
    const stored = await readHouseKeys(db)
    const sealed = await holdsSealed(db)
    if (stored.size === 0 && sealed.subjectKeys)
      throw new WrongMasterSecret('the table house_key is empty though data was locked with its keys')
    // What was sealed before this table existed was sealed with keys that followed from the master secret itself.
    const made = sealed.secrets
      ? derivedBoxKeys(masterSecret)
      : { sealing: randomBytes(32), fingerprint: randomBytes(32) }

    const keys: Partial<BoxKeys> = {}
    for (const purpose of purposes) {
      const wrapped = stored.get(purpose)
      if (!wrapped && stored.size > 0) throw new WrongMasterSecret(`the table house_key lacks the key ${purpose}`)
      const key = wrapped ? masters.unwrap(wrapped, context(purpose)) : made[purpose]
      if (wrapped?.master !== masters.current) await writeHouseKey(db, purpose, masters.wrap(key, context(purpose)))
      keys[purpose] = key
    }
    const missing = (await mastersInUse(db)).filter((master) => !masters.has(master))
    if (missing.length > 0)
      throw new WrongMasterSecret(
        `some personal data is still locked with an earlier master secret (${missing.join(', ')})`,
      )
    const { sealing, fingerprint } = keys
    if (!sealing || !fingerprint) throw new Error('a key of the house was not made')
    return { sealing, fingerprint }
  })
