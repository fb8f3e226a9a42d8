import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { silentLog } from '@prosa/kernel/observability/log'
import { until } from '@prosa/kernel/testing/until'
import { type MemoryEntitlements, memoryEntitlements } from '@prosa/product/entitlements/memory'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentMessageIds } from '../chat/sent-message-ids.ts'
import { contactHandlers } from '../handlers.ts'
import { findOwnLines } from '../queries.ts'
import { closedNow, openAlways } from '../testing/closed-now.ts'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'
import { queueOnFlowMessageRequested } from './queue-on-flow-message-requested.ts'
import { replyOutOfHours } from './reply-out-of-hours.ts'

let service: TestContacts
let plans: MemoryEntitlements
beforeAll(async () => {
  service = await testContacts()
  const limits = { ...defaultPlanRules.limits, pro: { messages: 2, connections: 3 } }
  plans = memoryEntitlements(service.ports.clock, { afterEnd: 'ended', limits, sendingNeedsConfirmedEmail: true })
  Object.assign(service.ports.entitlements, plans)
})
afterAll(() => service.stop())

const longAgo = '2026-01-01T12:00:00.000Z'
const dropped: AnyEvent = { type: 'LineDropped', data: { code: 428, reason: 'connection_closed' } }
const linked = (phone: string): AnyEvent => ({ type: 'NumberLinked', data: { phone, lid: null, pushName: null } })

type Sent = { over: 'first' | 'second' }
type Refused = { refused: string }
type Result = Sent | Refused | 'nothing'

/** A business with two numbers; the contact wrote to the first. */
const scene = async () => {
  const shop = await service.shop()
  const second = randomUUID()
  const lines = { first: shop.connectionId, second }
  const recordOf = (line: 'first' | 'second', ...events: AnyEvent[]) =>
    shop.record(`connection-${lines[line]}`, ...events)
  await recordOf('second', { type: 'ConnectionAdded', data: { name: 'Outra' } }, { type: 'LineOpened', data: {} })
  const hours = async (open: boolean) => shop.request('PUT', '/api/opening-hours', open ? openAlways() : closedNow())
  await hours(true)
  await shop.request('PATCH', '/api/opening-hours/reply', { isOn: true, text: 'Fechado.' })
  const received = (count: number) =>
    until(async () => {
      const found = (await shop.events('MessageReceived')) as StoredOf<'MessageReceived'>[]
      return found.length >= count && found
    })
  await shop.receives(arrived('Oi'))
  const contactId = (await received(1))[0]?.stream.slice('chat-'.length) ?? ''
  const nameOf = (id: string): 'first' | 'second' => (id === lines.first ? 'first' : 'second')
  return { ...shop, second, recordOf, hours, received, contactId, nameOf }
}
type Scene = Awaited<ReturnType<typeof scene>>

const queuedOf = async (shop: Scene) => (await shop.events('MessageQueued')) as StoredOf<'MessageQueued'>[]

