import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { decrypted, encryptionBytes } from './decrypted.ts'
import { encrypt } from './testing/whatsapp-media.ts'

async function* inChunks(data: Buffer, size: number) {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size)
}

it.each([0, 1, 15, 16, 17, 100_000])('opens a file of %i bytes, in whatever pieces it comes', async (bytes) => {
  const plain = randomBytes(bytes)
  const { encrypted, ...key } = await encrypt(plain, 'image')
  expect(encrypted.length - bytes).toBeLessThanOrEqual(encryptionBytes)
  for (const size of bytes > 1000 ? [4096, 65_537] : [1, 7, 10, 4096]) {
    const opened = await buffer(Readable.from(decrypted(inChunks(encrypted, size), 'image', key)))
    expect(opened.equals(plain)).toBe(true)
  }
})

it('finds out what was changed, cut off, locked as something else or with another key', async () => {
  const { encrypted, ...key } = await encrypt(randomBytes(1000), 'image')
  const open = (data: Buffer, kind: 'image' | 'video' = 'image', changes = {}) =>
    buffer(Readable.from(decrypted(inChunks(data, 100), kind, { ...key, ...changes })))
  const changed = Buffer.from(encrypted)
  changed[500] = (changed[500] ?? 0) ^ 1
  await expect(open(changed)).rejects.toThrow('media damaged')
  await expect(open(encrypted.subarray(0, -1))).rejects.toThrow('media damaged')
  await expect(open(encrypted.subarray(0, 5))).rejects.toThrow('media damaged')
  await expect(open(Buffer.alloc(0))).rejects.toThrow('media damaged')
  await expect(open(encrypted, 'video')).rejects.toThrow('media damaged')
  await expect(open(encrypted, 'image', { mediaKey: randomBytes(32).toString('base64') })).rejects.toThrow('damaged')
  await expect(open(encrypted, 'image', { fileSha256: randomBytes(32).toString('base64') })).rejects.toThrow('damaged')
  expect((await open(encrypted, 'image', { fileSha256: null })).length).toBe(1000)
})
