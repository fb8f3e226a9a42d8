import type { Pool } from 'pg'
import type { Logger } from '../observability/log.ts'
import { openInstallationKeys } from './installation-keys.ts'
import type { MasterKeys } from './master-keys.ts'
import { masterKeys } from './master-keys.ts'
import { type PersonalEncryption, personalEncryption } from './personal-encryption.ts'
import { readKeysOfOtherMasters, rewrapKeys } from './queries.ts'
import { type SecretBox, secretBox } from './secret-box.ts'
import { rewrapped, type SubjectKeys, subjectKeys } from './subject-keys.ts'

const pageSize = 500
const logEvery = 10_000

/** Works page by page, until done or aborted; returns the count. Safe to repeat concurrently. */
const rewrapSubjectKeys = async (
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

export interface Privacy {
  box: SecretBox
  subjectKeys: SubjectKeys
  personal: PersonalEncryption
  /** Rejects if interrupted; the next start continues the rewrapping. */
  rewrapping: Promise<number>
}

export interface PrivacyOptions {
  pool: Pool
  /** As in `Ports`. */
  writePool: Pool
  databaseUrl: string
  /** At least 32 random bytes. */
  masterSecret: Uint8Array
  oldSecrets?: readonly Uint8Array[]
  log: Logger
  signal: AbortSignal
}

/** Throws `WrongMasterSecret`, changing nothing. Rewraps keys of old secrets in the background. */
export const openPrivacy = async (options: PrivacyOptions): Promise<Privacy> => {
  const { pool, writePool, databaseUrl, masterSecret, oldSecrets = [], log, signal } = options
  const masters = masterKeys(masterSecret, oldSecrets)
  const box = secretBox(await openInstallationKeys(pool, masterSecret, masters))
  const onTrouble = (error: unknown) => log.warn({ err: error }, 'the keys of personal data are out of reach')
  const keys = subjectKeys({ pool: writePool, databaseUrl, masters, signal, onTrouble })
  const rewrapping = rewrapSubjectKeys(pool, masters, log, signal)
  rewrapping.catch((error: unknown) => {
    if (!signal.aborted) log.error({ err: error }, 'keys are still under the old master secret: the next start goes on')
  })
  return { box, subjectKeys: keys, personal: personalEncryption(keys, box), rewrapping }
}
