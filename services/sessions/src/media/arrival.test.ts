import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { mediaFileName } from '@prosa/contracts/media-file-name'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { type FileStore, FilesUnavailable } from '@prosa/kernel/files/port'
import { gif, png, withSegments } from '@prosa/kernel/testing/hostile-pictures'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MediaSource } from './media-address.ts'
import { cleanUpMedia } from './media-cleanup.ts'
import { mediaHandler } from './media-handler.ts'
import { mediaChannel } from './queries.ts'
import { openStoredMedia } from './stored-media.ts'
import * as files from './testing/files.ts'
import { type MediaDesk, openMediaDesk } from './testing/media-desk.ts'

let desk: MediaDesk
let tenant: string
let ana: string
let now: string | undefined
let folderStore: FileStore
beforeAll(async () => {
  const clock = { now: () => now ?? new Date().toISOString() }
  desk = await openMediaDesk({ clock })
  folderStore = desk.ports.files
})
afterAll(() => desk.close())
beforeEach(() => {
  now = undefined
  tenant = randomUUID()
  ana = randomUUID()
})
afterEach(async () => {
  await desk.clear()
  desk.ports.files = folderStore
})

const image = (source: MediaSource, id = randomUUID()) => ({
  kind: 'image' as const,
  file: { id, mediaType: 'image/png', bytes: files.png.length, source },
  caption: '',
})
const arrives = async (content: MessageContent & { file: { id: string } }, contactId = ana) => {
  await desk.receive(tenant, contactId, content)
  return content.file.id
}
const picture = async (data: Buffer = files.png) => image(await desk.mediaHost.keep(data, 'image'))
const marked = (marker: string) => Buffer.concat([files.png, Buffer.from(marker)])
const unavailable = async (id: string) => (await desk.ends(id, 'MediaUnavailable')).data

