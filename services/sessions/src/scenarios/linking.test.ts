import { randomUUID } from 'node:crypto'
import { until } from '@prosa/kernel/testing/until'
import type { SandboxOptions } from '@prosa/sandbox/server/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readQrCode } from '../testing/read-qr-code.ts'
import { openShop, type Shop } from '../testing/shop.ts'
import type { SessionTimings } from '../timings.ts'

const running = async (options: SandboxOptions = {}, timings: Partial<SessionTimings> = {}): Promise<Shop> => {
  const shop = await openShop(options, timings)
  onTestFinished(shop.close)
  await shop.start()
  return shop
}

const keysOf = async ({ ports }: Shop, connectionId: string) => {
  const { rows } = await ports.pool.query('select type from whatsapp_key where connection_id = $1', [connectionId])
  return rows.length
}

const withoutRotations = (events: string[]) => events.filter((type) => type !== 'QrCodeIssued')

test('a scanned code links the number, and the line opens after the restart that WhatsApp asks for', async () => {
  const shop = await running()
  const added = await shop.call('POST', '', { name: '  Balcão  ' })
  expect(added).toMatchObject({ status: 201, body: { name: 'Balcão', status: 'connecting', qrCode: null } })
  const { id } = added.body
  await shop.phone.scan(readQrCode(await shop.picture(id)))
  await shop.opened(id)
  expect(withoutRotations(await shop.connectionEvents(id))).toEqual([
    'ConnectionAdded',
    'LinkingStarted',
    'NumberLinked',
    'LineOpened',
  ])
  const [linked] = (await shop.connectionLog(id)).filter((event) => event.type === 'NumberLinked')
  expect(linked).toMatchObject({
    data: { phone: shop.phone.number, lid: shop.phone.account.lidUser },
    metadata: { owner: shop.user, actor: { kind: 'whatsapp', id } },
  })
  expect(await shop.ports.secrets.get('qr', id)).toBeUndefined()
  expect(shop.server.unanswered).toEqual([])
  expect(await shop.call('POST', `/${id}/refresh`)).toMatchObject({
    status: 409,
    body: { type: 'connection_already_linked' },
  })
})

test('codes rotate, run out, and come back only when somebody asks', async () => {
  const shop = await running({ refs: 3 }, { firstQrCode: 250, nextQrCode: 250 })
  const id = await shop.add()
  const pictures = new Set<string>()
  await until(async () => {
    const picture = await shop.ports.secrets.get('qr', id)
    if (picture) pictures.add(readQrCode(picture))
    return (await shop.connectionEvents(id)).includes('LinkingExpired')
  })
  expect(pictures.size).toBeGreaterThan(1)
  const expired = [
    'ConnectionAdded',
    'LinkingStarted',
    'QrCodeIssued',
    'QrCodeIssued',
    'QrCodeIssued',
    'LinkingExpired',
  ]
  expect(await shop.connectionEvents(id)).toEqual(expired)
  await until(async () => (await shop.ports.secrets.get('qr', id)) === undefined)

  expect((await shop.call('POST', `/${id}/refresh`)).status).toBe(200)
  await shop.phone.scan(readQrCode(await shop.picture(id)))
  await shop.opened(id)
  expect((await shop.connectionEvents(id)).slice(0, 7)).toEqual([...expired, 'LinkingStarted'])
})

