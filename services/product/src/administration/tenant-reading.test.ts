import { randomUUID } from 'node:crypto'
import type { ReadingPurposeBody } from '@prosa/contracts/http/administration/reading-purposes'
import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import { specify } from '@prosa/kernel/domain/specify'
import { type Host, host } from '@prosa/kernel/host'
import { route } from '@prosa/kernel/http/route'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Service } from '@prosa/kernel/ports'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestPorts, testPorts } from '../testing/test-ports.ts'
import { administration } from './administration.ts'
import { type TenantReadings, tenantReading, tenantReadings } from './tenant-reading.ts'

const minute = 60_000
const at = '2026-11-25T15:00:00.000Z'
const after = (minutes: number): Instant => later(at, minutes * minute)

describe('why an administrator reads', () => {
  const given = specify(tenantReading)
  const [tenantId, purposeId] = [randomUUID(), randomUUID()]
  const stated = { tenantId, purposeId, purpose: 'support', at } as const
  const purpose = { type: 'ReadingPurposeStated', data: stated } as const
  const read = { tenantId, what: 'receipt', record: 'order:1' } as const
  const wasRead = { type: 'PersonalDataRead', data: { ...read, purposeId, at: after(1) } } as const
  const readAt = (minutes: number, record: string = read.record) =>
    ({ type: 'ReadPersonalData', data: { ...read, record, at: after(minutes) } }) as const
  const stateAt = (minutes: number) =>
    ({ type: 'StateReadingPurpose', data: { ...stated, purposeId: randomUUID(), at: after(minutes) } }) as const

  it('has to be said first', () => given().when(readAt(1)).thenRejected('purpose_needed'))
  it('counts for less than an hour', () => {
    given(purpose)
      .when(readAt(59))
      .then({ type: 'PersonalDataRead', data: { ...read, purposeId, at: after(59) } })
    given(purpose).when(readAt(60)).thenRejected('purpose_needed')
  })
  it('is said once, whoever asks again', () => {
    given(purpose).when(stateAt(59)).thenNothing()
    const again = stateAt(60)
    given(purpose).when(again).then({ type: 'ReadingPurposeStated', data: again.data })
  })
  it('is folded with 20,000 records that were read for it without a copy of them for each', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      ...wasRead,
      data: { ...wasRead.data, record: `contact:${index}` },
    }))
    given(purpose, ...many)
      .when(readAt(30, 'contact:19999'))
      .thenNothing()
  })
  it('lets each record be noted once for it, and each for the next one', () => {
    given(purpose, wasRead).when(readAt(30)).thenNothing()
    given(purpose, wasRead)
      .when(readAt(30, 'order:2'))
      .then({ type: 'PersonalDataRead', data: { ...read, record: 'order:2', purposeId, at: after(30) } })
    const next = { type: 'ReadingPurposeStated', data: { ...stated, at: after(70) } } as const
    given(purpose, wasRead, next)
      .when(readAt(71))
      .then({ type: 'PersonalDataRead', data: { ...read, purposeId, at: after(71) } })
  })
})

