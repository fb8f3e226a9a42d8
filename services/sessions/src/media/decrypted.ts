import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys'
import { Unfetchable } from './unfetchable.ts'

const macBytes = 10
/** How much longer an encrypted file is, at most: what fills its last block, and its MAC. */
export const encryptionBytes = 16 + macBytes

export interface MediaLock {
  /** Base64. */
  mediaKey: string
  /** SHA-256 of the file as it is, base64; null when it was not given. */
  fileSha256: string | null
}

/**
 * Opens a file of WhatsApp's: AES-256-CBC, and the first ten bytes of an HMAC over it behind. What was changed on its way is
 * found out only at the end, so nothing of it may count before: throws `Unfetchable` (`damaged`).
 */
export async function* decrypted(
  encrypted: AsyncIterable<Buffer>,
  kind: MediaType,
  { mediaKey, fileSha256 }: MediaLock,
): AsyncGenerator<Buffer> {
  const { cipherKey, iv, macKey } = await getMediaKeys(Buffer.from(mediaKey, 'base64'), kind)
  if (!macKey) throw new Error(`no key for the MAC of ${kind}`)
  const mac = createHmac('sha256', macKey).update(iv)
  const hash = createHash('sha256')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of encrypted) {
    const all = Buffer.concat([held, chunk])
    const body = all.subarray(0, Math.max(0, all.length - macBytes))
    held = all.subarray(body.length)
    mac.update(body)
    const plain = decipher.update(body)
    hash.update(plain)
    if (plain.length > 0) yield plain
  }
  const expected = mac.digest().subarray(0, macBytes)
  if (held.length !== expected.length || !timingSafeEqual(held, expected)) throw new Unfetchable('damaged')
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
