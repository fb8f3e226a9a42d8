import { createHmac, hkdfSync } from 'node:crypto'
import { lock, unlock } from './aes-gcm.ts'

/** Locks bytes with AES-256-GCM and makes keyed hashes, with two installation keys that stay when the master secret changes. */
export interface SecretBox {
  /** nonce (12) | tag (16) | ciphertext. `context` must be the same again to open: it binds the bytes to their place. */
  seal(plain: Uint8Array, context: string): Buffer
  /** Throws when the bytes or the context are not those that were sealed, or the key is another. */
  open(sealed: Uint8Array, context: string): Buffer
  /** HMAC-SHA256 in hexadecimal, for looking up personal data without storing it. */
  fingerprint(value: string, purpose: string): string
}

/** 32 bytes each. */
export interface BoxKeys {
  sealing: Uint8Array
  fingerprint: Uint8Array
}

/** Keys that follow from a master secret of at least 32 random bytes. */
export const derivedBoxKeys = (masterSecret: Uint8Array): BoxKeys => {
  if (masterSecret.length < 32) throw new Error('the master secret must have at least 32 bytes')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterSecret, '', `prosa ${purpose}`, 32))
  return { sealing: derive('seal'), fingerprint: derive('fingerprint') }
}

/** With keys of its own, or, where nothing outlives the secret, with those that follow from it. */
export const secretBox = (keys: BoxKeys | Uint8Array): SecretBox => {
  const { sealing, fingerprint } = keys instanceof Uint8Array ? derivedBoxKeys(keys) : keys
  return {
    seal: (plain, context) => lock(sealing, plain, context),
    open: (sealed, context) => unlock(sealing, sealed, context),
    fingerprint: (value, purpose) => createHmac('sha256', fingerprint).update(`${purpose}\n${value}`).digest('hex'),
  }
}