describe('the readings of administrators', () => {
  const [admin, other, tenant, second, subscriber] = [1, 2, 3, 4, 5].map(() => randomUUID()) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const time = { now: at as Instant }
  let ports: TestPorts
  let running: Host
  let elsewhere: TenantReadings

  const reading = {
    service: 'operations',
    area: 'Administração',
    summary: 'Só neste teste.',
    method: 'GET',
    role: 'admin',
    replies: {},
    file: 'reply',
  } as const
  const all = { ...reading, path: '/api/all', reads: { what: 'users', of: 'all' } } as const
  const named = { ...reading, path: '/api/named/:id', reads: { what: 'receipt', of: 'named' } } as const
  const forgetful = { ...reading, path: '/api/forgetful', reads: { what: 'receipt', of: 'named' } } as const
  const processOf = (readings: TenantReadings, prefix: '' | '/api/elsewhere'): Service => ({
    name: `reading ${prefix}`,
    partOf: 'operations',
    mount: async ({ roles }) => ({
      routes: async (app) => {
        const at = <P extends `/api/${string}`>(path: P) => `${prefix || ''}${path}` as `/api/${string}`
        route(app, { ...all, path: at(all.path) }, { roles, readings }, (_, reply) => reply.send('Ana, Bia'))
        route(app, { ...named, path: at(named.path) }, { roles, readings }, async (request, reply) => {
          const { id } = request.params as { id: string }
          await readings.record(request, { tenantId: id, what: 'receipt', record: 'order:1' })
          return reply.send('Ana')
        })
        route(app, { ...forgetful, path: at(forgetful.path) }, { roles, readings }, async () => 'Ana' as never)
      },
    }),
  })

  beforeAll(async () => {
    ports = await testPorts({
      clock: { now: () => time.now },
      roles: { of: async (id) => (id === admin || id === other ? ['admin'] : []) },
    })
    elsewhere = tenantReadings(ports)
    const services = [administration, processOf(tenantReadings(ports), ''), processOf(elsewhere, '/api/elsewhere')]
    running = await host(services, ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
    for (const id of [tenant, second]) await append(id, 'UserRegistered')
  })
  afterAll(async () => {
    await running.stop()
    await ports.close()
  })

  const append = async (id: string, type: 'UserRegistered' | 'UserErased') => {
    const person = { firstName: 'Ana', lastName: 'Souza', email: `${id}@example.com`, credentialId: randomUUID() }
    const event = type === 'UserErased' ? ({ type, data: {} } as const) : ({ type, data: person } as const)
    const eventId = randomUUID()
    const metadata = {
      causationId: eventId,
      correlationId: eventId,
      actor: { kind: 'user', id } as const,
      tenant: id,
      recordedAt: time.now,
    }
    const stored = await ports.codec.encode([{ id: eventId, stream: `user-${id}`, event, metadata }])
    await ports.store.append(`user-${id}`, type === 'UserErased' ? 0n : 'no_stream', stored)
  }
  const ask = async (method: 'GET' | 'POST', url: string, user: string, payload?: object, key?: string) => {
    const { token } = await ports.browserSessions.issue(user)
    const headers = { cookie: `${sessionCookie}=${token}`, ...(key && { 'idempotency-key': key }) }
    const reply = await running.app.inject({ method, url, headers, ...(payload && { payload }) })
    const isJson = String(reply.headers['content-type']).includes('json')
    return { status: reply.statusCode, text: reply.body, body: isJson ? reply.json() : undefined }
  }
  const state = (user: string, tenantId: string | null, more: Partial<ReadingPurposeBody> = {}, key?: string) =>
    ask('POST', '/api/admin/reading-purposes', user, { tenantId, purpose: 'support', ...more }, key)
  const facts = async () => (await everythingIn(ports.store, 'tenantReading')).slice(seen)
  let seen = 0
  const forgetFacts = async () => {
    seen = (await everythingIn(ports.store, 'tenantReading')).length
  }
  const hourLater = async () => {
    time.now = later(time.now, 60 * minute)
    await forgetFacts()
  }

  it('show nothing before it was said why, and not what is behind', async () => {
    const refused = await ask('GET', '/api/all', admin)
    expect(refused).toMatchObject({ status: 428, body: { type: 'purpose_needed', tenantId: null } })
    expect(refused.text).not.toContain('Ana')
    expect((await ask('GET', `/api/named/${tenant}`, admin)).body).toMatchObject({
      type: 'purpose_needed',
      tenantId: tenant,
    })
    expect(await facts()).toEqual([])
  })

  it('are noted with tenant, record and purpose, once in that hour, by whichever process', async () => {
    expect(await state(admin, tenant, { details: 'Pedido 77' })).toMatchObject({
      status: 200,
      body: { until: later(time.now, 60 * minute) },
    })
    for (const prefix of ['', '/api/elsewhere', '']) {
      const found = await ask('GET', `${prefix}/api/named/${tenant}`, admin)
      expect([found.status, found.text]).toEqual([200, 'Ana'])
    }
    const [purpose, read, ...more] = await facts()
    expect(more).toEqual([])
    expect(purpose).toMatchObject({
      type: 'ReadingPurposeStated',
      stream: `tenantReading-${admin}:${tenant}:2026-11-25`,
      data: { tenantId: tenant, purposeId: purpose?.id, purpose: 'support' },
      metadata: { actor: { kind: 'admin', id: admin }, tenant, reason: 'Pedido 77' },
    })
    expect(read).toMatchObject({
      type: 'PersonalDataRead',
      data: { tenantId: tenant, purposeId: purpose?.id, what: 'receipt', record: 'order:1' },
      metadata: { actor: { kind: 'admin', id: admin }, tenant, causationId: purpose?.id },
    })
    expect(await tenantReadings(ports).until(await requestOf(admin), tenant)).toBe(later(time.now, 60 * minute))
  })

  it('of one tenant or administrator are no leave to read another’s', async () => {
    expect((await ask('GET', `/api/named/${second}`, admin)).body).toMatchObject({ tenantId: second })
    expect((await ask('GET', '/api/all', admin)).status).toBe(428)
    expect((await ask('GET', `/api/named/${tenant}`, other)).status).toBe(428)
    expect((await ask('GET', `/api/admin/reading-purposes?tenantId=${second}`, admin)).body).toEqual({ until: null })
    expect((await state(admin, second)).status).toBe(200)
    expect((await ask('GET', `/api/named/${second}`, admin)).status).toBe(200)
    const tenants = (await facts()).map(({ metadata }) => metadata.tenant)
    expect(tenants).toEqual([tenant, tenant, second, second])
  })

  it('ask again when the hour is over', async () => {
    await hourLater()
    expect((await ask('GET', `/api/named/${tenant}`, admin)).status).toBe(428)
    await state(admin, tenant)
    expect((await ask('GET', `/api/named/${tenant}`, admin)).status).toBe(200)
    expect((await facts()).map(({ type }) => type)).toEqual(['ReadingPurposeStated', 'PersonalDataRead'])
  })

  it('of a list are of all tenants and one fact, however often it is polled or paged, also at once', async () => {
    await hourLater()
    await state(admin, null)
    const polls = Array.from({ length: 20 }, (_, index) =>
      ask('GET', index % 2 === 0 ? '/api/all' : '/api/elsewhere/api/all', admin),
    )
    expect(new Set((await Promise.all(polls)).map(({ status }) => status))).toEqual(new Set([200]))
    expect((await facts()).map(({ type, metadata: { tenant } }) => [type, tenant])).toEqual([
      ['ReadingPurposeStated', null],
      ['PersonalDataRead', null],
    ])
  })

  it('have one purpose, sent twice or by two windows', async () => {
    await hourLater()
    const [first, again] = [await state(admin, tenant, {}, 'k'), await state(admin, tenant, {}, 'k')]
    expect([first.body, again.body]).toEqual([first.body, first.body])
    time.now = later(time.now, 10 * minute)
    expect((await state(admin, tenant, { purpose: 'abuse' })).body).toEqual(first.body)
    await Promise.all([state(other, tenant), state(other, tenant), state(other, tenant)])
    expect((await facts()).map(({ metadata }) => metadata.actor.id)).toEqual([admin, other])
  })

  it('have a purpose of the list, in words where it is another', async () => {
    await hourLater()
    for (const [field, body] of [
      ['purpose', { purpose: 'curiosity' }],
      ['details', { purpose: 'other' }],
      ['details', { purpose: 'other', details: '   ' }],
      ['details', { details: 'x'.repeat(501) }],
      ['tenantId', { tenantId: 'everybody' }],
    ] as const) {
      const refused = await ask('POST', '/api/admin/reading-purposes', admin, {
        tenantId: tenant,
        purpose: 'support',
        ...body,
      })
      expect([field, refused.status, refused.body.errors?.[0]?.field]).toEqual([field, 422, field])
    }
    expect((await state(admin, randomUUID())).body.type).toBe('user_not_found')
    expect((await state(admin, tenant, { purpose: 'other', details: 'Auditoria' })).status).toBe(200)
    expect(await facts()).toHaveLength(1)
  })

  it('are for administrators only', async () => {
    await hourLater()
    expect((await state(subscriber, null)).status).toBe(403)
    expect((await ask('GET', '/api/admin/reading-purposes', subscriber)).status).toBe(403)
    expect((await ask('GET', '/api/all', subscriber)).status).toBe(403)
    expect(await facts()).toEqual([])
  })

  it('end with the day of São Paulo, which is shown to whoever states the purpose', async () => {
    await forgetFacts()
    const before = time.now
    time.now = '2026-11-28T02:30:00.000Z'
    const midnight = '2026-11-28T03:00:00.000Z'
    expect((await state(admin, tenant)).body).toEqual({ until: midnight })
    const current = async () => (await ask('GET', `/api/admin/reading-purposes?tenantId=${tenant}`, admin)).body.until
    time.now = '2026-11-28T02:59:59.999Z'
    expect([await current(), (await ask('GET', `/api/named/${tenant}`, admin)).status]).toEqual([midnight, 200])
    time.now = midnight
    expect([await current(), (await ask('GET', `/api/named/${tenant}`, admin)).status]).toEqual([null, 428])
    expect((await state(admin, tenant)).body).toEqual({ until: '2026-11-28T04:00:00.000Z' })
    time.now = before
  })

  it('of somebody who was erased are nobody’s: no words are encrypted with a key that is gone', async () => {
    await hourLater()
    await append(second, 'UserErased')
    expect((await ask('GET', `/api/named/${second}`, admin)).body).toMatchObject({ tenantId: null })
    expect((await state(admin, second)).body.type).toBe('user_not_found')
    await state(admin, null, { details: 'Auditoria' })
    expect((await ask('GET', `/api/named/${second}`, admin)).status).toBe(200)
    expect(
      (await facts()).map(({ data, metadata: { tenant } }) => ['tenantId' in data && data.tenantId, tenant]),
    ).toEqual([
      [null, null],
      [null, null],
    ])
  })

  it('that a route forgets to record are not answered', async () => {
    expect((await ask('GET', '/api/forgetful', admin)).status).toBe(500)
  })

  const requestOf = async (id: string) => ({ user: { id } }) as Parameters<TenantReadings['until']>[0]
})
