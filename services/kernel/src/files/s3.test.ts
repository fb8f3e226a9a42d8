import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fileStoreContract } from './file-store.contract.ts'
import { FileMissing, FilesUnavailable } from './port.ts'
import { s3FileStore } from './s3.ts'
import { startS3Server } from './testing/s3-server.ts'

const temporary = () => mkdtemp(join(tmpdir(), 'prosa-spool-'))

fileStoreContract("a storage that speaks S3's protocol", async () => {
  const server = await startS3Server()
  const spoolFolder = await temporary()
  return {
    store: s3FileStore({ ...server.address, spoolFolder }),
    async close() {
      await server.stop()
      await rm(spoolFolder, { recursive: true })
    },
  }
})

describe("a storage that speaks S3's protocol", () => {
  let server: Awaited<ReturnType<typeof startS3Server>>
  let spoolFolder: string
  beforeAll(async () => {
    server = await startS3Server()
    spoolFolder = await temporary()
  })
  beforeEach(() => Object.assign(server, { trouble: undefined, silent: false, stallsAfter: undefined }))
  afterAll(async () => {
    await server.stop()
    await rm(spoolFolder, { recursive: true })
  })
  const store = (changes: object = {}) => s3FileStore({ ...server.address, spoolFolder, ...changes })
  const content = () => Readable.from([Buffer.from('content')])

  it('is asked with our own key only, and reports when that is refused', async () => {
    await expect(store({ secretAccessKey: 'another' }).put('a/b', content(), 99)).rejects.toThrow(
      'the storage answered 403 SignatureDoesNotMatch',
    )
    await expect(store({ region: 'us-east-1' }).get('a/b')).rejects.toThrow('403 InvalidAccessKeyId')
    expect(server.files.has('a/b')).toBe(false)
  })

  it('is not taken for empty when its bucket is missing', async () => {
    const elsewhere = store({ bucket: 'elsewhere' })
    await expect(elsewhere.get('a/b')).rejects.toThrow(FilesUnavailable)
    await expect(elsewhere.get('a/b')).rejects.toThrow('NoSuchBucket')
    await expect(elsewhere.deleteAll('a/')).rejects.toThrow('NoSuchBucket')
    await expect(store().get('a/b')).rejects.toThrow(FileMissing)
  })

  it('may be in trouble, out of reach or silent: each is reported, and nothing stays behind here', async () => {
    server.trouble = { status: 503, code: 'SlowDown' }
    for (const attempt of [() => store().put('a/b', content(), 99), () => store().deleteAll('a/')])
      await expect(attempt()).rejects.toThrow('503 SlowDown')
    server.trouble = undefined
    server.silent = true
    await expect(store({ silence: 50 }).put('a/b', content(), 99)).rejects.toThrow('fell silent')
    await expect(store({ endpoint: 'http://127.0.0.1:1' }).put('a/b', content(), 99)).rejects.toThrow(FilesUnavailable)
    expect(await readdir(spoolFolder)).toEqual([])
  })

  it('may fall silent in the middle of a file: its reader gets an error, and does not wait for ever', async () => {
    await store().put('a/b', content(), 99)
    server.stallsAfter = 3
    const { content: half, bytes } = await store({ silence: 250 }).get('a/b')
    expect(bytes).toBe('content'.length)
    const read: Buffer[] = []
    const reading = async () => {
      for await (const chunk of half) read.push(chunk)
    }
    await expect(reading()).rejects.toThrow(FilesUnavailable)
    expect(Buffer.concat(read).toString()).toBe('con')
  })

  it('is not taken for silent while it is our own reader who takes a rest', async () => {
    const large = randomBytes(8 * 1024 * 1024)
    server.files.set('a/large', large)
    const slow = store({ silence: 250 })
    const chunks: AsyncIterator<Buffer> = (await slow.get('a/large')).content[Symbol.asyncIterator]()
    const read: Buffer[] = [(await chunks.next()).value]
    server.stallsAfter = 3
    for (let silences = 0; silences < 2; silences++)
      await expect(buffer((await slow.get('a/large')).content)).rejects.toThrow('fell silent')
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) read.push(next.value)
    expect(Buffer.concat(read).equals(large)).toBe(true)
  })

  it('deletes everything, also where its lists have many pages', async () => {
    for (let index = 0; index < 20; index++) await store().put(`many/${index}`, content(), 99)
    await store().deleteAll('many/')
    expect([...server.files.keys()].filter((name) => name.startsWith('many/'))).toEqual([])
  })
})
