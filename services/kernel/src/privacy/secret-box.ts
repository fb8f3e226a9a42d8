import { createHmac, hkdfSync } from 'node:crypto'
import { decrypt, encrypt, nonceBytes } from './aes-gcm.ts'

/** Its installation keys outlive the master secret. */
export interface SecretBox {
  /** nonce (12) | tag (16) | ciphertext, bound to `context`. */
  encrypt(plain: Uint8Array, context: string): Buffer
  decrypt(encrypted: Uint8Array, context: string): Buffer
  /** HMAC-SHA256 in hexadecimal, for looking up personal data. */
  fingerprint(value: string, purpose: string): string
  /** Deterministic and URL-safe; for opaque values that browsers return. */
  token(plain: string, context: string): string
  /** Undefined for text that `token` did not make. */
  readToken(token: string, context: string): string | undefined
}

/** 32 bytes each. */
export interface BoxKeys {
  encryption: Uint8Array
  fingerprint: Uint8Array
}

/** Two kinds of nonces under one key could collide. */
const derivedKey = (key: Uint8Array, purpose: string) =>
  Buffer.from(hkdfSync('sha256', key, '', `prosa ${purpose}`, 32))

export const derivedBoxKeys = (masterSecret: Uint8Array): BoxKeys => {
  if (masterSecret.length < 32) throw new Error('the master secret must have at least 32 bytes')
  return { encryption: derivedKey(masterSecret, 'seal'), fingerprint: derivedKey(masterSecret, 'fingerprint') }
}

/** Derives the keys from a master secret, for data that do not outlive it. */
export const secretBox = (keys: BoxKeys | Uint8Array): SecretBox => {
  const { encryption, fingerprint } = keys instanceof Uint8Array ? derivedBoxKeys(keys) : keys
  const tokenKey = derivedKey(encryption, 'token')
  const nonceKey = derivedKey(encryption, 'token nonce')
  const nonceOf = (plain: string, context: string) =>
    createHmac('sha256', nonceKey).update(`${context.length} ${context}${plain}`).digest().subarray(0, nonceBytes)
  return {
    token: (plain, context) => encrypt(tokenKey, plain, context, nonceOf(plain, context)).toString('base64url'),
    readToken(token, context) {
      try {
        return decrypt(tokenKey, Buffer.from(token, 'base64url'), context).toString()
      } catch {
        return undefined
      }
    },
    encrypt: (plain, context) => encrypt(encryption, plain, context),
    decrypt: (encrypted, context) => decrypt(encryption, encrypted, context),
    fingerprint: (value, purpose) => createHmac('sha256', fingerprint).update(`${purpose}\n${value}`).digest('hex'),
  }
}
