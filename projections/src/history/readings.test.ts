import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { HistoryThread } from '@prosa/contracts/http/history'
import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { dataExportRoutes } from '@prosa/product/administration/data-export-routes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { unzip } from '../testing/unzip.ts'

const minute = 60_000
const time = { now: at(9000) as Instant }
const [rui, ana, bia, late] = ['administrator', 'ana', 'bia', 'late'].map(idOf) as [string, string, string, string]
const words = 'Ana Souza pediu por carta'

let prosa: Awaited<ReturnType<typeof testProjections>>
let end: Position
beforeAll(async () => {
  prosa = await testProjections({ now: () => time.now })
  await prosa.app.register(dataExportRoutes(prosa.ports))
  await register(rui, 'Rui')
  await append(rui, `user-${rui}`, { type: 'RoleGranted', data: { role: 'admin' } })
  await register(ana, 'Ana')
  await register(bia, 'Bia')
  await purchase('abc', ana)
  await purchase('waiting', null)
  await prosa.ports.readModels.reached(['account', 'history-places', 'history-links'], end, 10_000)
})
afterAll(() => prosa.stop())

const lengths = new Map<string, number>()
const append = async (tenant: string | null, stream: string, event: AnyEvent) => {
  const { store, codec } = prosa.ports
  const length = lengths.get(stream) ?? 0
  lengths.set(stream, length + 1)
  const id = idOf(`${stream} ${length}`)
  const actor = { kind: 'system', id: 'test' } as const
  const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: time.now }
  const encoded = await codec.encode([{ id, stream, event, metadata }])
  const appended = await store.append(stream, length === 0 ? 'no_stream' : BigInt(length - 1), encoded)
  if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
  end = appended.position
}
const register = (id: string, firstName: string) =>
  append(id, `user-${id}`, {
    type: 'UserRegistered',
    data: { firstName, lastName: 'Souza', email: `${firstName.toLowerCase()}@example.com`, credentialId: idOf('p') },
  })
const purchase = async (orderId: string, userId: string | null) => {
  await append(null, `webhookDelivery-d-${orderId}`, {
    type: 'DeliveryReceived',
    data: { endpoint: 'approved', body: 'e30=', bytes: 2, expiresAt: at(99_999_999) },
  })
  await append(null, `order-${orderId}`, {
    type: 'OrderReported',
    data: {
      deliveryId: `d-${orderId}`,
      kind: 'order_approved',
      orderRef: orderId.toUpperCase(),
      subscriptionId: null,
      productId: null,
      productName: 'Plano Pro',
      amountCents: 9700,
      paymentMethod: 'pix',
      occurredAt: at(5),
      accessUntil: null,
      accessDays: 30,
      token: null,
      buyerKey: null,
      buyerName: 'Ana Souza',
      buyerEmail: 'ana@example.com',
      buyerDocument: null,
    },
  })
  await append(null, `webhookDelivery-d-${orderId}`, {
    type: 'DeliveryApplied',
    data: { kind: 'order_approved', orderId },
  })
  if (userId) await append(null, `order-${orderId}`, { type: 'OrderAssigned', data: { userId, by: 'email' } })
}

const cookieOf = async (user: string) => `${sessionCookie}=${(await prosa.ports.browserSessions.issue(user)).token}`
const open = async (url: string, user = rui) =>
  prosa.app.inject({ url, headers: { cookie: await cookieOf(user), 'prosa-position': end } })
const say = async (tenantId: string | null, details?: string) => {
  const headers = { cookie: await cookieOf(rui) }
  const payload = { tenantId, purpose: 'support', details }
  const reply = await prosa.app.inject({ method: 'POST', url: '/api/admin/reading-purposes', headers, payload })
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)])
}
const settle = async () => {
  const last = (await everythingIn(prosa.ports.store, 'tenantReading', 'order', 'user')).at(-1)
  if (last) end = last.position
}
const threadsOf = async (query: string): Promise<HistoryThread[]> => {
  await settle()
  return (await prosa.get(`/api/admin/history?${query}`, rui, end)).body.items
}
const sentencesOf = async (query: string) =>
  (await threadsOf(query)).flatMap(({ entries }) => entries).map(({ text }) => text)
const readingsOf = async (userId: string) => sentencesOf(`record=user:${userId}&group=reading`)

