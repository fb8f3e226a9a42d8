import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export const nonceBytes = 12
const tagBytes = 16

/** Nonces are drawn in blocks, as single draws cost more than the encryption. Each is used once. */
let nonces = Buffer.alloc(0)
const nextNonce = (): Buffer => {
  if (nonces.length === 0) nonces = randomBytes(nonceBytes * 512)
  const nonce = nonces.subarray(0, nonceBytes)
  nonces = nonces.subarray(nonceBytes)
  return nonce
}

/** AES-256-GCM: nonce (12) | tag (16) | ciphertext, authenticated with `context`. A derived nonce needs a key of its own. */
export const encrypt = (
  key: Uint8Array,
  plain: Uint8Array | string,
  context: string,
  nonce: Uint8Array = nextNonce(),
): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const ciphertext = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

export const decrypt = (key: Uint8Array, encrypted: Uint8Array, context: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes))
  const plain = decipher.update(encrypted.subarray(nonceBytes + tagBytes))
  decipher.final()
  return plain
}
