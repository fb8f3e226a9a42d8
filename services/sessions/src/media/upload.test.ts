import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { erasedFlowDocument } from '@prosa/contracts/flows/flow-document'
import { FileMissing } from '@prosa/kernel/files/port'
import { until } from '@prosa/kernel/testing/until'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cleanUpMedia } from './media-cleanup.ts'
import { mediaHandler } from './media-handler.ts'
import { openStoredMedia } from './stored-media.ts'
import * as files from './testing/files.ts'
import { type MediaDesk, openMediaDesk } from './testing/media-desk.ts'

let desk: MediaDesk
let user: string
let now: string | undefined
const clock = { now: () => now ?? new Date().toISOString() }
beforeAll(async () => {
  desk = await openMediaDesk({ clock })
  await desk.start()
})
afterAll(() => desk.close())
beforeEach(() => {
  user = randomUUID()
  now = undefined
})

const isGone = async (...files: Buffer[]) => {
  const left = await desk.bytesInFolder()
  return files.every((file) => !left.includes(file))
}
const image = (id: string) => ({
  kind: 'image' as const,
  file: { id, mediaType: 'image/png', bytes: 1, source: null },
  caption: '',
})

describe('a file that is uploaded', () => {
  it('is refused before a byte of it is kept once the time of its owner is over', async () => {
    const before = { ...desk.ports.entitlements }
    const entitlements = memoryEntitlements(clock, { ...defaultPlanRules, afterEnd: 'ended' })
    Object.assign(desk.ports.entitlements, entitlements)
    entitlements.change(user, { endsAt: '2026-01-01T00:00:00.000Z' })
    const { status, body } = await desk.upload(user, files.png)
    const other = await desk.upload(randomUUID(), files.png)
    Object.assign(desk.ports.entitlements, before)
    expect([status, body.type, other.status]).toEqual([402, 'subscription_ended', 201])
  })

  it('is stored with the type of its bytes, for the messages of its owner', async () => {
    const { status, body, headers } = await desk.upload(user, files.png)
    expect(status).toBe(201)
    expect(body).toEqual({ id: body.id, mediaType: 'image/png', bytes: files.png.length })
    expect(headers.get('prosa-position')).toBeTruthy()
    const sha256 = createHash('sha256').update(files.png).digest('hex')
    expect(await desk.events(body.id)).toMatchObject([
      {
        type: 'MediaStored',
        data: { contactId: null, mediaType: 'image/png', bytes: files.png.length, sha256 },
        metadata: { tenant: user, actor: { kind: 'user', id: user } },
      },
    ])
    const media = await openStoredMedia(desk.ports).read(user, body.id)
    expect(media).toMatchObject({ bytes: files.png.length, mediaType: 'image/png' })
    expect((await buffer(media.content)).equals(files.png)).toBe(true)
    await expect(openStoredMedia(desk.ports).read(randomUUID(), body.id)).rejects.toThrow(FileMissing)
  })

  it('loses where and with what a picture was taken', async () => {
    const place = Buffer.from('GPS -23.55 -46.63')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(place.length + 2)
    const exif = Buffer.concat([Buffer.from('ffe1', 'hex'), length, place])
    const start = Buffer.from('ffd8', 'hex')
    const rest = Buffer.from('ffe000104a46494600010100000100010000ffd9', 'hex')
    const plain = Buffer.concat([start, rest])
    const { status, body } = await desk.upload(user, Buffer.concat([start, exif, rest]))
    expect([status, body.bytes, body.mediaType]).toEqual([201, plain.length, 'image/jpeg'])
    const { content } = await openStoredMedia(desk.ports).read(user, body.id)
    expect((await buffer(content)).equals(plain)).toBe(true)
  })

  it('may be larger than any other body, and come without its length', async () => {
    const large = randomBytes(5_000_000)
    const { status, body } = await desk.upload(user, Readable.from([large.subarray(0, 9), large.subarray(9)]))
    expect([status, body.bytes, body.mediaType]).toEqual([201, large.length, 'application/octet-stream'])
  })

  it.each([
    ['empty', Buffer.alloc(0), 422, 'media_empty'],
    ['a program', files.exe, 422, 'media_type_refused'],
  ])('is refused when it is %s, and leaves nothing', async (_, file, status, type) => {
    const before = await desk.known()
    expect(await desk.upload(user, file)).toMatchObject({ status, body: { type } })
    expect(await desk.known()).toBe(before)
    if (file.length > 0) expect(await isGone(file)).toBe(true)
  })

  it('is refused before it is sent when it claims to be too large', async () => {
    const socket = connect(Number(new URL(desk.url('/')).port), '127.0.0.1')
    const head = [
      'POST /api/whatsapp/media HTTP/1.1',
      'host: localhost',
      `cookie: ${await desk.cookieOf(user)}`,
      'sec-fetch-site: same-origin',
      'content-type: application/octet-stream',
      `content-length: ${100 * 1024 * 1024 + 1}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\nthe beginning`)
    const [answer] = await new Promise<Buffer[]>((resolve) => socket.once('data', (data) => resolve([data])))
    socket.destroy()
    expect(answer?.toString()).toMatch(/^HTTP\/1.1 413 [\s\S]*media_too_large/)
  })

  it('is cut off when it turns out too large, and leaves nothing', async () => {
    const before = await desk.known()
    const megabyte = Buffer.alloc(1024 * 1024, 'grande demais')
    const endless = Readable.from(
      (function* () {
        for (let sent = 0; sent < 101; sent++) yield megabyte
      })(),
    )
    expect(await desk.upload(user, endless)).toMatchObject({ status: 413, body: { type: 'media_too_large' } })
    expect(await desk.known()).toBe(before)
    expect(await isGone(Buffer.from('grande demais'))).toBe(true)
  })

  it('leaves nothing when the line breaks', async () => {
    const before = await desk.known()
    const controller = new AbortController()
    const marker = randomBytes(20_000)
    const breaking = Readable.from(
      (async function* () {
        yield marker
        await until(async () => (await desk.bytesInFolder()).includes(marker.subarray(0, 1000)))
        controller.abort()
        await new Promise(() => undefined)
      })(),
    )
    const sending = fetch(desk.url('/api/whatsapp/media'), {
      method: 'POST',
      headers: {
        cookie: await desk.cookieOf(user),
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/octet-stream',
      },
      body: breaking as unknown as string,
      duplex: 'half',
      signal: controller.signal,
    } as RequestInit)
    await expect(sending).rejects.toThrow()
    await until(async () => (await desk.known()) === before && (await isGone(marker.subarray(0, 1000))))
  })

  it('is not taken from visitors, and not as anything but bytes', async () => {
    const visitor = await fetch(desk.url('/api/whatsapp/media'), {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/octet-stream' },
      body: files.png,
    })
    expect(visitor.status).toBe(401)
    expect(await desk.upload(user, '{}', { 'content-type': 'application/json' })).toMatchObject({ status: 400 })
  })
})

