import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { OrderEventKind, SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const now = at(50_000)
const [past, future] = [at(-1000), at(900_000)]
const admin = idOf('admin')
const tenants = Array.from({ length: 6 }, (_, index) => idOf(`owner ${index}`))
const document = starterFlow()

let prosa: Awaited<ReturnType<typeof testProjections>>
let position: Position

const append = async (tenant: string | null, stream: string, event: AnyEvent) => {
  position = await prosa.append(tenant, stream, event)
}

const drawing = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
const draw = drawing(20_261_125)
const oneOf = <T>(all: readonly T[]): T => all[draw(all.length)] as T

const register = async (id: string) => {
  const person = { firstName: 'Ana', lastName: 'Lima', email: `${id}@lima.com.br`, credentialId: idOf('c') }
  const isTrialUsed = draw(3) === 0
  await append(id, `user-${id}`, { type: 'UserRegistered', data: { ...person, ...(isTrialUsed && { isTrialUsed }) } })
  const stream = `subscription-${id}`
  if (isTrialUsed)
    await append(id, stream, { type: 'TrialWithheld', data: { at: past, endsAt: past, status: 'expired' } })
  else await append(id, stream, { type: 'TrialStarted', data: { endsAt: future } })
}

const moveAccess = async (id: string) => {
  const stream = `subscription-${id}`
  const about = { orderId: 'o', subscriptionId: null, productId: null }
  const access = oneOf<{ endsAt: string | null; status: SubscriptionStatus }>([
    { endsAt: future, status: 'active' },
    { endsAt: future, status: 'cancelled' },
    { endsAt: past, status: 'active' },
    { endsAt: null, status: 'expired' },
  ])
  const before = { endsAt: null, status: 'active' } as const
  const events: readonly AnyEvent[] = [
    { type: 'AccessGranted', data: { ...about, until: future, ...access } },
    { type: 'AccessRevoked', data: { orderId: 'o', cause: 'refund', ...access } },
    { type: 'AccessSet', data: { decision: 'extended', before, endsAt: future, status: 'active' } },
    { type: 'AccessSet', data: { decision: 'removed', before, endsAt: past, status: 'expired' } },
    { type: 'RenewalCancelled', data: { subscriptionId: 's', status: 'cancelled' } },
  ]
  await append(id, stream, oneOf(events))
}

const contacts = new Map<string, { tenant: string; into: string | null }>()
let added = 0
const moveContacts = async (tenant: string) => {
  const own = [...contacts].filter(([, contact]) => contact.tenant === tenant)
  const shown = own.filter(([, { into }]) => into === null)
  const hidden = own.filter(([, { into }]) => into !== null)
  const [one, other] = [oneOf(shown), oneOf(shown)]
  const choice = draw(6)
  if (choice < 3 || !one || !other) {
    const id = idOf(`contact ${added++}`)
    contacts.set(id, { tenant, into: null })
    const data = { name: 'Bia', phone: null, lid: null, origin: 'message' } as const
    return append(tenant, `contact-${id}`, { type: 'ContactAdded', data })
  }
  if (choice === 3 && one[0] !== other[0]) {
    contacts.set(one[0], { tenant, into: other[0] })
    return append(tenant, `contact-${one[0]}`, { type: 'ContactAbsorbed', data: { into: other[0] } })
  }
  if (choice === 4 && hidden.length > 0) {
    const [id, { into }] = oneOf(hidden)
    contacts.set(id, { tenant, into: null })
    return append(tenant, `contact-${id}`, { type: 'ContactRestored', data: { from: into ?? '' } })
  }
  const gone = [one[0], ...own.filter(([, { into }]) => into === one[0]).map(([id]) => id)]
  for (const id of gone) {
    contacts.delete(id)
    await append(tenant, `contact-${id}`, { type: 'ContactErased', data: {} })
  }
}

const flows = new Map<string, string>()
const moveFlows = async (tenant: string) => {
  const own = [...flows].filter(([, of]) => of === tenant).map(([id]) => id)
  const id = oneOf(own)
  if (draw(3) === 0 || id === undefined) {
    const made = idOf(`flow ${flows.size} of ${tenant}`)
    flows.set(made, tenant)
    const origin = oneOf(['new', 'sample', 'sample', 'import', 'copy'] as const)
    await append(tenant, `flow-${made}`, {
      type: 'FlowCreated',
      data: { name: 'Fluxo', folderId: null, document, origin },
    })
    const begun = { revision: 0, digest: 'd', sizeBytes: 1, nodeCount: 1, fileIds: [], restoredVersion: null }
    return append(tenant, `flow-${made}`, { type: 'FlowDraftKept', data: begun })
  }
  const kept = { revision: 1, digest: 'e', sizeBytes: 1, nodeCount: 2, fileIds: [], restoredVersion: null }
  await append(
    tenant,
    `flow-${id}`,
    oneOf<AnyEvent>([
      { type: 'FlowDraftKept', data: kept },
      { type: 'FlowPublished', data: { version: 1, document } },
      { type: 'FlowTurnedOff', data: {} },
    ]),
  )
}

const moveOrders = async () => {
  const id = oneOf(['1', '2', '3', '4', '5', '6', '7'])
  const kinds: OrderEventKind[] = ['order_approved', 'order_rejected', 'order_refunded', 'pix_created', 'chargeback']
  const stream = `order-${id}`
  const isReported = (await everythingIn(prosa.ports.store, 'order')).some((event) => event.stream === stream)
  if (isReported && draw(6) === 0)
    return append(null, stream, { type: draw(2) === 0 ? 'OrderHidden' : 'OrderShown', data: {} })
  const nobody = { token: null, buyerKey: null, buyerName: null, buyerEmail: null, buyerDocument: null }
  const about = { orderRef: null, subscriptionId: null, productId: null, productName: null, paymentMethod: null }
  await append(null, stream, {
    type: 'OrderReported',
    data: {
      ...{ deliveryId: 'd', kind: oneOf(kinds), amountCents: 1000 * Number(id), occurredAt: at(0) },
      ...{ accessUntil: null, accessDays: 30, ...nobody, ...about },
      ...(draw(2) === 0 && { isWithoutPlan: true as const }),
    },
  })
}

const writeMessage = async (tenant: string) => {
  const message = { messageId: `M${draw(1000)}`, connectionId: idOf('line'), sentAt: at(0) }
  const content = { kind: 'text', text: 'oi' } as const
  await append(tenant, `chat-${idOf(`chat ${tenant}`)}`, {
    type: 'MessageReceived',
    data: { ...message, content } as never,
  })
}

beforeAll(async () => {
  prosa = await testProjections({ now: () => now })
  await register(admin)
  await append(admin, `user-${admin}`, { type: 'RoleGranted', data: { role: 'admin' } })
  for (const tenant of tenants) await register(tenant)
  for (let step = 0; step < 500; step++) {
    const tenant = oneOf(tenants)
    const move = oneOf([moveAccess, moveContacts, moveContacts, moveFlows, moveOrders, writeMessage])
    await move(tenant)
  }
  const [gone = ''] = tenants
  await append(gone, `user-${gone}`, { type: 'UserErased', data: {} })
  for (const [id, { tenant }] of contacts)
    if (tenant === gone) await append(gone, `contact-${id}`, { type: 'ContactErased', data: {} })
  const order = { orderId: 'last', subscriptionId: null, productId: null, until: future, endsAt: future } as const
  for (const [index, status] of (['active', 'cancelled'] as const).entries()) {
    const tenant = tenants[index + 1] ?? ''
    await append(tenant, `subscription-${tenant}`, { type: 'AccessGranted', data: { ...order, status } })
  }
  await prosa.ports.readModels.reached(['account', 'users', 'flows', 'contact-list'], position, 5000)
}, 120_000)
afterAll(() => prosa.stop())

const get = async (path: string, user = admin) => (await prosa.get(path, user, position)).body
const everyPage = async (path: string): Promise<Record<string, unknown>[]> => {
  const items: Record<string, unknown>[] = []
  for (let cursor = ''; ; ) {
    const page = await get(`${path}${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)
    items.push(...page.items)
    if (!page.nextCursor) return items
    cursor = page.nextCursor
  }
}

type Log = Awaited<ReturnType<typeof everythingIn>>
const byStream = (events: Log): Map<string, Log> => {
  const streams = new Map<string, Log>()
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event])
  return streams
}
const has = (events: readonly Pick<Stored, 'type'>[], type: string) => events.some((event) => event.type === type)

const statusOf = (events: Log): SubscriptionStatus => {
  let [status, endsAt]: [SubscriptionStatus, string | null] = ['active', null]
  for (const { type, data } of events) {
    if (type === 'TrialStarted') endsAt = data.endsAt
    if ('status' in data && typeof data.status === 'string') status = data.status as SubscriptionStatus
    if (type === 'AccessGranted' || type === 'AccessSet' || type === 'TrialWithheld') endsAt = data.endsAt
    if (type === 'AccessRevoked') endsAt = data.endsAt ?? past
  }
  return endsAt !== null && endsAt <= now ? 'expired' : status
}

it('users are active, expired or cancelled, and add up, on the card as in the list and in the log', async () => {
  const { users } = await get('/api/admin/summary')
  const subscriptions = byStream(await everythingIn(prosa.ports.store, 'subscription'))
  const living = [...byStream(await everythingIn(prosa.ports.store, 'user'))].filter(
    ([, events]) => !has(events, 'UserErased'),
  )
  const statuses = living.map(([stream]) => statusOf(subscriptions.get(stream.replace('user-', 'subscription-')) ?? []))
  const counted = (all: readonly unknown[]) => {
    const of = (status: string) => all.filter((each) => each === status).length
    return { total: all.length, active: of('active'), expired: of('expired'), cancelled: of('cancelled') }
  }
  const { expiringSoon: _, ...card } = users
  expect(card).toEqual(counted(statuses))
  expect(counted((await everyPage('/api/admin/users')).map((user) => user.subscriptionStatus))).toEqual(card)
  expect(card.active + card.expired + card.cancelled).toBe(card.total)
  expect(Math.min(card.active, card.expired, card.cancelled)).toBeGreaterThan(0)
})

it('contacts that were merged are one, on the card as in the lists, on each dashboard and in the log', async () => {
  const streams = [...byStream(await everythingIn(prosa.ports.store, 'contact')).values()]
  const lastOf = (events: Log) =>
    events.findLast(({ type }) => type === 'ContactAbsorbed' || type === 'ContactRestored')?.type
  const shown = streams.filter((events) => !has(events, 'ContactErased') && lastOf(events) !== 'ContactAbsorbed')
  const ofTenant = (tenant: string) => shown.filter(([first]) => first?.metadata.tenant === tenant).length
  const { contacts: card, messages } = await get('/api/admin/summary')
  expect(card).toBe(shown.length)
  expect((await everyPage('/api/admin/contacts')).length).toBe(card)
  let sum = 0
  for (const tenant of tenants.slice(1)) {
    const { now: found } = await get('/api/dashboard', tenant)
    const counts = await get('/api/whatsapp/contact-counts', tenant)
    expect([found.contacts, counts.waiting + counts.attending + counts.resolved]).toEqual([
      ofTenant(tenant),
      ofTenant(tenant),
    ])
    sum += found.contacts
  }
  expect(sum).toBe(card)
  expect(streams.some((events) => lastOf(events) === 'ContactAbsorbed' && !has(events, 'ContactErased'))).toBe(true)
  const received = (await everythingIn(prosa.ports.store, 'chat')).filter(({ type }) => type === 'MessageReceived')
  expect(messages).toBe(received.length)
})

it('projects are what people made: no samples that nobody changed, and those of no erased account', async () => {
  const [gone] = tenants
  const streams = [...byStream(await everythingIn(prosa.ports.store, 'flow')).values()].filter(
    ([first]) => first?.metadata.tenant !== gone,
  )
  const isSample = (events: Log) =>
    events.some(({ type, data }) => type === 'FlowCreated' && data.origin === 'sample') &&
    !events.some(({ type, data }) => type === 'FlowDraftKept' && data.revision > 0)
  const { projects } = await get('/api/admin/summary')
  expect(projects).toBe(streams.filter((events) => !isSample(events)).length)
  expect(streams.filter(isSample).length).toBeGreaterThan(0)
  const listed = await everyPage('/api/admin/projects')
  expect([listed.length, listed.filter((project) => !project.isSample).length]).toEqual([streams.length, projects])
  const isOn = (events: Log) =>
    events.findLast(({ type }) => type === 'FlowPublished' || type === 'FlowTurnedOff')?.type === 'FlowPublished'
  for (const tenant of tenants.slice(1)) {
    const own = streams.filter(([first]) => first?.metadata.tenant === tenant)
    const found: { isActive: boolean }[] = await get('/api/automation-projects', tenant)
    expect(found.filter(({ isActive }) => isActive).length).toBe(own.filter(isOn).length)
  }
})

it('revenue is what was paid, and what of it stayed, as the list of transactions adds up to', async () => {
  const streams = [...byStream(await everythingIn(prosa.ports.store, 'order')).values()]
  const kindsOf = (events: Log) => events.flatMap(({ type, data }) => (type === 'OrderReported' ? [data.kind] : []))
  const cents = (events: Log) =>
    events
      .map(({ type, data }) => (type === 'OrderReported' ? (data.amountCents ?? 0) : 0))
      .find((found) => found > 0) ?? 0
  const sum = (all: Log[]) => all.reduce((total, events) => total + cents(events), 0)
  const isBack = (events: Log) => kindsOf(events).some((kind) => kind === 'order_refunded' || kind === 'chargeback')
  const isPaid = (events: Log) => kindsOf(events).includes('order_approved')
  const isListed = (events: Log) =>
    events.findLast(({ type }) => type === 'OrderHidden' || type === 'OrderShown')?.type !== 'OrderHidden'
  const listed = streams.filter(isListed)
  const { revenue } = await get('/api/admin/summary')
  expect(revenue).toEqual({
    grossCents: sum(listed.filter((events) => isPaid(events) || isBack(events))),
    netCents: sum(listed.filter((events) => isPaid(events) && !isBack(events))),
  })
  const rows = await everyPage('/api/admin/transactions')
  const amountOf = (...statuses: string[]) =>
    rows
      .filter(({ status }) => statuses.includes(String(status)))
      .reduce((total, { amount }) => total + Number(amount), 0)
  expect({ grossCents: amountOf('approved', 'refunded'), netCents: amountOf('approved') }).toEqual(revenue)
})
