import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FileMissing, type FileStore, FileTooLarge } from './port.ts'

export interface OpenedFileStore {
  store: FileStore
  close?(): Promise<void>
}

const limit = 100_000
const from = (...parts: (string | Buffer)[]) => Readable.from(parts.map((part) => Buffer.from(part)))
const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex')

export const fileStoreContract = (adapter: string, open: () => Promise<OpenedFileStore>): void => {
  describe(`files in ${adapter}`, () => {
    let opened: OpenedFileStore
    let store: FileStore
    let folder: string
    let folders = 0
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.close?.())
    beforeEach(() => {
      folder = `tenant-${++folders}`
    })
    const text = async (name: string, range?: { from: number; to: number }) =>
      (await buffer((await store.get(name, range)).content)).toString()

    it('come back as they were stored, with size and fingerprint', async () => {
      const data = randomBytes(3_000_000)
      const stored = await store.put(`${folder}/large`, Readable.from([data.subarray(0, 7), data.subarray(7)]), 5e6)
      expect(stored).toEqual({ bytes: data.length, sha256: sha256(data) })
      const { content, bytes } = await store.get(`${folder}/large`)
      expect(bytes).toBe(data.length)
      expect(data.equals(await buffer(content))).toBe(true)
    })

    it('may be empty', async () => {
      expect(await store.put(`${folder}/empty`, Readable.from([]), limit)).toMatchObject({ bytes: 0 })
      expect(await text(`${folder}/empty`)).toBe('')
    })

    it('can be read in parts, with the size of the whole', async () => {
      await store.put(`${folder}/a`, from('0123', '456789'), limit)
      expect(await text(`${folder}/a`, { from: 0, to: 0 })).toBe('0')
      expect(await text(`${folder}/a`, { from: 3, to: 5 })).toBe('345')
      expect(await text(`${folder}/a`, { from: 8, to: 99 })).toBe('89')
      const { content, bytes } = await store.get(`${folder}/a`, { from: 2, to: 3 })
      expect(bytes).toBe(10)
      content.destroy()
    })

    it('are missing where nothing was stored', async () => {
      await expect(store.get(`${folder}/a`)).rejects.toThrow(FileMissing)
      await expect(store.get(`${folder}/a`, { from: 0, to: 1 })).rejects.toThrow(FileMissing)
      await store.put(`${folder}/a/b`, from('x'), limit)
      await expect(store.get(`${folder}/a`)).rejects.toThrow(FileMissing)
    })

    it('are replaced as a whole by others of the same name', async () => {
      await store.put(`${folder}/a`, from('the first, which is longer'), limit)
      await store.put(`${folder}/a`, from('the second'), limit)
      expect(await text(`${folder}/a`)).toBe('the second')
    })

    it('are refused beyond the limit, and leave what was there', async () => {
      await store.put(`${folder}/a`, from('before'), limit)
      const exactly = Buffer.alloc(limit)
      await expect(store.put(`${folder}/a`, from(exactly, 'x'), limit)).rejects.toThrow(FileTooLarge)
      await expect(store.put(`${folder}/b`, from(exactly, 'x'), limit)).rejects.toThrow(FileTooLarge)
      expect(await text(`${folder}/a`)).toBe('before')
      await expect(store.get(`${folder}/b`)).rejects.toThrow(FileMissing)
      expect(await store.put(`${folder}/b`, from(exactly), limit)).toMatchObject({ bytes: limit })
    })

    it('are not there in part when the source breaks off', async () => {
      const breaking = Readable.from(
        (function* () {
          yield Buffer.from('half of it')
          throw new Error('broken off')
        })(),
      )
      await expect(store.put(`${folder}/a`, breaking, limit)).rejects.toThrow('broken off')
      await expect(store.get(`${folder}/a`)).rejects.toThrow(FileMissing)
    })

    it('are one or the other, whole, when two are stored under one name at once', async () => {
      const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(50_000))
      await Promise.all(contents.map((content) => store.put(`${folder}/a`, from(content), limit)))
      expect(contents).toContain(await text(`${folder}/a`))
    })

    it('are deleted with all that are in the same folder, and no others', async () => {
      const remaining = [`${folder}/ana`, `${folder}/anabela/1`, `${folder}/b/ana/1`]
      const gone = Array.from({ length: 7 }, (_, index) => `${folder}/ana-maria/${index}/content`)
      for (const name of [...remaining, ...gone]) await store.put(name, from(name), limit)
      await store.deleteAll(`${folder}/ana-maria/`)
      for (const name of gone) await expect(store.get(name)).rejects.toThrow(FileMissing)
      for (const name of remaining) expect(await text(name)).toBe(name)
      await store.deleteAll(`${folder}/ana-maria/`)
      await store.put(gone[0] ?? '', from('again'), limit)
      expect(await text(gone[0] ?? '')).toBe('again')
    })

    it.each(['', '/', '../a', 'a/../b', '/a', 'a/', 'a//b', 'A', 'a b', '.a', 'a/.b', 'a\\b', 'ä', 'a\0', 'a\n'])(
      'cannot be named %j',
      async (name) => {
        await expect(store.put(name, from('x'), limit)).rejects.toThrow('not a name')
        await expect(store.get(name)).rejects.toThrow('not a name')
        await expect(store.deleteAll(`${name}/`)).rejects.toThrow('not a name')
        await expect(store.deleteAll(`${folder}`)).rejects.toThrow('not a prefix')
      },
    )

    it('let go of a file that nobody reads to its end', async () => {
      await store.put(`${folder}/a`, from(randomBytes(90_000)), limit)
      const { content } = await store.get(`${folder}/a`)
      content.destroy()
      await new Promise((resolve) => content.once('close', resolve))
      expect(content.destroyed).toBe(true)
      await store.deleteAll(`${folder}/`)
    })
  })
}
