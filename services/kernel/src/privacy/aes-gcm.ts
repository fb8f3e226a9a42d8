import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export const nonceBytes = 12
const tagBytes = 16

/** Asked for one by one, random bytes cost more than the encryption. Each stretch is used once. */
let nonces = Buffer.alloc(0)
const nextNonce = (): Buffer => {
  if (nonces.length === 0) nonces = randomBytes(nonceBytes * 512)
  const nonce = nonces.subarray(0, nonceBytes)
  nonces = nonces.subarray(nonceBytes)
  return nonce
}

/**
 * AES-256-GCM: nonce (12) | tag (16) | ciphertext. `context` is bound to it and must be the same to unlock. The nonce is random, or one that
 * follows from content and context and comes with no others under this key.
 */
export const lock = (
  key: Uint8Array,
  plain: Uint8Array | string,
  context: string,
  nonce: Uint8Array = nextNonce(),
): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const locked = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), locked])
}

/** Throws when the bytes, the key or the context are not those that were locked. */
export const unlock = (key: Uint8Array, locked: Uint8Array, context: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, locked.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context)).setAuthTag(locked.subarray(nonceBytes, nonceBytes + tagBytes))
  const plain = decipher.update(locked.subarray(nonceBytes + tagBytes))
  decipher.final()
  return plain
}