const senders: Record<'attendant' | 'flow' | 'outOfHours', (shop: Scene, runOver?: string) => Promise<Result>> = {
  async attendant(shop) {
    const reply = await shop.ask('POST', '/send-message', { contactId: shop.contactId, message: 'Sim' })
    const queued = await queuedOf(shop)
    if (reply.statusCode !== 202) return queued.length === 0 ? { refused: reply.json().type } : 'nothing'
    expect(reply.json().connectionId).toBe(queued[0]?.data.connectionId)
    return { over: shop.nameOf(queued[0]?.data.connectionId ?? '') }
  },
  async flow(shop, connectionId = shop.connectionId) {
    const messageId = `3EB01${randomUUID().replaceAll('-', '').slice(0, 17).toUpperCase()}`
    const step = { flowId: randomUUID(), runId: randomUUID(), version: 1, step: 1, nodeId: 'n1' }
    const content = { kind: 'text', text: 'Passo' } as const
    const requested = { ...step, messageId, connectionId, content, typingSeconds: 0, links: [] }
    await shop.record(`flowRun-${shop.contactId}`, { type: 'FlowMessageRequested', data: requested })
    const { ports } = service
    const reactor = queueOnFlowMessageRequested({
      ...contactHandlers(ports),
      messageIds: sentMessageIds(ports.pool),
      entitlements: ports.entitlements,
      publicUrl: undefined,
    })
    // Twice, as after a crash, beside the process that runs.
    for await (const page of ports.store.read(`flowRun-${shop.contactId}`))
      for (const event of [...(await ports.codec.decode(page)), ...(await ports.codec.decode(page))])
        if (event.type === 'FlowMessageRequested') await reactor.on.FlowMessageRequested?.(event)
    expect((await queuedOf(shop)).length).toBeLessThanOrEqual(1)
    const [queued] = await queuedOf(shop)
    const [failed] = (await shop.events('MessageFailed')) as StoredOf<'MessageFailed'>[]
    if (!queued) return 'nothing'
    return failed ? { refused: failed.data.code ?? '' } : { over: shop.nameOf(queued.data.connectionId) }
  },
  async outOfHours(shop) {
    await shop.hours(false)
    const reasons: string[] = []
    const { ports } = service
    const reactor = replyOutOfHours({
      ...contactHandlers(ports),
      messageIds: sentMessageIds(ports.pool),
      hasOutOfHoursFlow: async () => false,
      entitlements: ports.entitlements,
      log: Object.assign(silentLog(), { info: ({ reason }: { reason: string }) => void reasons.push(reason) }),
    })
    const [event] = await shop.received(1)
    if (!event) throw new Error('nothing was received')
    const { messageId, connectionId, sentAt } = event.data
    const data = { messageId, connectionId, sentAt }
    await shop.record(`flowRun-${shop.contactId}`, { type: 'OutOfHoursReplyRequested', data })
    // Twice, as after a crash.
    for await (const page of ports.store.read(`flowRun-${shop.contactId}`))
      for (const asked of [...(await ports.codec.decode(page)), ...(await ports.codec.decode(page))])
        if (asked.type === 'OutOfHoursReplyRequested') await reactor.on.OutOfHoursReplyRequested?.(asked)
    const queued = await queuedOf(shop)
    expect(queued.length).toBeLessThanOrEqual(1)
    return queued[0] ? { over: shop.nameOf(queued[0].data.connectionId) } : { refused: reasons[0] ?? '' }
  },
}

type Row = [
  situation: string,
  change: (shop: Scene) => Promise<unknown>,
  expected: Record<keyof typeof senders, Result>,
]

const overFirst = { over: 'first' } as const
const overSecond = { over: 'second' } as const
const all = (result: Result) => ({ attendant: result, flow: result, outOfHours: result })
const refusedAs = (attendant: string, flow: string, outOfHours: string) => ({
  attendant: { refused: attendant },
  flow: { refused: flow },
  outOfHours: { refused: outOfHours },
})
const endsAccess = async ({ tenant }: Scene) => plans.change(tenant, { endsAt: longAgo })
const unconfirmed = async ({ tenant }: Scene) => plans.change(tenant, { confirmBy: longAgo })
const usesLimitUp = async ({ tenant }: Scene) => {
  for (const _ of [1, 2]) plans.countMessage(tenant, service.ports.clock.now())
}
const removesFirst = ({ recordOf }: Scene) => recordOf('first', { type: 'ConnectionRemoved', data: {} })
const dropsFirst = ({ recordOf }: Scene) => recordOf('first', dropped)
const writesToSecond = async (shop: Scene) => {
  await shop.record(`line-${shop.second}`, arrived('E aqui?'))
  await shop.received(2)
}
const renumbersFirst = async (shop: Scene) => {
  await shop.recordOf('first', linked('551130000001'), { type: 'NumberUnlinked', data: {} })
  await shop.recordOf('first', linked('551130000009'), { type: 'LineOpened', data: {} })
  await until(async () =>
    (await findOwnLines(service.ports.pool, shop.tenant)).some(({ numbers }) => numbers.length === 2),
  )
}