describe('an upload that is repeated under its key', () => {
  const keyed = (file: Buffer, key = 'k1') => desk.upload(user, file, { 'idempotency-key': key })

  it('is answered the same and stored once', async () => {
    const before = await desk.known()
    const first = await keyed(files.jpeg)
    const second = await keyed(files.jpeg)
    expect(second).toMatchObject({ status: 201, body: first.body })
    await until(async () => (await desk.known()) === before + 1)
    expect((await desk.events(first.body.id)).length).toBe(1)
  })

  it('is refused with another file, of which nothing stays', async () => {
    const before = await desk.known()
    await keyed(files.png)
    expect(await keyed(files.jpeg)).toMatchObject({ status: 422, body: { type: 'idempotency_key_reused' } })
    await until(async () => (await desk.known()) === before + 1)
  })

  it('is the same file also when nobody knows how far the first try got', async () => {
    const before = await desk.known()
    const first = await keyed(files.pdf, 'crash')
    // As if the process died before it replied.
    await desk.ports.pool.query('update idempotent_request set reply = null, claimed_until = null')
    const second = await keyed(files.pdf, 'crash')
    expect(second).toMatchObject({ status: 201, body: first.body })
    await until(async () => (await desk.known()) === before + 1)
    expect((await desk.events(first.body.id)).length).toBe(1)
  })
})

