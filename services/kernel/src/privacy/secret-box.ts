import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
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
  /** As `token`, for texts of at most 20 digits below 2^64, but all in one call of the cipher and in 22 characters each. */
  digitTokens(texts: readonly string[], context: string): string[]
  /** Undefined for text that `digitTokens` did not make. */
  readDigitToken(token: string, context: string): string | undefined
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

const blockBytes = 16
const digitToken = /^[\w-]{22}$/

/**
 * A block each, enciphered alone: the number in 8 bytes, how many digits, and zeros, which a block of another key or a changed one does not have (2^-56).
 * Equal blocks are equal tokens, as they should be.
 */
const digitBlocks = (texts: readonly string[]): Buffer => {
  const blocks = Buffer.alloc(texts.length * blockBytes)
  for (const [index, text] of texts.entries()) {
    blocks.writeBigUInt64BE(BigInt(text), index * blockBytes)
    blocks.writeUInt8(text.length, index * blockBytes + 8)
  }
  return blocks
}

const digitsOf = (block: Buffer): string | undefined => {
  if (block.length !== blockBytes || block.subarray(9).some((byte) => byte !== 0)) return undefined
  return String(block.readBigUInt64BE()).padStart(block.readUInt8(8), '0')
}

/** Derives the keys from a master secret, for data that do not outlive it. */
export const secretBox = (keys: BoxKeys | Uint8Array): SecretBox => {
  const { encryption, fingerprint } = keys instanceof Uint8Array ? derivedBoxKeys(keys) : keys
  const tokenKey = derivedKey(encryption, 'token')
  const nonceKey = derivedKey(encryption, 'token nonce')
  const blockKey = derivedKey(encryption, 'token block')
  const blockKeyOf = (context: string) => createHmac('sha256', blockKey).update(context).digest()
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
    digitTokens(texts, context) {
      const cipher = createCipheriv('aes-256-ecb', blockKeyOf(context), null).setAutoPadding(false)
      const enciphered = Buffer.concat([cipher.update(digitBlocks(texts)), cipher.final()])
      return texts.map((_, index) => enciphered.toString('base64url', index * blockBytes, (index + 1) * blockBytes))
    },
    readDigitToken(token, context) {
      if (!digitToken.test(token)) return undefined
      const block = Buffer.from(token, 'base64url')
      // The last character has four bits that say nothing.
      if (block.toString('base64url') !== token) return undefined
      const decipher = createDecipheriv('aes-256-ecb', blockKeyOf(context), null).setAutoPadding(false)
      return digitsOf(Buffer.concat([decipher.update(block), decipher.final()]))
    },
    encrypt: (plain, context) => encrypt(encryption, plain, context),
    decrypt: (encrypted, context) => decrypt(encryption, encrypted, context),
    fingerprint: (value, purpose) => createHmac('sha256', fingerprint).update(`${purpose}\n${value}`).digest('hex'),
  }
}