describe('a file that arrives', () => {
  it('is fetched, opened and stored for its contact', async () => {
    await desk.start()
    const data = Buffer.concat([files.png, randomBytes(200_000)])
    const id = await arrives(await picture(data))
    expect(await desk.ends(id, 'MediaStored')).toMatchObject({
      data: { contactId: ana, mediaType: 'image/png', bytes: data.length },
      metadata: { tenant, actor: { kind: 'system', id: 'fetch-media' }, correlationId: `correlation of chat-${ana}` },
    })
    const { content } = await openStoredMedia(desk.ports).read(tenant, id)
    expect((await buffer(content)).equals(data)).toBe(true)
  })

  it.each<[string, () => Buffer, string]>([
    ['a GIF of 35 bytes and 40 megapixels', () => gif(6300, 6300), 'application/octet-stream'],
    ['a PNG of 30,000 x 30,000 pixels', () => png(30_000, 30_000, { lines: 1 }), 'application/octet-stream'],
    [
      'a JPEG that hides its size behind 300 kB',
      () =>
        withSegments(
          files.jpeg,
          0xe1,
          Array.from({ length: 5 }, () => Buffer.alloc(65_000)),
        ),
      'application/octet-stream',
    ],
    ['a PNG of 30,000 x 1 pixels', () => png(30_000, 1), 'image/png'],
    ['a PNG of 4,000 x 4,000 pixels', () => png(4000, 4000), 'image/png'],
  ])('is kept whatever it would take to show it: %s', async (_, make, mediaType) => {
    await desk.start()
    const data = make()
    const id = await arrives(await picture(data))
    expect((await desk.ends(id, 'MediaStored')).data).toMatchObject({ mediaType, bytes: data.length })
    const { content } = await openStoredMedia(desk.ports).read(tenant, id)
    expect((await buffer(content)).equals(data)).toBe(true)
  })

  it('comes at most four at a time, of however many tenants, and each once', async () => {
    await desk.start()
    const waiting: (() => void)[] = []
    desk.mediaHost.spoil = (response, file) => waiting.push(() => response.writeHead(200).end(file))
    const ids = await Promise.all(
      Array.from({ length: 9 }, async () => {
        const content = await picture()
        await desk.receive(randomUUID(), randomUUID(), content)
        return content.file.id
      }),
    )
    await until(() => waiting.length === 4)
    for (let answered = 0; answered < ids.length; answered++) (await until(() => waiting.shift()))()
    for (const id of ids) await desk.ends(id, 'MediaStored')
    expect(desk.mediaHost.maxAtOnce).toBe(4)
    expect(desk.mediaHost.asked).toBe(9)
  })

  it('is fetched by the next process when one ends with it in hand', async () => {
    const first = await desk.start()
    desk.mediaHost.spoil = (response) => response.writeHead(200).write('half')
    const id = await arrives(await picture())
    await until(() => desk.mediaHost.asked === 1)
    await first.stop()
    expect(await desk.events(id)).toEqual([])
    desk.mediaHost.spoil = undefined
    await desk.start()
    await desk.ends(id, 'MediaStored')
  })

  it('is fetched within 15 seconds when the process was killed', async () => {
    const killed = await desk.start()
    desk.mediaHost.spoil = (response) => response.writeHead(200).write('half')
    const id = await arrives(await picture())
    await until(() => desk.mediaHost.asked === 1)
    // A killed process leaves its claim; this one releases it on stop.
    const { rows } = await desk.ports.pool.query('select due_at from media_file where id = $1', [id])
    await killed.stop()
    desk.mediaHost.spoil = undefined
    await desk.ports.pool.query('update media_file set due_at = $2 where id = $1', [id, rows[0].due_at])
    await desk.start()
    now = new Date(Date.now() + 15_000).toISOString()
    await desk.ends(id, 'MediaStored')
  })

  it('is tried again while WhatsApp is in trouble', async () => {
    await desk.start()
    const troubles: NonNullable<typeof desk.mediaHost.spoil>[] = [
      (response) => response.writeHead(503).end(),
      (response, file) =>
        response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 9), () => response.destroy()),
    ]
    desk.mediaHost.spoil = (response, file) =>
      (troubles.shift() ?? ((last) => last.writeHead(200).end(file)))(response, file)
    await desk.ends(await arrives(await picture()), 'MediaStored')
    expect(desk.mediaHost.asked).toBe(3)
  })

  it('is given up after some tries, and fetched once somebody asks again', async () => {
    await desk.start()
    desk.mediaHost.spoil = (response) => response.writeHead(500).end()
    const id = await arrives(await picture())
    expect(await unavailable(id)).toEqual({ contactId: ana, reason: 'out_of_reach' })
    expect(desk.mediaHost.asked).toBe(3)
    desk.mediaHost.spoil = undefined
    expect((await desk.post(randomUUID(), `/api/whatsapp/media/${id}/retry`)).status).toBe(404)
    expect(await desk.post(tenant, `/api/whatsapp/media/${id}/retry`)).toMatchObject({ status: 202, body: { id } })
    await desk.ends(id, 'MediaStored')
    const types = (await desk.events(id)).map(({ type }) => type)
    expect(types).toEqual(['MediaUnavailable', 'MediaAskedAgain', 'MediaStored'])
  })

  it('is given up when the host falls silent', async () => {
    await desk.start({ silence: 50, pauses: [] })
    desk.mediaHost.spoil = (response) => response.writeHead(200).write('half')
    expect((await unavailable(await arrives(await picture()))).reason).toBe('out_of_reach')
  })

  it.each<[string, string, (source: MediaSource) => Partial<MediaSource>]>([
    ['at an address of no trust', 'foreign_host', () => ({ url: 'http://192.168.0.1/router' })],
    ['not the one that was sent', 'damaged', () => ({ fileSha256: randomBytes(32).toString('base64') })],
  ])('is given up at once when it is %s (%s)', async (_, reason, change) => {
    await desk.start()
    const { file, ...rest } = await picture()
    const source = { ...file.source, ...change(file.source) }
    const id = await arrives({ ...rest, file: { ...file, source } })
    expect(await unavailable(id)).toEqual({ contactId: ana, reason })
    expect((await desk.bytesInFolder()).length).toBe(0)
  })

  it('is waited for a day when it is gone from WhatsApp: its own phone is asked, once', async () => {
    await desk.start()
    const { file, ...rest } = await picture()
    const source = { ...file.source, url: `${file.source.url}-gone` }
    const id = await arrives({ ...rest, file: { ...file, source } })
    const asked = () => desk.ports.pool.query('select message_id from outbox')
    await until(
      async () => (await desk.ports.pool.query('select from media_file where phone_asked_at is not null')).rowCount,
    )
    expect((await asked()).rowCount).toBe(1)
    expect(await desk.events(id)).toEqual([])
    now = new Date(Date.now() + 23 * 3_600_000).toISOString()
    await desk.ports.pool.query(`notify ${mediaChannel}`)
    await arrives(await picture()).then((other) => desk.ends(other, 'MediaStored'))
    expect(await desk.events(id)).toEqual([])
    now = new Date(Date.now() + 25 * 3_600_000).toISOString()
    expect(await unavailable(id)).toEqual({ contactId: ana, reason: 'expired' })
    expect((await asked()).rowCount).toBe(1)
  })

  it.each([403, 404, 410])('is looked for on its own phone when WhatsApp answers %i', async (status) => {
    await desk.start({ pauses: [] })
    desk.mediaHost.spoil = (response) => response.writeHead(status).end()
    const id = await arrives(await picture())
    const asked = 'select from media_file where id = $1 and phone_asked_at is not null'
    await until(async () => (await desk.ports.pool.query(asked, [id])).rowCount === 1)
    expect(await desk.events(id)).toEqual([])
  })

  it('is given up when its message has no address, each time that somebody asks', async () => {
    await desk.start()
    const { file, ...rest } = await picture()
    const id = await arrives({ ...rest, file: { ...file, source: null } })
    expect(await unavailable(id)).toEqual({ contactId: ana, reason: 'out_of_reach' })
    await desk.post(tenant, `/api/whatsapp/media/${id}/retry`)
    await until(async () => (await desk.events(id)).length === 3)
    expect((await unavailable(id)).reason).toBe('out_of_reach')
  })

  it('is not followed anywhere else', async () => {
    await desk.start()
    const elsewhere = await desk.mediaHost.keep(files.png, 'image')
    desk.mediaHost.spoil = (response) => response.writeHead(302, { location: elsewhere.url ?? '' }).end()
    expect((await unavailable(await arrives(await picture()))).reason).toBe('foreign_host')
    expect(desk.mediaHost.asked).toBe(1)
  })

  it('is not a picture because its sender claims it', async () => {
    await desk.start()
    const id = await arrives(await picture(Buffer.from('<script>alert(1)</script>')))
    expect((await unavailable(id)).reason).toBe('wrong_type')
    expect((await desk.bytesInFolder()).length).toBe(0)
  })

  it.each([true, false])('may weigh what WhatsApp allows and no more (length given: %s)', async (isLengthGiven) => {
    await desk.start()
    if (!isLengthGiven) desk.mediaHost.spoil = (response, file) => response.writeHead(200).end(file)
    const source = await desk.mediaHost.keep(Buffer.concat([files.webp, Buffer.alloc(1024 * 1024)]), 'sticker')
    const { file } = image(source)
    const id = await arrives({ kind: 'sticker', file, animated: false })
    expect((await unavailable(id)).reason).toBe('too_large')
    expect((await desk.bytesInFolder()).length).toBe(0)
  })
})

