import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { WebhookLog } from '@prosa/contracts/http/accounts/webhook-logs'
import { foldBatch } from '@prosa/kernel/consumers/projections/writing/fold-batch'
import { at, idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { webhookDeliveries } from './projection.ts'
import { shownDelivery } from './shown-delivery.ts'

const received = (body: string): AnyEvent => ({
  type: 'DeliveryReceived',
  data: { endpoint: 'approved', body: Buffer.from(body).toString('base64'), bytes: body.length, expiresAt: at(99_999) },
})
const applied: AnyEvent = { type: 'DeliveryApplied', data: { kind: 'order_approved', orderId: 'order-1' } }
const parking = { parkingId: idOf('parking'), eventId: idOf('event'), stream: 'webhookDelivery-a' }
const worker = 'reactor apply-on-delivery-received'
const parked = (by = worker): AnyEvent => ({
  type: 'WorkParked',
  data: { ...parking, worker: by, errorName: 'Error', attempts: 6 },
})

const shownAfter = async (...events: (AnyEvent | [string, AnyEvent])[]): Promise<WebhookLog> => {
  const log = testLog()
  for (const event of events) {
    const [stream, happened] = Array.isArray(event) ? event : ['webhookDelivery-a', event]
    await log.append('nobody', stream, happened)
  }
  const stored = []
  for await (const { events: page } of log.store.readAll(beginning, { categories: webhookDeliveries.categories }))
    stored.push(...page)
  const row = foldBatch(webhookDeliveries, new Map(), await log.codec.decode(stored)).get('a')
  if (!row) throw new Error('no row')
  return shownDelivery(row)
}

describe('a delivery', () => {
  it('is being processed until something came of it', async () => {
    expect(await shownAfter(received('{}'))).toMatchObject({ status: 'processing', errorMessage: null, repeated: 0 })
    const came = await shownAfter(received('{}'), { type: 'DeliveryRepeated', data: { endpoint: 'approved' } }, applied)
    expect(came).toMatchObject({ status: 'success', event: 'compra_aprovada', orderId: 'order-1', repeated: 1 })
    expect(came.lastReceivedAt).toBe(at(1))
  })

  it('that nobody understands is an error with a sentence; what was expected to change nothing is none', async () => {
    const ignored = (reason: 'list' | 'test_button'): AnyEvent => ({
      type: 'DeliveryIgnored',
      data: { reason, kind: null },
    })
    expect(await shownAfter(received('['), { type: 'DeliveryUnreadable', data: { field: null } })).toMatchObject({
      status: 'error',
      errorMessage: 'O conteúdo não é JSON.',
    })
    expect(await shownAfter(received('[]'), ignored('list'))).toMatchObject({ status: 'error', note: null })
    expect(await shownAfter(received('{}'), ignored('test_button'))).toMatchObject({
      status: 'success',
      errorMessage: null,
      note: 'Aviso de teste da Kiwify: nada muda.',
    })
  })

  it('that stopped by an error says so until it is tried again, and other parked work is not its own', async () => {
    const work = (event: AnyEvent): [string, AnyEvent] => ['parkedWork-1', event]
    const { parkingId, stream } = parking
    const retried = work({ type: 'WorkRetried', data: { parkingId, stream } })
    const stopped = await shownAfter(received('{}'), work(parked()))
    expect(stopped).toMatchObject({ status: 'error', isParked: true })
    expect(stopped.errorMessage).toContain('(Error)')
    expect(await shownAfter(received('{}'), work(parked()), retried)).toMatchObject({ status: 'processing' })
    expect(await shownAfter(received('{}'), work(parked()), retried, applied)).toMatchObject({ status: 'success' })
    expect(await shownAfter(received('{}'), work(parked('reactor another')))).toMatchObject({ status: 'processing' })
    const released = work({ type: 'WorkReleased', data: { parkingId, eventId: parking.eventId, stream } })
    expect(await shownAfter(received('{}'), work(parked()), released)).toMatchObject({
      status: 'error',
      isParked: false,
    })
  })
})

describe('GET /api/admin/webhook-logs', () => {
  const admin = idOf('admin')
  let prosa: Awaited<ReturnType<typeof testProjections>>
  let last = ''
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
    const person = { firstName: 'Ada', lastName: 'Min', email: 'ada@prosa.com.br', credentialId: idOf('c') }
    await prosa.append(admin, `user-${admin}`, { type: 'UserRegistered', data: person })
    await prosa.append(admin, `user-${admin}`, { type: 'RoleGranted', data: { role: 'admin' } })
    for (let index = 0; index < 60; index++) {
      const stream = `webhookDelivery-d${index}`
      await prosa.append('nobody', stream, received(`{"n":${index}}`))
      const isOdd = index % 2 === 1
      const outcome: AnyEvent = isOdd
        ? { type: 'DeliveryUnreadable', data: { field: 'order_id' } }
        : { type: 'DeliveryApplied', data: { kind: 'order_approved', orderId: `order-${index}` } }
      last = await prosa.append('nobody', stream, outcome)
    }
    await prosa.ports.readModels.reached(['webhook-deliveries', 'account'], last as never, 10_000)
  })
  afterAll(() => prosa.stop())
  const get = async (query: string, user = admin) => prosa.get(`/api/admin/webhook-logs${query}`, user, last)

  it('goes page by page from the latest, and each delivery is on one page', async () => {
    const first = (await get('')).body
    const second = (await get(`?cursor=${first.nextCursor}`)).body
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([50, 10, null])
    const ids = [...first.items, ...second.items].map(({ id }: WebhookLog) => id)
    expect(ids).toEqual(Array.from({ length: 60 }, (_, index) => `d${59 - index}`))
  })

  it('is filtered by status and by the beginning of an order', async () => {
    const errors = (await get('?status=error')).body.items
    expect(errors).toHaveLength(30)
    expect(errors[0]).toMatchObject({ id: 'd59', errorMessage: 'O campo order_id não pôde ser lido.' })
    const found = (await get('?search=order-5')).body.items
    expect(found.map(({ orderId }: WebhookLog) => orderId)).toEqual([
      'order-58',
      'order-56',
      'order-54',
      'order-52',
      'order-50',
    ])
    expect((await get('?status=nunca')).body.errors[0]).toMatchObject({ field: 'status' })
  })

  it('shows one with its body, until that is erased', async () => {
    expect((await get('/d4')).body).toMatchObject({
      status: 'success',
      body: '{"n":4}',
      isBodyErased: false,
      processedData: { event: 'compra_aprovada', orderId: 'order-4', changedOrder: false },
    })
    last = await prosa.append('nobody', 'webhookDelivery-d4', { type: 'DeliveryExpired', data: {} })
    expect((await get('/d4')).body).toMatchObject({ body: '[apagado]', isBodyErased: true, hasBodyExpired: true })
    expect((await get('/unknown')).status).toBe(404)
  })

  it('is for administrators, and no longer 304 for one who lost the role', async () => {
    expect((await get('', idOf('somebody'))).status).toBe(403)
    const tag = String((await get('')).headers.etag)
    const again = () => prosa.get('/api/admin/webhook-logs', admin, undefined, { 'if-none-match': tag })
    expect((await again()).status).toBe(304)
    const revoked = await prosa.append(admin, `user-${admin}`, { type: 'RoleRevoked', data: { role: 'admin' } })
    await prosa.ports.readModels.reached(['account'], revoked, 5000)
    expect((await again()).status).toBe(403)
  })
})
