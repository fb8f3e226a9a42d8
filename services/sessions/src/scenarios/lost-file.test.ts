import { randomUUID } from 'node:crypto'
import { streamName } from '@prosa/contracts/streams'
import { fileOf } from '@prosa/contracts/values/message-content'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { media } from '../media/media-service.ts'
import { openShop, type Shop } from '../testing/shop.ts'

let shop: Shop
let connectionId: string
let fetching: Host
beforeAll(async () => {
  shop = await openShop()
  await shop.start()
  connectionId = (await shop.link()).connectionId
  const service = media({ loopback: true, pauses: [10, 10] })
  fetching = await host([service], shop.ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
})
afterAll(async () => {
  await fetching.stop()
  await shop.close()
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const lostPicture = async (meanwhile: () => void = () => undefined): Promise<string> => {
  const before = (await shop.lineEvents(connectionId)).length
  const onThePhone = shop.phone.nextMessage()
  await shop.ana.sendMedia(shop.phone.number, 'image', png, { mimetype: 'image/png' })
  await onThePhone
  const arrived = await until(async () => (await shop.lineEvents(connectionId))[before])
  if (arrived.type !== 'MessageArrived') throw new Error(`${arrived.type} arrived`)
  const { content, messageId, sentAt } = arrived.data
  const file = fileOf(content)
  if (!file?.source?.url) throw new Error('there is no file')
  shop.server.media.expire(file.source.url)
  meanwhile()
  const stream = streamName('chat', randomUUID())
  const event = { type: 'MessageReceived' as const, data: { messageId, connectionId, content, sentAt } }
  const metadata = { ...arrived.metadata, recordedAt: shop.ports.clock.now() }
  const encoded = await shop.ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
  expect(await shop.ports.store.append(stream, 'no_stream', encoded)).toMatchObject({ ok: true })
  return file.id
}

const happened = async (id: string) => {
  const events = await everythingIn(shop.ports.store, 'media')
  return events.filter(({ stream }) => stream === streamName('media', id))
}
const outcome = (id: string) => until(async () => (await happened(id)).at(-1))
const isAsked = async (id: string) =>
  (await shop.ports.pool.query('select from media_file where id = $1 and phone_asked_at is not null', [id]))
    .rowCount === 1

describe('a file that WhatsApp has forgotten', () => {
  it('is uploaded again by the phone, and is here then', async () => {
    expect(await outcome(await lostPicture())).toMatchObject({ type: 'MediaStored', data: { bytes: png.length } })
  })

  it('is waited for while the phone is away, and comes once it is back', async () => {
    const id = await lostPicture(() => shop.phone.goOffline())
    await until(() => isAsked(id))
    expect(await happened(id)).toEqual([])
    shop.phone.goOnline()
    expect(await outcome(id)).toMatchObject({ type: 'MediaStored' })
  })

  it('cannot be had when the phone has it no longer; who tries again asks the phone again', async () => {
    const id = await lostPicture(() => shop.phone.deleteFiles())
    expect(await outcome(id)).toMatchObject({ type: 'MediaUnavailable', data: { reason: 'expired' } })
    const cookies = { [sessionCookie]: (await shop.ports.browserSessions.issue(shop.user)).token }
    const asked = await fetching.app.inject({ method: 'POST', url: `/api/whatsapp/media/${id}/retry`, cookies })
    expect(asked.statusCode).toBe(202)
    await until(async () => (await happened(id)).length === 3)
    expect((await happened(id)).map(({ type }) => type)).toEqual([
      'MediaUnavailable',
      'MediaAskedAgain',
      'MediaUnavailable',
    ])
    expect(await shop.health()).toEqual({})
  })
})