test('linking ends with its window, and the last code with it', async () => {
  const shop = await running({}, { linkingWindow: 900 })
  const added = await shop.call('POST', '', { name: 'Balcão' })
  const { id, qrDeadline } = added.body
  await shop.picture(id)
  await until(async () => (await shop.connectionEvents(id)).includes('LinkingExpired'))
  const log = await shop.connectionLog(id)
  expect(log.map(({ type }) => type)).toEqual(['ConnectionAdded', 'LinkingStarted', 'QrCodeIssued', 'LinkingExpired'])
  expect(log[1]?.data).toEqual({ until: qrDeadline })
  expect(log[2]?.data).toEqual({ expiresAt: qrDeadline })
  expect(Date.parse(log[3]?.metadata.recordedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(qrDeadline ?? ''))
})

test('asking for a new code while one is shown replaces it', async () => {
  const shop = await running()
  const id = await shop.add()
  const first = await shop.picture(id)
  expect((await shop.call('POST', `/${id}/refresh`)).status).toBe(200)
  const second = await shop.picture(id, first)
  await expect(shop.phone.scan(readQrCode(first))).rejects.toThrow()
  await shop.phone.scan(readQrCode(second))
  await shop.opened(id)
})

test('disconnecting takes Prosa off the phone and leaves no key behind; linking again needs a new code', async () => {
  const shop = await running()
  const { connectionId: id } = await shop.link()
  expect(await keysOf(shop, id)).toBeGreaterThan(5)
  expect((await shop.call('POST', `/${id}/disconnect`)).status).toBe(200)
  await until(() => shop.phone.companions().length === 0)
  await until(async () => (await keysOf(shop, id)) === 0)
  expect((await shop.connectionEvents(id)).at(-1)).toBe('ConnectionDisconnected')
  await shop.call('POST', `/${id}/disconnect`)
  expect((await shop.connectionEvents(id)).filter((type) => type === 'ConnectionDisconnected')).toHaveLength(1)

  await shop.call('POST', `/${id}/refresh`)
  await shop.phone.scan(readQrCode(await shop.picture(id)))
  await shop.opened(id, 2)
})

test('removing takes Prosa off the phone, and the connection exists no more', async () => {
  const shop = await running()
  const { connectionId: id } = await shop.link()
  expect((await shop.call('DELETE', `/${id}`)).status).toBe(200)
  await until(() => shop.phone.companions().length === 0)
  await until(async () => (await keysOf(shop, id)) === 0)
  expect((await shop.call('DELETE', `/${id}`)).status).toBe(200)
  expect((await shop.call('POST', `/${id}/refresh`)).status).toBe(404)
  expect((await shop.call('POST', `/${id}/disconnect`)).status).toBe(404)
  expect((await shop.connectionEvents(id)).filter((type) => type === 'ConnectionRemoved')).toHaveLength(1)
})

test('a code shown before a restart of the service is replaced by one that works', async () => {
  const shop = await openShop()
  onTestFinished(shop.close)
  const before = await shop.start()
  const id = await shop.add()
  const old = await shop.picture(id)
  await before.stop()
  await shop.start()
  await shop.phone.scan(readQrCode(await shop.picture(id, old)))
  await shop.opened(id)
})

describe('for anybody else a connection does not exist', () => {
  test('on every route, and nothing happens to it', async () => {
    const shop = await running()
    const id = await shop.add()
    await shop.picture(id)
    const stranger = randomUUID()
    const routes = [
      ['POST', '/refresh'],
      ['POST', '/disconnect'],
      ['DELETE', ''],
    ] as const
    for (const [method, path] of routes) {
      const notFound = { status: 404, body: { type: 'connection_not_found' } }
      expect(await shop.call(method, `/${id}${path}`, undefined, stranger)).toMatchObject(notFound)
      expect(await shop.call(method, `/${randomUUID()}${path}`)).toMatchObject(notFound)
      expect(await shop.call(method, `/no-uuid${path}`)).toMatchObject(notFound)
      expect((await shop.call(method, `/${id}${path}`, undefined, null)).status).toBe(401)
    }
    expect((await shop.call('POST', '', { name: 'x' }, null)).status).toBe(401)
    for (const name of ['', '   ', 'x'.repeat(61)])
      expect((await shop.call('POST', '', { name })).status, JSON.stringify(name)).toBe(422)
    expect(withoutRotations(await shop.connectionEvents(id))).toEqual(['ConnectionAdded', 'LinkingStarted'])
  })
})