describe('a storage in trouble', () => {
  it('costs no file: it is stored once there is room', async () => {
    let isDiskFull = true
    const filling: FileStore = {
      ...folderStore,
      async put(name, content, maxBytes) {
        if (!isDiskFull) return folderStore.put(name, content, maxBytes)
        content.destroy()
        throw new FilesUnavailable('the disk answers ENOSPC')
      },
    }
    desk.ports.files = filling
    await desk.start({ pauses: [] })
    const id = await arrives(await picture())
    await until(async () => {
      const { rows } = await desk.ports.pool.query(
        "select from media_file where due_at < now() + interval '30 s' and attempts = 0",
      )
      return desk.mediaHost.asked > 0 || rows.length === 1
    })
    expect(await desk.events(id)).toEqual([])
    isDiskFull = false
    now = new Date(Date.now() + 120_000).toISOString()
    await desk.ends(id, 'MediaStored')
  })
})

describe('when a contact is erased', () => {
  it('nothing of their files is left, and others keep theirs', async () => {
    await desk.start()
    const rui = randomUUID()
    const ids = [
      await arrives(await picture(marked('plantado um'))),
      await arrives(await picture(marked('plantado dois'))),
    ]
    const kept = await arrives(await picture(marked('do Rui')), rui)
    for (const id of [...ids, kept]) await desk.ends(id, 'MediaStored')
    expect((await desk.bytesInFolder()).includes('plantado um')).toBe(true)
    await desk.eraseChat(tenant, ana)
    for (const id of ids) await desk.ends(id, 'MediaErased')
    await until(async () => !(await desk.bytesInFolder()).includes('plantado'))
    expect((await desk.bytesInFolder()).includes('do Rui')).toBe(true)
    for (const id of ids) expect((await desk.post(tenant, `/api/whatsapp/media/${id}/retry`)).status).toBe(404)
  })

  it('what is on its way just then is not kept', async () => {
    await desk.start()
    let answer: (() => void) | undefined
    desk.mediaHost.spoil = (response, file) => {
      answer = () => response.writeHead(200).end(file)
    }
    const id = await arrives(await picture(marked('plantado tarde')))
    const release = await until(() => answer)
    await desk.eraseChat(tenant, ana)
    await desk.ends(id, 'MediaErased')
    release()
    const settled = "select from media_file where state = 'erased'"
    await until(async () => (await desk.ports.pool.query(settled)).rows.length === 1)
    await until(async () => !(await desk.bytesInFolder()).includes('plantado'))
    expect((await desk.events(id)).map(({ type }) => type)).toEqual(['MediaErased'])
  })

  it('what a process put down and died is found an hour later', async () => {
    const running = await desk.start()
    const id = await arrives(await picture())
    await desk.ends(id, 'MediaStored')
    await desk.eraseChat(tenant, ana)
    await desk.ends(id, 'MediaErased')
    await until(async () => (await desk.bytesInFolder()).length === 0)
    await running.stop()
    await desk.ports.files.put(mediaFileName(tenant, id), Readable.from([Buffer.from('plantado por quem morreu')]), 100)
    const cleanUp = () => cleanUpMedia({ ports: desk.ports, medias: mediaHandler(desk.ports) })
    await cleanUp()
    expect(await desk.known()).toBe(1)
    now = new Date(Date.now() + 61 * 60_000).toISOString()
    await cleanUp()
    expect((await desk.bytesInFolder()).length).toBe(0)
    expect(await desk.known()).toBe(0)
  })

  it('an account takes all of its files with it', async () => {
    await desk.start()
    const id = await arrives(await picture(marked('plantado')))
    await desk.ends(id, 'MediaStored')
    await desk.eraseUser(tenant)
    await desk.ends(id, 'MediaErased')
    await until(async () => (await desk.bytesInFolder()).length === 0)
  })
})
