import type { Pool } from 'pg'
import type { Logger } from '../observability/log.ts'
import { openInstallationKeys } from './installation-keys.ts'
import { masterKeys } from './master-keys.ts'
import { type PersonalEncryption, personalEncryption } from './personal-encryption.ts'
import { rewrapSubjectKeys } from './rewrap-subject-keys.ts'
import { type SecretBox, secretBox } from './secret-box.ts'
import { type SubjectKeys, subjectKeys } from './subject-keys.ts'

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
