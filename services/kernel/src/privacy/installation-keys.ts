import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { transaction } from '../postgres/pool.ts'
import { type MasterKeys, WrongMasterSecret } from './master-keys.ts'
import {
  encryptedDataExists,
  holdInstallationKeys,
  mastersInUse,
  readInstallationKeys,
  writeInstallationKey,
} from './queries.ts'
import { type BoxKeys, derivedBoxKeys } from './secret-box.ts'

const purposes = ['encryption', 'fingerprint'] as const
/** Stored, as is the context. */
const storedPurpose = { encryption: 'sealing', fingerprint: 'fingerprint' }
/** Authenticated with the wrapped key: must never change. */
const context = (purpose: string) => `house key ${purpose}`

/** Creates the keys, or rewraps them under a new master key. Throws `WrongMasterSecret`, changing nothing. */
export const openInstallationKeys = (pool: Pool, masterSecret: Uint8Array, masters: MasterKeys): Promise<BoxKeys> =>
  transaction(pool, async (db) => {
    await holdInstallationKeys(db)
    const stored = await readInstallationKeys(db)
    const hasData = await encryptedDataExists(db)
    if (stored.size === 0 && hasData.subjectKeys)
      throw new WrongMasterSecret('the table house_key is empty though data was encrypted with its keys')
    // Before this table, keys were derived from the master secret.
    const made = hasData.secrets
      ? derivedBoxKeys(masterSecret)
      : { encryption: randomBytes(32), fingerprint: randomBytes(32) }

    const keys: Partial<BoxKeys> = {}
    for (const name of purposes) {
      const purpose = storedPurpose[name]
      const wrapped = stored.get(purpose)
      if (!wrapped && stored.size > 0) throw new WrongMasterSecret(`the table house_key lacks the key ${purpose}`)
      const key = wrapped ? masters.unwrap(wrapped, context(purpose)) : made[name]
      if (wrapped?.master !== masters.current)
        await writeInstallationKey(db, purpose, masters.wrap(key, context(purpose)))
      keys[name] = key
    }
    const missing = (await mastersInUse(db)).filter((master) => !masters.has(master))
    if (missing.length > 0)
      throw new WrongMasterSecret(
        `some personal data is still encrypted with an earlier master secret (${missing.join(', ')})`,
      )
    const { encryption, fingerprint } = keys
    if (!encryption || !fingerprint) throw new Error('an installation key was not made')
    return { encryption, fingerprint }
  })