const matrix: Row[] = [
  ['all is well', async () => undefined, all(overFirst)],
  ['one message is left', async ({ tenant }) => plans.countMessage(tenant, service.ports.clock.now()), all(overFirst)],
  ['the access has ended', endsAccess, refusedAs('subscription_ended', 'access_ended', 'access_ended')],
  ['the address is not confirmed', unconfirmed, all({ refused: 'email_not_confirmed' })],
  ['no message is left', usesLimitUp, refusedAs('message_limit_reached', 'no_message_left', 'no_message_left')],
  [
    'the line is down: only a reply does not wait',
    dropsFirst,
    { ...all(overFirst), outOfHours: { refused: 'line_not_open' } },
  ],
  [
    'the line is removed, though another one is open',
    removesFirst,
    refusedAs('line_removed', 'connection_removed', 'line_not_open'),
  ],
  [
    'the connection has another number',
    renumbersFirst,
    refusedAs('line_removed', 'connection_removed', 'line_not_open'),
  ],
  ['the person wrote to the other number since', writesToSecond, all(overSecond)],
  [
    'the person wrote to the other number since, and the first is removed',
    async (shop) => {
      await writesToSecond(shop)
      await removesFirst(shop)
    },
    all(overSecond),
  ],
  [
    'the person wrote to the other number since, and that is removed: the first is known to them',
    async (shop) => {
      await writesToSecond(shop)
      await shop.recordOf('second', { type: 'ConnectionRemoved', data: {} })
    },
    all(overFirst),
  ],
  [
    'the access has ended and the line is removed',
    async (shop) => {
      await endsAccess(shop)
      await removesFirst(shop)
    },
    refusedAs('subscription_ended', 'connection_removed', 'line_not_open'),
  ],
  [
    'the contact is erased',
    (shop) => shop.record(`contact-${shop.contactId}`, { type: 'ContactErased', data: {} }),
    { attendant: { refused: 'contact_not_found' }, flow: 'nothing', outOfHours: { refused: 'not_waiting' } },
  ],
  [
    'the conversation is attended',
    (shop) => shop.ask('PATCH', `/contacts/${shop.contactId}/status`, { status: 'attending' }),
    { ...all(overFirst), outOfHours: { refused: 'not_waiting' } },
  ],
]

describe.each(matrix)('where %s', (_, change, expected) => {
  it.each(['attendant', 'flow', 'outOfHours'] as const)('the message of the %s', async (sender) => {
    const shop = await scene()
    await change(shop)
    expect(await senders[sender](shop)).toEqual(expected[sender])
  })
})

/** Nobody is sent something unasked for by a number that they do not know. */
describe('to a person who never wrote', () => {
  const stranger = async () => {
    const shop = await scene()
    const contactId = randomUUID()
    const data = { phone: '5511977665544', lid: null, name: null, origin: 'attendant' } as const
    await shop.record(`contact-${contactId}`, { type: 'ContactAdded', data })
    return { ...shop, contactId }
  }

  it('a flow writes over the line of its run, whatever else is open', async () => {
    const shop = await stranger()
    expect(await senders.flow(shop, shop.second)).toEqual(overSecond)
  })

  it('an attendant writes over a line that is open', async () => {
    const shop = await stranger()
    await until(async () => (await findOwnLines(service.ports.pool, shop.tenant)).some(({ isOpen }) => isOpen))
    expect(await senders.attendant(shop)).toMatchObject({ over: expect.any(String) })
  })

  it('a flow writes nothing over a connection that was never linked', async () => {
    const shop = await stranger()
    const unused = randomUUID()
    await shop.record(`connection-${unused}`, { type: 'ConnectionAdded', data: { name: 'Nova' } })
    expect(await senders.flow(shop, unused)).toEqual({ refused: 'connection_not_open' })
  })
})

it('a flow that began over the other number goes on from none, where the one that the person knows is removed', async () => {
  const shop = await scene()
  await removesFirst(shop)
  expect(await senders.flow(shop, shop.second)).toEqual({ refused: 'connection_removed' })
})
