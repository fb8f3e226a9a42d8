import { createHash } from 'node:crypto'

const namespace = Buffer.from('5f1d1d1e6f2b4b8e9c572d0b1f6c9a10', 'hex')

/** Deterministic UUID (version 5, RFC 9562). Node's SHA-1 for speed: each message makes a dozen. */
export const deriveId = (...parts: readonly (string | number)[]): string => {
  const bytes = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest()
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
