import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { transaction } from '../postgres/pool.ts'
import { type MasterKeys, WrongMasterSecret } from './master-keys.ts'
import {
  holdInstallationKeys,
  holdsSealed,
  mastersInUse,
  readInstallationKeys,
  writeInstallationKey,
} from './queries.ts'
import { type BoxKeys, derivedBoxKeys } from './secret-box.ts'

const purposes = ['sealing', 'fingerprint'] as const
/** Authenticated with the wrapped key: must never change. */
const context = (purpose: string) => `house key ${purpose}`

/** Creates the keys, or rewraps them under a new master key. Throws `WrongMasterSecret`, changing nothing. */
export const openInstallationKeys = (pool: Pool, masterSecret: Uint8Array, masters: MasterKeys): Promise<BoxKeys> =>
  transaction(pool, async (db) => {
    await holdInstallationKeys(db)
    const stored = await readInstallationKeys(db)
    const sealed = await holdsSealed(db)
    if (stored.size === 0 && sealed.subjectKeys)
      throw new WrongMasterSecret('the table house_key is empty though data was locked with its keys')
    // Before this table, keys were derived from the master secret.
    const made = sealed.secrets
      ? derivedBoxKeys(masterSecret)
      : { sealing: randomBytes(32), fingerprint: randomBytes(32) }

    const keys: Partial<BoxKeys> = {}
    for (const purpose of purposes) {
      const wrapped = stored.get(purpose)
      if (!wrapped && stored.size > 0) throw new WrongMasterSecret(`the table house_key lacks the key ${purpose}`)
      const key = wrapped ? masters.unwrap(wrapped, context(purpose)) : made[purpose]
      if (wrapped?.master !== masters.current)
        await writeInstallationKey(db, purpose, masters.wrap(key, context(purpose)))
      keys[purpose] = key
    }
    const missing = (await mastersInUse(db)).filter((master) => !masters.has(master))
    if (missing.length > 0)
      throw new WrongMasterSecret(
        `some personal data is still locked with an earlier master secret (${missing.join(', ')})`,
      )
    const { sealing, fingerprint } = keys
    if (!sealing || !fingerprint) throw new Error('an installation key was not made')
    return { sealing, fingerprint }
  })