describe('an upload that nobody is sent', () => {
  const cleanUp = () => cleanUpMedia({ ports: desk.ports, medias: mediaHandler(desk.ports) })
  const hoursLater = (hours: number) => {
    now = new Date(Date.now() + hours * 3600 * 1000).toISOString()
  }

  it('is deleted after a day', async () => {
    const marker = Buffer.from('nunca enviado')
    const { body } = await desk.upload(user, marker)
    hoursLater(23)
    await cleanUp()
    expect(await isGone(marker)).toBe(false)
    hoursLater(25)
    await cleanUp()
    await cleanUp()
    expect(await isGone(marker)).toBe(true)
    expect((await desk.events(body.id)).map(({ type }) => type)).toEqual(['MediaStored', 'MediaErased'])
    expect((await desk.post(user, `/api/whatsapp/media/${body.id}/retry`)).status).toBe(404)
  })

  it('stays once a draft names it that stands beside the log, and that of nobody else', async () => {
    const [marker, foreign] = [Buffer.from('cardápio do rascunho'), Buffer.from('cardápio alheio')]
    const [own, other] = [await desk.upload(user, marker), await desk.upload(randomUUID(), foreign)]
    const fileIds = [own.body.id, other.body.id]
    const kept = { revision: 1, digest: 'd', sizeBytes: 9, nodeCount: 1, fileIds, restoredVersion: null }
    await desk.append(`flow-${randomUUID()}`, user, { type: 'FlowDraftKept', data: kept })
    await until(async () => {
      const { rows } = await desk.ports.pool.query('select id from media_file where id = any($1) and due_at is null', [
        fileIds,
      ])
      return rows.length === 1 && rows[0].id === own.body.id
    })
    hoursLater(25)
    await cleanUp()
    expect([await isGone(marker), await isGone(foreign)]).toEqual([false, true])
  })

  it('stays once a flow sends it, whoever is erased of those who got it', async () => {
    const marker = Buffer.from('cardápio do fluxo')
    const { body } = await desk.upload(user, marker)
    const { id, mediaType, bytes } = body
    const file = { kind: 'image', fileName: 'cardapio.png', file: { id, mediaType, bytes, source: null } } as const
    const data = { title: '', message: '', enabled: true, file, typingSeconds: 0 }
    const node = { id: 'n1', type: 'message', position: { x: 0, y: 0 }, data } as const
    const document = { ...erasedFlowDocument, nodes: [node] }
    const draft = { revision: 1, document, restoredVersion: null }
    await desk.append(`flow-${randomUUID()}`, user, { type: 'FlowDraftSaved', data: draft })
    const [ana, rui] = [randomUUID(), randomUUID()]
    for (const contactId of [ana, rui]) await desk.send(user, contactId, image(id), { automatic: 'flow' })
    await desk.eraseChat(user, ana)
    await until(async () => {
      const { rows } = await desk.ports.pool.query('select from media_file where id = $1 and due_at is null', [id])
      return rows.length === 1
    })
    hoursLater(25)
    await cleanUp()
    expect(await isGone(marker)).toBe(false)
    expect((await desk.events(id)).map(({ type }) => type)).toEqual(['MediaStored'])
    await desk.eraseUser(user)
    await desk.ends(id, 'MediaErased')
  })

  it('stays once it was sent, as that contact of whom it now is', async () => {
    const marker = Buffer.from('enviado à Ana')
    const { body } = await desk.upload(user, marker)
    const contactId = randomUUID()
    await desk.send(user, contactId, image(body.id))
    await until(async () => (await desk.events(body.id)).length === 2)
    expect((await desk.events(body.id)).at(-1)).toMatchObject({ type: 'MediaStored', data: { contactId } })
    await until(async () => {
      const { rows } = await desk.ports.pool.query('select from media_file where contact_id = $1', [contactId])
      return rows.length === 1
    })
    hoursLater(25)
    await cleanUp()
    expect(await isGone(marker)).toBe(false)
    now = undefined
    await desk.eraseChat(user, contactId)
    await desk.ends(body.id, 'MediaErased')
    await until(() => isGone(marker))
  })

  it('stays when a message takes it in the last moment, before anybody here has noticed', async () => {
    const marker = Buffer.from('no último instante')
    const { body } = await desk.upload(user, marker)
    const context = {
      commandId: randomUUID(),
      actor: { kind: 'user' as const, id: user },
      tenant: user,
      causationId: 'test',
      correlationId: 'test',
    }
    await mediaHandler(desk.ports)(body.id, { type: 'GiveMedia', data: { contactId: randomUUID() } }, context)
    hoursLater(25)
    await cleanUp()
    expect(await isGone(marker)).toBe(false)
  })

  it('goes with its account', async () => {
    const marker = Buffer.from('de quem apaga a conta')
    const { body } = await desk.upload(user, marker)
    await desk.eraseUser(user)
    await desk.ends(body.id, 'MediaErased')
    await until(() => isGone(marker))
  })
})
