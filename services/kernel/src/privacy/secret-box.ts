import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Locks bytes with AES-256-GCM and makes keyed hashes; all keys follow from one master secret. */
export interface SecretBox {
  /** nonce (12) | tag (16) | ciphertext. `context` must be the same again to open: it binds the bytes to their place. */
  seal(plain: Uint8Array, context: string): Buffer
  /** Throws when the bytes or the context are not those that were sealed, or the master secret is another. */
  open(sealed: Uint8Array, context: string): Buffer
  /** HMAC-SHA256 in hexadecimal, for looking up personal data without storing it. */
  fingerprint(value: string, purpose: string): string
}

const nonceBytes = 12
const tagBytes = 16

/** The secret is at least 32 random bytes. */
export const secretBox = (masterSecret: Uint8Array): SecretBox => {
  if (masterSecret.length < 32) throw new Error('the master secret must have at least 32 bytes')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterSecret, '', `prosa ${purpose}`, 32))
  const sealing = derive('seal')
  const hashing = derive('fingerprint')
  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
    },
    fingerprint: (value, purpose) => createHmac('sha256', hashing).update(`${purpose}\n${value}`).digest('hex'),
  }
}
