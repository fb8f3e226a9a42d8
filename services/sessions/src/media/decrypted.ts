import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys'
import { Unfetchable } from './unfetchable.ts'

const macBytes = 10
/** Padding of the last block and MAC. */
export const encryptionBytes = 16 + macBytes

export interface MediaKeys {
  /** Base64. */
  mediaKey: string
  /** Base64 SHA-256 of the plaintext; null when not given. */
  fileSha256: string | null
}

/** AES-256-CBC, then ten bytes of HMAC. Tampering shows only at the end, so no output counts before: throws `Unfetchable` (`damaged`). */
export async function* decrypted(
  encrypted: AsyncIterable<Buffer>,
  kind: MediaType,
  { mediaKey, fileSha256 }: MediaKeys,
): AsyncGenerator<Buffer> {
  const { cipherKey, iv, macKey } = await getMediaKeys(Buffer.from(mediaKey, 'base64'), kind)
  if (!macKey) throw new Error(`no key for the MAC of ${kind}`)
  const mac = createHmac('sha256', macKey).update(iv)
  const hash = createHash('sha256')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  let tail: Buffer = Buffer.alloc(0)
  for await (const chunk of encrypted) {
    const all = Buffer.concat([tail, chunk])
    const body = all.subarray(0, Math.max(0, all.length - macBytes))
    tail = all.subarray(body.length)
    mac.update(body)
    const plain = decipher.update(body)
    hash.update(plain)
    if (plain.length > 0) yield plain
  }
  const expected = mac.digest().subarray(0, macBytes)
  if (tail.length !== expected.length || !timingSafeEqual(tail, expected)) throw new Unfetchable('damaged')
  const last = lastOf(decipher)
  if (fileSha256 !== null && hash.update(last).digest('base64') !== fileSha256) throw new Unfetchable('damaged')
  if (last.length > 0) yield last
}

const lastOf = (decipher: ReturnType<typeof createDecipheriv>): Buffer => {
  try {
    return decipher.final()
  } catch (error) {
    throw new Unfetchable('damaged', { cause: error })
  }
}
