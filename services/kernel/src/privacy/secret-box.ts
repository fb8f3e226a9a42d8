import { createHmac, hkdfSync } from 'node:crypto'
import { lock, nonceBytes, unlock } from './aes-gcm.ts'

/** Locks bytes with AES-256-GCM, makes keyed hashes and opaque tokens, with two installation keys that stay when the master secret changes. */
export interface SecretBox {
  /** nonce (12) | tag (16) | ciphertext. `context` must be the same again to open: it binds the bytes to their place. */
  seal(plain: Uint8Array, context: string): Buffer
  /** Throws when the bytes or the context are not those that were sealed, or the key is another. */
  open(sealed: Uint8Array, context: string): Buffer
  /** HMAC-SHA256 in hexadecimal, for looking up personal data without storing it. */
  fingerprint(value: string, purpose: string): string
  /**
   * Text of letters, digits, `-` and `_` in which this installation alone reads `plain`, in the same context: for what browsers hand back
   * and must not understand. The same again for the same.
   */
  token(plain: string, context: string): string
  /** What `token` was given; undefined for any other text. */
  readToken(token: string, context: string): string | undefined
}

/** 32 bytes each. */
export interface BoxKeys {
  sealing: Uint8Array
  fingerprint: Uint8Array
}

/** A key of its own for each purpose, since two kinds of nonces under one key could meet. */
const derivedKey = (key: Uint8Array, purpose: string) =>
  Buffer.from(hkdfSync('sha256', key, '', `prosa ${purpose}`, 32))

/** Keys that follow from a master secret of at least 32 random bytes. */
export const derivedBoxKeys = (masterSecret: Uint8Array): BoxKeys => {
  if (masterSecret.length < 32) throw new Error('the master secret must have at least 32 bytes')
  return { sealing: derivedKey(masterSecret, 'seal'), fingerprint: derivedKey(masterSecret, 'fingerprint') }
}

/** With keys of its own, or, where nothing outlives the secret, with those that follow from it. */
export const secretBox = (keys: BoxKeys | Uint8Array): SecretBox => {
  const { sealing, fingerprint } = keys instanceof Uint8Array ? derivedBoxKeys(keys) : keys
  const tokenKey = derivedKey(sealing, 'token')
  const nonceKey = derivedKey(sealing, 'token nonce')
  const nonceOf = (plain: string, context: string) =>
    createHmac('sha256', nonceKey).update(`${context.length} ${context}${plain}`).digest().subarray(0, nonceBytes)
  return {
    token: (plain, context) => lock(tokenKey, plain, context, nonceOf(plain, context)).toString('base64url'),
    readToken(token, context) {
      try {
        return unlock(tokenKey, Buffer.from(token, 'base64url'), context).toString()
      } catch {
        return undefined
      }
    },
    seal: (plain, context) => lock(sealing, plain, context),
    open: (sealed, context) => unlock(sealing, sealed, context),
    fingerprint: (value, purpose) => createHmac('sha256', fingerprint).update(`${purpose}\n${value}`).digest('hex'),
  }
}
