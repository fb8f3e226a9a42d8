import { hkdfSync } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'

/** Nothing was changed; the message names what is missing. */
export class WrongMasterSecret extends Error {
  override name = 'WrongMasterSecret'
}

export interface WrappedKey {
  wrapped: Buffer
  /** Id of the master key. */
  master: string
}

/** Earlier ones only decrypt. */
export interface MasterKeys {
  /** Reveals nothing of the key. */
  current: string
  has(master: string): boolean
  wrap(key: Uint8Array, context: string): WrappedKey
  /** Throws `WrongMasterSecret`. */
  unwrap(wrapped: WrappedKey, context: string): Buffer
}

/** At least 32 random bytes each. */
export const masterKeys = (masterSecret: Uint8Array, oldSecrets: readonly Uint8Array[] = []): MasterKeys => {
  const derived = (secret: Uint8Array, purpose: string, bytes: number) => {
    if (secret.length < 32) throw new Error('a master secret must have at least 32 bytes')
    return Buffer.from(hkdfSync('sha256', secret, '', `prosa ${purpose}`, bytes))
  }
  const idOf = (secret: Uint8Array) => derived(secret, 'master key id', 8).toString('hex')
  const keys = new Map([...oldSecrets, masterSecret].map((secret) => [idOf(secret), derived(secret, 'wrap', 32)]))
  const current = idOf(masterSecret)
  const find = (master: string): Buffer => {
    const key = keys.get(master)
    if (!key) throw new WrongMasterSecret(`a key is encrypted with the master secret ${master}, which was not given`)
    return key
  }
  return {
    current,
    has: (master) => keys.has(master),
    wrap: (key, context) => ({ wrapped: encrypt(find(current), key, context), master: current }),
    unwrap({ wrapped, master }, context) {
      const key = find(master)
      try {
        return decrypt(key, wrapped, context)
      } catch (cause) {
        throw new WrongMasterSecret(`a key of the database was changed or belongs elsewhere: ${context}`, { cause })
      }
    },
  }
}