describe('what an administrator read', () => {
  it('stands in the history of the tenant, under the purpose, and not in another’s', async () => {
    await say(ana, 'Pedido 77')
    expect((await open('/api/admin/transactions/abc/invoice')).statusCode).toBe(200)
    expect((await open('/api/admin/webhook-logs/d-abc')).statusCode).toBe(200)
    await threadsOf(`record=user:${ana}&group=reading`)
    const [thread] = await threadsOf(`record=user:${ana}&group=reading`)
    const why = 'Atender a um pedido de ajuda: Pedido 77'
    expect(thread?.entries.map(({ depth, text, reason }) => [depth, text, reason])).toEqual([
      [0, 'Rui Souza declarou por que precisa ver dados de Ana Souza: atender a um pedido de ajuda', 'Pedido 77'],
      [1, 'Rui Souza abriu o recibo do pedido ABC, de Ana Souza', why],
      [1, 'Rui Souza abriu o conteúdo do aviso d-abc, de Ana Souza', why],
      [1, 'Rui Souza leu o histórico da conta de Ana Souza', why],
    ])
    expect(thread?.entries[1]?.records).toContainEqual({ kind: 'order', id: 'abc', name: 'ABC' })
    expect(await sentencesOf(`record=user:${ana}`)).toContain('Rui Souza abriu o recibo do pedido ABC, de Ana Souza')
    expect(await sentencesOf('record=order:abc')).toContain('Rui Souza abriu o recibo do pedido ABC, de Ana Souza')
    expect((await readingsOf(bia)).filter((text) => text.includes('Ana'))).toEqual([])
  })

  it('stands in the history that the tenant reads itself, with who it was and why, and in no other’s', async () => {
    const own = async (user: string) => (await open('/api/history?kind=reading', user)).json().items
    await settle()
    const entries = (await own(ana)).flatMap((thread: HistoryThread) => thread.entries)
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...{ text: 'Rui Souza (equipe do Prosa) abriu o recibo do pedido ABC, de Ana Souza', depth: 1 },
        ...{
          reason: 'Atender a um pedido de ajuda: Pedido 77',
          actor: { kind: 'admin', id: null, name: 'Rui Souza (equipe do Prosa)' },
        },
      }),
    )
    expect(JSON.stringify(await own(bia))).not.toMatch(/Ana Souza|Pedido 77|pedido ABC/)
  })

  it('of lists stands in the history of every tenant that was among them, once, and of none that came later', async () => {
    time.now = later(time.now, 61 * minute)
    await say(null, words)
    for (const list of ['users', 'users', 'users.csv', 'transactions', 'transactions.csv', 'projects'])
      expect((await open(`/api/admin/${list}`)).statusCode).toBe(200)
    expect((await open('/api/admin/support-requests')).statusCode).toBe(200)
    const read = [
      'Rui Souza leu a lista de usuários',
      'Rui Souza baixou a lista de usuários',
      'Rui Souza leu as transações de todas as contas',
      'Rui Souza baixou as transações de todas as contas',
      'Rui Souza leu os projetos de todas as contas',
      'Rui Souza leu as mensagens ao suporte',
    ]
    for (const userId of [ana, bia]) {
      const shown = await readingsOf(userId)
      for (const text of read) expect([text, shown.filter((each) => each === text).length]).toEqual([text, 1])
    }
    const own = await open('/api/history?kind=reading', ana)
    expect(own.body).toContain('Rui Souza (equipe do Prosa) leu a lista de usuários')
    expect(own.body).not.toContain(words)
    time.now = later(time.now, 61 * minute)
    await register(late, 'Lia')
    expect((await readingsOf(late)).filter((text) => read.includes(text))).toEqual([])
  })

  it('of a list stands in the history of who registers while it counts, as they are on it when it is looked at again', async () => {
    time.now = later(time.now, 61 * minute)
    await say(null)
    await open('/api/admin/users')
    time.now = later(time.now, 30 * minute)
    const soon = idOf('soon')
    await register(soon, 'Cris')
    await open('/api/admin/users')
    const text = 'Rui Souza leu a lista de usuários'
    expect((await readingsOf(soon)).filter((each) => each === text)).toHaveLength(1)
  })

  it('can be left out, and has a subject of its own in the history of everything', async () => {
    const readings = await threadsOf('group=reading')
    expect(new Set(readings.flatMap(({ entries }) => entries).map(({ type }) => type))).toEqual(
      new Set(['ReadingPurposeStated', 'PersonalDataRead']),
    )
    const others = await threadsOf(`record=user:${ana}&group=all_but_readings`)
    expect(others.length).toBeGreaterThan(0)
    expect(others.flatMap(({ entries }) => entries).filter(({ type }) => type === 'PersonalDataRead')).toEqual([])
  })

  it('of a purchase that was nobody’s stands in the history of whose it turned out to be', async () => {
    time.now = later(time.now, 61 * minute)
    await say(null)
    expect((await open('/api/admin/transactions/waiting/invoice')).statusCode).toBe(200)
    const text = 'Rui Souza abriu o recibo do pedido WAITING'
    expect(await readingsOf(bia)).not.toContain(text)
    await append(null, 'order-waiting', { type: 'OrderAssigned', data: { userId: bia, by: 'email' } })
    expect(await readingsOf(bia)).toContain(text)
    expect(await readingsOf(ana)).not.toContain(text)
  })

  it('of one record of somebody is of whom it is: the history of an order, a delivery, a moment', async () => {
    for (const path of [
      'history?record=order:abc',
      'history?record=delivery:d-abc',
      `records/access/${ana}?em=${encodeURIComponent(at(8000))}`,
    ]) {
      time.now = later(time.now, 61 * minute)
      expect((await open(`/api/admin/${path}`)).json()).toMatchObject({ type: 'purpose_needed', tenantId: ana })
    }
    expect((await open('/api/admin/history')).json()).toMatchObject({ tenantId: null })
    expect((await open('/api/admin/history?record=plan:x')).json()).toMatchObject({ tenantId: null })
  })

  it('of what names nothing is one of all, whatever it is called: no words of theirs are in the log, and not one fact for each', async () => {
    time.now = later(time.now, 61 * minute)
    await say(null)
    const readings = async () =>
      (await everythingIn(prosa.ports.store, 'tenantReading')).filter(({ type }) => type === 'PersonalDataRead')
    const before = (await readings()).length
    const names = [
      'user:ana@example.com',
      `user:${idOf('nobody')}`,
      'user:Ana',
      'order:Ana-Souza',
      'contact:x:y',
      'work:*',
    ]
    for (const name of names) {
      const reply = await open(`/api/admin/history?record=${encodeURIComponent(name)}`)
      expect([name, reply.statusCode, reply.json().items]).toEqual([name, 200, []])
    }
    const nobody = await open(`/api/admin/records/access/${idOf('nobody')}?em=${encodeURIComponent(at(8000))}`)
    expect(nobody.json()).toMatchObject({ type: 'record_not_found' })
    const recorded = (await readings()).slice(before).map(({ data }) => data)
    expect(recorded).toMatchObject([{ tenantId: null, what: 'history', record: null }])
  })

  it('is in the tenant’s own copy, without words about others and without who it was', async () => {
    await settle()
    const copyOf = async (user: string) => {
      const headers = { cookie: await cookieOf(user) }
      const asked = await prosa.app.inject({ method: 'POST', url: '/api/exports', headers, payload: {} })
      const file = await open(`/api/exports/${asked.json().id}`, user)
      expect(file.statusCode).toBe(200)
      const files = await unzip(file.rawPayload)
      return {
        all: [...files.values()].map(String).join('\n'),
        own: String(files.get('eventos/conta.ndjson')),
        shared: String(files.get('eventos/leituras.ndjson')),
      }
    }
    const [ofAna, ofBia, ofLate] = [await copyOf(ana), await copyOf(bia), await copyOf(late)]
    expect(ofAna.own).toContain('Administração do Prosa abriu o recibo do pedido ABC, de Ana Souza')
    expect(ofAna.own).toContain('"motivo":"Pedido 77"')
    for (const { shared } of [ofAna, ofBia])
      expect(shared).toContain('Administração do Prosa baixou a lista de usuários')
    expect(ofBia.shared).toContain('Administração do Prosa abriu o recibo do pedido WAITING')
    expect(ofAna.shared).not.toContain('abriu o recibo')
    expect(ofLate.shared).not.toContain('baixou a lista de usuários')
    for (const { all } of [ofAna, ofBia, ofLate]) {
      expect(all).not.toContain('Rui Souza')
      expect(all).not.toContain(words)
    }
    expect(ofBia.all).not.toContain('Pedido 77')
  })

  it('ends with the account: what is read of all later is not of whoever was erased', async () => {
    await append(bia, `user-${bia}`, { type: 'UserErased', data: {} })
    await prosa.ports.readModels.reached(['account', 'history-places'], end, 5000)
    const before = await readingsOf(bia)
    time.now = later(time.now, 61 * minute)
    await say(null)
    await open('/api/admin/users.csv')
    await open('/api/admin/projects')
    const looked = 'Rui Souza leu o histórico da conta de Bia Souza'
    const added = (await readingsOf(bia)).filter((text) => text !== looked && !before.includes(text))
    expect(added).toEqual([])
    const count = (texts: string[]) => texts.filter((text) => text.includes('baixou a lista de usuários')).length
    expect(count(await readingsOf(bia))).toBe(count(before))
  })
})
