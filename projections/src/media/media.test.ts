import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { EventOf } from '@prosa/contracts/events/all-events'
import type { mediaEvents } from '@prosa/contracts/events/sessions'
import { mediaFileName } from '@prosa/contracts/media-file-name'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askedRange } from '../byte-range.ts'
import { testProjections } from '../testing/test-projections.ts'
import { dispositionOf } from './disposition.ts'

type MediaEvent = EventOf<typeof mediaEvents>

const ana = idOf('ana')
const text = '0123456789'
const gone: MediaEvent = { type: 'MediaUnavailable', data: { contactId: ana, reason: 'expired' } }
const askedAgain: MediaEvent = { type: 'MediaAskedAgain', data: { contactId: ana } }
const erased: MediaEvent = { type: 'MediaErased', data: {} }

describe('GET /api/whatsapp/media/:id', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(7000) })
  })
  afterAll(() => prosa.stop())

  const stored = (mediaType: string, data: Buffer): MediaEvent => ({
    type: 'MediaStored',
    data: { contactId: ana, mediaType, bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') },
  })

  let subscribers = 0
  const fileAfter = async (data: string | Buffer, mediaType: string, ...later: MediaEvent[]) => {
    const tenant = idOf(`media subscriber ${++subscribers}`)
    const id = idOf(`media of ${tenant}`)
    const content = Buffer.from(data)
    await prosa.ports.files.put(mediaFileName(tenant, id), Readable.from([content]), 1e9)
    let position = ''
    for (const event of [stored(mediaType, content), ...later])
      position = await prosa.append(tenant, `media-${id}`, event)
    const cookieOf = async (user: string) => `${sessionCookie}=${(await prosa.ports.browserSessions.issue(user)).token}`
    const get = async (headers: Record<string, string> = {}, { query = '', user = tenant } = {}) => {
      const all = { cookie: await cookieOf(user), 'prosa-position': prosa.tokenOf(user, position), ...headers }
      return prosa.app.inject({ method: 'GET', url: `/api/whatsapp/media/${id}${query}`, headers: all })
    }
    return { tenant, id, get, cookie: await cookieOf(tenant) }
  }

  it('is the file, with its type, and nothing that could act in our name', async () => {
    const { get } = await fileAfter(text, 'image/png')
    const reply = await get()
    expect([reply.statusCode, reply.body]).toEqual([200, text])
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=86400, immutable',
      vary: 'cookie',
      'accept-ranges': 'bytes',
    })
    expect((await get({ 'if-none-match': String(reply.headers.etag) })).statusCode).toBe(304)
  })

  it('is nobody else’s', async () => {
    const { get, id } = await fileAfter(text, 'image/png')
    const stranger = await get({}, { user: idOf('stranger') })
    expect([stranger.statusCode, stranger.json().type, stranger.headers['cache-control']]).toEqual([
      404,
      'media_not_found',
      'no-store',
    ])
    expect((await prosa.app.inject({ url: `/api/whatsapp/media/${id}` })).statusCode).toBe(401)
    expect((await prosa.get('/api/whatsapp/media/none', idOf('stranger'))).status).toBe(404)
  })

  it('can be had in parts', async () => {
    const { get } = await fileAfter(text, 'video/mp4')
    const part = await get({ range: 'bytes=2-4' })
    expect([part.statusCode, part.body, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
      '3',
    ])
    expect((await get({ range: 'bytes=-3' })).body).toBe('789')
    const beyond = await get({ range: 'bytes=10-' })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, 'bytes */10'])
    const changed = await get({ range: 'bytes=2-4', 'if-range': '"another"' })
    expect([changed.statusCode, changed.body]).toEqual([200, text])
  })

  it.each(['text/html', 'image/svg+xml', 'application/pdf', 'application/xml'])(
    'is never shown as %s',
    async (type) => {
      const { get } = await fileAfter('<script>alert(1)</script>', type)
      expect((await get()).headers['content-disposition']).toBe('attachment')
    },
  )

  it('is saved under the name that was asked for', async () => {
    const { get } = await fileAfter(text, 'image/png')
    const reply = await get({}, { query: `?download=${encodeURIComponent('Pedido nº 7.png')}` })
    expect(reply.headers['content-disposition']).toBe("attachment; filename*=UTF-8''Pedido%20n%C2%BA%207.png")
  })

  it('follows what becomes of it', async () => {
    const answer = async (...events: MediaEvent[]) => {
      const reply = await (await fileAfter(text, 'image/png', ...events)).get()
      return reply.statusCode === 200 ? 200 : reply.json().type
    }
    expect(await answer(gone)).toBe('media_not_found')
    expect(await answer(gone, askedAgain)).toBe('media_not_ready')
    expect(await answer(gone, askedAgain, stored('image/png', Buffer.from(text)))).toBe(200)
    expect(await answer(erased)).toBe('media_not_found')
  })

  it('is missing, in words, when the storage has it no longer', async () => {
    const { get, tenant, id } = await fileAfter(text, 'image/png')
    await prosa.ports.files.deleteAll(`${tenant}/${id}/`)
    const reply = await get()
    expect([reply.statusCode, reply.json().type, reply.headers['content-disposition']]).toEqual([
      404,
      'media_not_found',
      undefined,
    ])
  })

  it('lets go of the file when the browser goes away', async () => {
    const { id, cookie, get } = await fileAfter(text, 'video/mp4')
    await get()
    let isOpen = true
    const endless = new Readable({ read: () => undefined })
    endless.push('first')
    endless.once('close', () => {
      isOpen = false
    })
    const { files } = prosa.ports
    const whole = files.get
    files.get = async () => ({ content: endless, bytes: 10 })
    try {
      await prosa.app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = prosa.app.server.address() as AddressInfo
      const request = httpGet({ host: '127.0.0.1', port, path: `/api/whatsapp/media/${id}`, headers: { cookie } })
      const [reply] = (await once(request, 'response')) as [IncomingMessage]
      await once(reply, 'data')
      expect(isOpen).toBe(true)
      reply.destroy()
      await until(() => !isOpen)
    } finally {
      files.get = whole
    }
  })
})

describe('a range that is asked for', () => {
  it.each<[string | undefined, unknown]>([
    [undefined, undefined],
    ['bytes=0-', { from: 0, to: 9 }],
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=3-99', { from: 3, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-99', { from: 0, to: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=5-2', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-1', undefined],
    ['bytes=99999999999999999999-', undefined],
  ])('%s', (header, range) => {
    expect(askedRange(header, 10)).toEqual(range)
  })

  it('is nowhere in an empty file', () => expect(askedRange('bytes=0-', 0)).toBe('unsatisfiable'))
})

describe('the name of a file that is saved', () => {
  it.each([
    ['../../etc/passwd', "attachment; filename*=UTF-8''_.._etc_passwd"],
    ['a"; filename=b.exe', "attachment; filename*=UTF-8''a_%3B%20filename%3Db.exe"],
    ['a\r\nset-cookie: x', "attachment; filename*=UTF-8''aset-cookie_%20x"],
    ['foto\u202egpj.exe', "attachment; filename*=UTF-8''fotogpj.exe"],
    ["d'água (1).pdf", "attachment; filename*=UTF-8''d%27%C3%A1gua%20%281%29.pdf"],
    ['\ud800', "attachment; filename*=UTF-8''%EF%BF%BD"],
    ['...', 'attachment'],
    [`${'a'.repeat(300)}.pdf`, `attachment; filename*=UTF-8''${'a'.repeat(196)}.pdf`],
  ])('%j', (name, disposition) => {
    expect(dispositionOf('image/png', name)).toBe(disposition)
  })
})
