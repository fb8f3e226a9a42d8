import { randomUUID } from 'node:crypto'
import { until } from '@prosa/kernel/testing/until'
import { UnusableQrCode } from '@prosa/sandbox/phone/linking'
import type { SandboxOptions } from '@prosa/sandbox/server/server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
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
    metadata: { tenant: shop.user, actor: { kind: 'whatsapp', id } },
  })
  expect(await shop.ports.secrets.get('qr', id)).toBeUndefined()
  expect(shop.server.unanswered).toEqual([])
  expect(await shop.call('POST', `/${id}/refresh`)).toMatchObject({
    status: 409,
    body: { type: 'connection_already_linked' },
  })
})

test('codes rotate, run out, and come back only when somebody asks', async () => {
  const shop = await running({ refs: 3 }, { firstQrCode: 500, nextQrCode: 500 })
  const id = await shop.add()
  const pictures = new Set<string>()
  await until(async () => {
    const picture = await shop.ports.secrets.get('qr', id)
    if (picture) pictures.add(picture)
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

const shownBeforeTheEnd = async () => {
  for (let linkingWindow = 900; ; linkingWindow *= 3) {
    const shop = await running({}, { linkingWindow })
    const { id, qrDeadline } = (await shop.call('POST', '', { name: 'Balcão' })).body
    const picture = await until(async () => {
      const shown = await shop.ports.secrets.get('qr', id)
      return shown ?? ((await shop.connectionEvents(id)).includes('LinkingExpired') && 'none')
    })
    // Leaves a third of the window for the test.
    if (picture !== 'none' && Date.now() + linkingWindow / 3 < Date.parse(qrDeadline ?? ''))
      return { shop, id, qrDeadline, picture }
  }
}

test('linking ends with its window, and the last code with it', async () => {
  const { shop, id, qrDeadline } = await shownBeforeTheEnd()
  await until(async () => (await shop.connectionEvents(id)).includes('LinkingExpired'))
  const log = await shop.connectionLog(id)
  expect(log.map(({ type }) => type)).toEqual(['ConnectionAdded', 'LinkingStarted', 'QrCodeIssued', 'LinkingExpired'])
  expect(log[1]?.data).toEqual({ until: qrDeadline })
  expect(log[2]?.data).toEqual({ expiresAt: qrDeadline })
  expect(Date.parse(log[3]?.metadata.recordedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(qrDeadline ?? ''))
})

test('a number that is scanned while the end of its window cannot be stored yet stays linked', async () => {
  const { shop, id, qrDeadline, picture } = await shownBeforeTheEnd()
  shop.cutOff = true
  await until(() => Date.now() > Date.parse(qrDeadline ?? ''))
  await until(async () => (await shop.health())['whatsapp facts not stored'])
  await shop.phone.scan(readQrCode(picture))
  shop.cutOff = false
  await shop.opened(id)
  expect(withoutRotations(await shop.connectionEvents(id))).toEqual([
    'ConnectionAdded',
    'LinkingStarted',
    'LinkingExpired',
    'NumberLinked',
    'LineOpened',
  ])
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

describe('a pairing code', () => {
  let common: Shop
  beforeAll(async () => {
    common = await openShop()
    await common.start()
  })
  afterAll(() => common.close())
  const code = (shop: Shop, id: string, old?: string) =>
    until(async () => {
      const shown = await shop.ports.secrets.get('pairing-code', id)
      return shown !== old && shown
    })
  const ask = (shop: Shop, id: string, phone: string) => shop.call('POST', `/${id}/pairing-code`, { phone })
  const issued = async (shop: Shop, id: string) =>
    (await shop.connectionLog(id)).flatMap((event) => (event.type === 'PairingCodeIssued' ? [event.data] : []))

  test('links the number when it is typed on the phone, as scanning does', async () => {
    const shop = common
    const { body } = await shop.call('POST', '', { name: 'Balcão' })
    const { id, qrDeadline } = body
    expect(await ask(shop, id, '(11) 90000-0001')).toMatchObject({ status: 202, body: { id } })
    const shown = await code(shop, id)
    expect(shown).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    await until(async () => (await issued(shop, id)).length === 1)
    expect(await issued(shop, id)).toEqual([{ phone: shop.phone.number, expiresAt: qrDeadline }])
    await shop.phone.enterCode(shown)
    await shop.opened(id)
    const [linked] = (await shop.connectionLog(id)).filter((event) => event.type === 'NumberLinked')
    expect(linked?.data).toMatchObject({ phone: shop.phone.number, lid: shop.phone.account.lidUser })
    for (const kind of ['qr', 'pairing-code', 'pairing-request'])
      expect(await shop.ports.secrets.get(kind, id)).toBeUndefined()
    expect(shop.server.unanswered).toEqual([])
  })

  test('whose line broke before it was typed is replaced by one that works', async () => {
    const shop = common
    const id = await shop.add()
    await shop.picture(id)
    await ask(shop, id, shop.phone.number)
    const first = await code(shop, id)
    await shop.server.stop()
    await shop.server.start()
    const second = await code(shop, id, first)
    await shop.phone.enterCode(second)
    await shop.opened(id)
    expect((await shop.connectionEvents(id)).filter((type) => type === 'NumberUnlinked')).toEqual([])
  })

  test('stays when the same phone asks again, is another for another phone, and ends with the codes', async () => {
    const shop = await running({ refs: 3 }, { firstQrCode: 1500, nextQrCode: 1500 })
    const id = await shop.add()
    await ask(shop, id, shop.phone.number)
    const first = await code(shop, id)
    await until(async () => (await issued(shop, id)).length === 1)
    await ask(shop, id, shop.phone.number)
    expect(await shop.ports.secrets.get('pairing-code', id)).toBe(first)
    await ask(shop, id, shop.ana.number)
    expect(await shop.ports.secrets.get('pairing-code', id)).not.toBe(first)
    await code(shop, id, first)
    await until(async () => (await issued(shop, id)).length === 2)
    expect((await issued(shop, id)).map(({ phone }) => phone)).toEqual([shop.phone.number, shop.ana.number])
    await until(async () => (await shop.connectionEvents(id)).includes('LinkingExpired'))
    await until(async () => (await shop.ports.secrets.get('pairing-code', id)) === undefined)
    expect(await ask(shop, id, shop.phone.number)).toMatchObject({
      status: 409,
      body: { type: 'pairing_code_unavailable' },
    })
  })

  test('is not asked for with what is no Brazilian number', async () => {
    const shop = common
    const id = await shop.add()
    for (const phone of ['', '123', '0000000000', '5511900000001234'])
      expect((await ask(shop, id, phone)).status, phone).toBe(422)
    expect(await shop.ports.secrets.get('pairing-request', id)).toBeUndefined()
  })
})

describe('the other families of routes', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await shop.start()
  })
  afterAll(() => shop.close())
  const quick = (name: string) => shop.request('POST', '/api/whatsapp/quick-session', { name })

  test('create a quick session once per name, and ask for a new code when it is there', async () => {
    const [one, other] = await Promise.all([quick(' Loja '), quick('Loja')])
    expect(one).toMatchObject({ status: 201, body: { name: 'Loja', status: 'connecting', qrCode: null } })
    expect(other.body.id).toBe(one.body.id)
    const { id } = one.body
    await until(async () => (await shop.connectionEvents(id)).filter((type) => type === 'LinkingStarted').length === 2)
    expect((await shop.connectionEvents(id)).filter((type) => type === 'ConnectionAdded')).toHaveLength(1)
    expect((await quick('Outra')).body.id).not.toBe(id)

    // The shown code may be from the first attempt.
    await until(async () => {
      try {
        return await shop.phone.scan(readQrCode(await shop.picture(id)))
      } catch (error) {
        if (error instanceof UnusableQrCode) return undefined
        throw error
      }
    })
    await shop.opened(id)
    expect(await quick('Loja')).toMatchObject({ status: 409, body: { type: 'connection_already_linked' } })

    const remove = () => shop.request('DELETE', `/api/whatsapp/quick-session/${id}`)
    expect(await remove()).toEqual({ status: 200, body: { id } })
    expect((await remove()).status).toBe(200)
    expect((await shop.connectionEvents(id)).at(-1)).toBe('ConnectionRemoved')
    const anew = await quick('Loja')
    expect(anew.status).toBe(201)
    expect(anew.body.id).not.toBe(id)
  })

  test('find a connection by its name, whichever family it was added with', async () => {
    const id = await shop.add('Vitrine')
    await until(async () => {
      const { rows } = await shop.ports.pool.query('select from connection_name where connection_id = $1', [id])
      return rows.length === 1
    })
    expect((await quick('Vitrine')).body.id).toBe(id)
    const stranger = await shop.request('POST', '/api/whatsapp/quick-session', { name: 'Vitrine' }, randomUUID())
    expect(stranger.body.id).not.toBe(id)
  })

  test('create and remove a session', async () => {
    const created = await shop.request('POST', '/api/whatsapp/create-session', { name: 'Balcão 2' })
    expect(created).toMatchObject({ status: 201, body: { name: 'Balcão 2', status: 'connecting', phoneNumber: null } })
    const { token = '' } = created.body
    await shop.phone.scan(readQrCode(await shop.picture(token)))
    await shop.opened(token)
    expect(await shop.request('DELETE', `/api/whatsapp/session/${token}`)).toEqual({ status: 200, body: { token } })
    await until(() => shop.phone.companions().length === 0)
  })

  test('know no session of anybody else, and take no session without a name', async () => {
    const id = await shop.add()
    for (const path of ['quick-session', 'session'])
      for (const token of [id, randomUUID(), 'no-id'])
        expect(await shop.request('DELETE', `/api/whatsapp/${path}/${token}`, undefined, randomUUID())).toMatchObject({
          status: 404,
          body: { type: 'session_not_found' },
        })
    for (const path of ['quick-session', 'create-session']) {
      expect((await shop.request('POST', `/api/whatsapp/${path}`, { name: '  ' })).status).toBe(422)
      expect((await shop.request('POST', `/api/whatsapp/${path}`, { name: 'x' }, null)).status).toBe(401)
    }
    expect(withoutRotations(await shop.connectionEvents(id))).toEqual(['ConnectionAdded', 'LinkingStarted'])
  })

  test('link to no network that this process does not know', async () => {
    const unknown = await shop.call('POST', '', { name: 'Balcão', network: 'whatsapp' })
    expect(unknown).toMatchObject({ status: 422, body: { type: 'network_not_available' } })
    expect((await shop.call('POST', '', { name: 'Balcão', network: 'sinal de fumaça' })).status).toBe(422)
    const known = await shop.call('POST', '', { name: 'Balcão', network: 'simulator' })
    expect(known).toMatchObject({ status: 201, body: { network: 'simulator' } })
  })
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
      ['POST', '/pairing-code'],
      ['DELETE', ''],
    ] as const
    for (const [method, path] of routes) {
      const body = path === '/pairing-code' ? { phone: shop.phone.number } : undefined
      const notFound = { status: 404, body: { type: 'connection_not_found' } }
      expect(await shop.call(method, `/${id}${path}`, body, stranger)).toMatchObject(notFound)
      expect(await shop.call(method, `/${randomUUID()}${path}`, body)).toMatchObject(notFound)
      expect(await shop.call(method, `/no-uuid${path}`, body)).toMatchObject(notFound)
      expect((await shop.call(method, `/${id}${path}`, body, null)).status).toBe(401)
    }
    expect((await shop.call('POST', '', { name: 'x' }, null)).status).toBe(401)
    for (const name of ['', '   ', 'x'.repeat(61)])
      expect((await shop.call('POST', '', { name })).status, JSON.stringify(name)).toBe(422)
    expect(withoutRotations(await shop.connectionEvents(id))).toEqual(['ConnectionAdded', 'LinkingStarted'])
  })
})
