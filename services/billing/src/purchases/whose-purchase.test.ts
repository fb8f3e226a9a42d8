import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { later } from '@prosa/kernel/clock'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { derivedBoxKeys, secretBox } from '@prosa/kernel/privacy/secret-box'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startTrialOnUserRegistered } from '../access/start-trial-on-user-registered.ts'
import { buyerKeyOf } from '../buyers/buyer-key.ts'
import { eraseBuyer } from '../buyers/erase-buyer.ts'
import { eraseOnBuyerErased } from '../buyers/erase-on-buyer-erased.ts'
import { forgetBuyerOnUserErased } from '../buyers/forget-buyer-on-user-erased.ts'
import { receivedDeliveries } from '../deliveries/received-delivery.ts'
import { billingHandlers } from '../handlers.ts'
import { addresses, orderNames, purchaseStep, users } from '../testing/purchase-steps.ts'
import { type PurchaseStep, productOfOrder, purchasesByOracle, untilOfStep } from '../testing/purchases-oracle.ts'
import { reactInAnyOrder } from '../testing/random-order.ts'
import { claimOnEmailConfirmed } from './claim-on-email-confirmed.ts'
import { purchaseReactors } from './purchase-reactors.ts'

const box = secretBox(derivedBoxKeys(Buffer.alloc(32, 7)))
const start = '2026-06-01T12:00:00.000Z'
const day = 24 * 3600 * 1000

const opening: readonly PurchaseStep[] = [
  { type: 'register', user: 'ana', address: addresses[0] },
  { type: 'register', user: 'bia', address: addresses[1] },
]

const world = () => {
  const store = memoryEventStore()
  const codec = eventCodec()
  let now = start
  let isNamed = false
  const soldPlanOf = async (productId: string | null) =>
    isNamed || productId === 'named' ? { planName: 'Profissional', accessDays: 30 } : null
  const handlers = billingHandlers({ store, codec, clock: { now: () => now } })
  const erased = new Set<string>()
  const erase = eraseBuyer(handlers, {
    erase: async (subjects) => {
      for (const subject of subjects) erased.add(subject)
      return subjects.length
    },
  })
  const reactors = [
    startTrialOnUserRegistered(handlers),
    ...purchaseReactors({ handlers, box, soldPlanOf, findReceived: receivedDeliveries({ store, codec }), erase }),
    claimOnEmailConfirmed({ store, codec, box }, handlers, erase),
    forgetBuyerOnUserErased(handlers, erase),
    eraseOnBuyerErased({ store, codec }, erase),
  ]
  const reached: Parameters<typeof reactInAnyOrder>[4] = new Map()
  const ids = new Map(users.map((name) => [name, randomUUID()]))
  const idOf = (name: (typeof users)[number]) => ids.get(name) ?? ''
  const lengths = new Map<string, bigint>()

  const appendOf = async (name: (typeof users)[number], event: AnyEvent) => {
    const [id, stream] = [randomUUID(), `user-${idOf(name)}`]
    const length = lengths.get(stream) ?? 0n
    lengths.set(stream, length + 1n)
    const actor = { kind: 'user', id: idOf(name) } as const
    const metadata = { causationId: id, correlationId: id, actor, tenant: idOf(name), recordedAt: now }
    const encoded = await codec.encode([{ id, stream, event, metadata }])
    await store.append(stream, length === 0n ? 'no_stream' : length - 1n, encoded)
  }
  const context = () => {
    const id = randomUUID()
    return { commandId: id, actor: { kind: 'system', id: 'test' } as const, causationId: id, correlationId: id }
  }
  const addressOf = new Map<string, string>()
  const firstOf = new Map<string, string>()
  const trialOf = (user: string, address: string): { isTrialUsed?: true } => {
    const first = firstOf.get(address) ?? user
    firstOf.set(address, first)
    return first === user ? {} : { isTrialUsed: true }
  }

  const deliver = async (found: Extract<PurchaseStep, { type: 'report' }>) => {
    const month = String(6 + found.month).padStart(2, '0')
    const body = JSON.stringify({
      order_id: `order-${found.order}`,
      webhook_event_type: found.kind,
      subscription_id: found.subscription,
      approved_date: `2026-${month}-08 11:53`,
      Product: { product_id: productOfOrder(found.order) },
      Customer: { full_name: 'Quem comprou', email: found.address },
      TrackingParameters: { sck: found.token && purchaseTokenOf(box, idOf(found.token)) },
      nonce: randomUUID(),
    })
    const id = randomUUID()
    const data = { endpoint: 'approved', bytes: body.length, expiresAt: later(start, 180 * day) } as const
    const received = { ...data, body: Buffer.from(body).toString('base64') }
    await handlers.deliveries(id, { type: 'ReceiveDelivery', data: received }, { ...context(), tenant: null })
    return id
  }

  /** Returns a delivery id. */
  const take = async (each: PurchaseStep): Promise<string | undefined> => {
    now = later(now, 60_000)
    switch (each.type) {
      case 'register':
        addressOf.set(each.user, each.address)
        await appendOf(each.user, {
          type: 'UserRegistered',
          data: {
            ...{ firstName: each.user, lastName: 'Lima', email: each.address, credentialId: randomUUID() },
            ...trialOf(each.user, each.address),
          },
        })
        return undefined
      case 'confirm':
        await appendOf(each.user, { type: 'EmailConfirmed', data: each.isElsewhere ? { elsewhere: true } : {} })
        return undefined
      case 'move address': {
        const formerEmail = addressOf.get(each.user) ?? ''
        addressOf.set(each.user, each.address)
        const data = { email: each.address, changeId: randomUUID(), formerEmail, formerChangeId: null }
        const moved = { ...data, ...trialOf(each.user, each.address) }
        await appendOf(each.user, { type: 'EmailChanged', data: moved })
        return undefined
      }
      case 'erase':
        await appendOf(each.user, { type: 'UserErased', data: {} })
        return undefined
      case 'move order':
        await handlers.orders(
          `order-${each.order}`,
          { type: 'AssignOrderByHand', data: { userId: idOf(each.user) } },
          { ...context(), tenant: null },
        )
        return undefined
      case 'assign plan': {
        const assigned = { planId: randomUUID(), planName: 'Por fora', productId: 'por-fora', accessDays: each.days }
        const command = { type: 'AssignPlan', data: assigned } as const
        await handlers.orders(`order-${each.order}`, command, { ...context(), tenant: null })
        return undefined
      }
      case 'name product':
        isNamed = true
        return undefined
      case 'erase address':
        await handlers.entitlements(
          buyerKeyOf(box, each.address),
          { type: 'EraseBuyer', data: { userId: null } },
          { ...context(), actor: { kind: 'admin', id: 'test' }, tenant: null },
        )
        return undefined
      case 'report':
        return deliver(each)
    }
  }
  return { store, codec, handlers, reactors, reached, take, idOf, erased }
}

const lived = async (steps: readonly PurchaseStep[]) => {
  const found = world()
  for (const each of steps) {
    await found.take(each)
    await reactInAnyOrder(found.reactors, found.store, found.codec, (below) => below - 1, found.reached)
  }
  const holderOf = async (name: string) => {
    const { userId } = await found.handlers.orders.load(`order-${name}`, null)
    return users.find((each) => found.idOf(each) === userId) ?? null
  }
  return { ...found, holderOf }
}

type Reported = Extract<PurchaseStep, { type: 'report' }>

const paid = (name: (typeof orderNames)[number], from: string, subscription: string | null = null): Reported => ({
  type: 'report',
  order: name,
  kind: 'order_approved',
  address: from,
  subscription,
  token: null,
  month: 0,
})

it('is not a stranger’s who registered the buyer’s address, had the buyer press the link, and moved on', async () => {
  const [victim, elsewhere] = [addresses[0], addresses[2]]
  const { holderOf } = await lived([
    { type: 'register', user: 'ana', address: victim },
    { type: 'confirm', user: 'ana', isElsewhere: true },
    { type: 'move address', user: 'ana', address: elsewhere },
    { type: 'register', user: 'bia', address: victim },
    paid('1', victim),
    { type: 'confirm', user: 'bia', isElsewhere: false },
    paid('2', victim),
  ])
  expect([await holderOf('1'), await holderOf('2')]).toEqual(['bia', 'bia'])
})

it('waits for the next who proves the address once an account has left it, or was erased', async () => {
  const left = [
    { type: 'register', user: 'ana', address: addresses[0] },
    { type: 'confirm', user: 'ana', isElsewhere: false },
  ] as const
  const moved = await lived([
    ...left,
    { type: 'move address', user: 'ana', address: addresses[2] },
    paid('1', addresses[0]),
  ])
  expect(await moved.holderOf('1')).toBeNull()
  const erased = await lived([...left, { type: 'erase', user: 'ana' }, paid('1', addresses[0])])
  expect(await erased.holderOf('1')).toBeNull()
  expect((await erased.handlers.orders.load('order-1', null)).isBuyerErased).toBe(true)
})

it('is reported where somebody was charged who had been erased, and not what they paid before', async () => {
  const { handlers } = await lived([
    { type: 'register', user: 'ana', address: addresses[0] },
    { type: 'confirm', user: 'ana', isElsewhere: false },
    paid('1', addresses[0], 's'),
    { type: 'erase', user: 'ana' },
    paid('1', addresses[0], 's'),
    paid('2', addresses[0], 's'),
  ])
  const isReported = async (name: string) => (await handlers.orders.load(`order-${name}`, null)).isErasedChargeReported
  expect([await isReported('1'), await isReported('2')]).toEqual([false, true])
  expect((await handlers.orders.load('order-2', null)).isBuyerErased).toBe(true)
})

it('leaves nothing of a buyer who was erased in what is another account’s: a present, or what an administrator moved', async () => {
  const bought = (name: (typeof orderNames)[number], token: (typeof users)[number] | null): PurchaseStep => ({
    ...(paid(name, addresses[0]) as Extract<PurchaseStep, { type: 'report' }>),
    token,
  })
  const { holderOf, handlers, idOf } = await lived([
    ...opening,
    { type: 'confirm', user: 'ana', isElsewhere: false },
    bought('1', 'bia'),
    bought('2', null),
    { type: 'move order', order: '2', user: 'bia' },
    { type: 'erase', user: 'ana' },
    bought('3', 'bia'),
  ])
  for (const name of ['1', '2', '3'] as const) {
    expect([name, await holderOf(name)]).toEqual([name, 'bia'])
    const { isBuyerErased, buyerKey } = await handlers.orders.load(`order-${name}`, null)
    expect([name, isBuyerErased, buyerKey]).toEqual([name, true, null])
  }
  const bia = idOf('bia')
  expect((await handlers.subscriptions.load(bia, bia)).endsAt).toBe(untilOfStep(0))
})

it('moves with its renewals where an administrator has it so', async () => {
  const { holderOf, handlers, idOf } = await lived([
    ...opening,
    { type: 'confirm', user: 'ana', isElsewhere: false },
    paid('1', addresses[0], 's'),
    { type: 'move order', order: '1', user: 'bia' },
    paid('2', addresses[0], 's'),
  ])
  expect([await holderOf('1'), await holderOf('2')]).toEqual(['bia', 'bia'])
  const [of, to] = [idOf('ana'), idOf('bia')]
  expect((await handlers.subscriptions.load(of, of)).endsAt).toBe('2026-06-11T12:01:00.000Z')
  expect((await handlers.subscriptions.load(to, to)).endsAt).toBe(untilOfStep(0))
})

it('moves with its renewals also where it was bought by a link, which Kiwify may repeat with each of them', async () => {
  const bought = (name: (typeof orderNames)[number], month: number): PurchaseStep => ({
    ...paid(name, addresses[2], 's'),
    token: 'ana',
    month,
  })
  const moves: readonly PurchaseStep[] = [...opening, bought('1', 0), { type: 'move order', order: '1', user: 'bia' }]
  const { holderOf, handlers, idOf } = await lived([...moves, bought('2', 1)])
  expect([await holderOf('1'), await holderOf('2')]).toEqual(['bia', 'bia'])
  const ana = idOf('ana')
  expect((await handlers.subscriptions.load(ana, ana)).endsAt).toBe('2026-06-11T12:01:00.000Z')
  const gone = await lived([...moves, { type: 'erase', user: 'bia' }, bought('2', 1)])
  expect(await gone.holderOf('2')).toBe('ana')
})

it('comes back exactly as it was where an administrator moves it back, and leaves nothing with who had it meanwhile', async () => {
  const before: readonly PurchaseStep[] = [
    ...opening,
    { type: 'confirm', user: 'ana', isElsewhere: false },
    paid('1', addresses[0], 's'),
    { ...paid('2', addresses[0], 's'), month: 1 },
  ]
  const givenTo = async (steps: readonly PurchaseStep[], name: (typeof users)[number]) => {
    const { handlers, idOf } = await lived(steps)
    const { endsAt, grants, orders, hasEnded } = await handlers.subscriptions.load(idOf(name), idOf(name))
    return { endsAt, grants: new Map([...grants].sort()), orders: new Set([...orders].sort()), hasEnded }
  }
  const forth: PurchaseStep = { type: 'move order', order: '2', user: 'bia' }
  const back: PurchaseStep = { type: 'move order', order: '2', user: 'ana' }
  for (const moves of [
    [forth, back],
    [forth, forth, back, forth, back],
  ]) {
    expect(await givenTo([...before, ...moves], 'ana')).toEqual(await givenTo(before, 'ana'))
    expect(await givenTo([...before, ...moves], 'bia')).toEqual(await givenTo(before, 'bia'))
  }
  expect(await givenTo([...before, forth], 'bia')).toMatchObject({ endsAt: untilOfStep(1) })
  const refunded: PurchaseStep = { ...paid('2', addresses[0], 's'), kind: 'order_refunded' as const }
  expect(await givenTo([...before, forth, refunded], 'bia')).toMatchObject({ endsAt: '2026-06-11T12:02:00.000Z' })
  expect(await givenTo([...before, forth, refunded], 'ana')).toMatchObject({ endsAt: untilOfStep(0) })
  expect(await givenTo([...before, forth, refunded, back], 'ana')).toEqual(await givenTo([...before, refunded], 'ana'))
})

it('of a product that no plan has opens nothing, until an administrator decides which plan it is, and its renewals follow', async () => {
  const before = [...opening, { type: 'confirm', user: 'ana', isElsewhere: false }] as const
  const endOf = async (steps: readonly PurchaseStep[]) => {
    const { handlers, idOf } = await lived([...before, ...steps])
    return (await handlers.subscriptions.load(idOf('ana'), idOf('ana'))).endsAt
  }
  const trialEnd = '2026-06-11T12:01:00.000Z'
  const [first, renewal] = [paid('3', addresses[0], 's'), { ...paid('4', addresses[0], 's'), month: 1 }]
  const decided: PurchaseStep = { type: 'assign plan', order: '3', days: 60 }
  expect(await endOf([first])).toBe(trialEnd)
  expect(await endOf([first, decided])).toBe(untilOfStep(0, 60))
  expect(await endOf([first, decided, renewal])).toBe(untilOfStep(1, 60))
  expect(await endOf([first, renewal, decided])).toBe(untilOfStep(1, 60))
  const named: PurchaseStep = { type: 'name product' }
  expect(await endOf([first, { ...decided, days: 30 }, named, first, decided])).toBe(untilOfStep(0, 30))
  const mended: PurchaseStep = { ...decided, days: 90 }
  const next = { ...paid('5', addresses[0], 's'), month: 2 }
  expect(await endOf([first, decided, renewal, mended])).toBe(untilOfStep(1, 90))
  expect(await endOf([first, decided, renewal, mended, next])).toBe(untilOfStep(2, 90))
  expect(await endOf([first, decided, renewal, { ...mended, order: '4' }, next])).toBe(untilOfStep(2, 90))
  expect(await endOf([first, decided, { ...renewal, subscription: 't' }])).toBe(untilOfStep(0, 60))
})

it('gives access to whom the address of a purchase belongs to, as a second evaluation of the same history has it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(purchaseStep, { minLength: 12, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (drawn, choices) => {
        const { store, codec, handlers, reactors, reached, take, idOf, erased } = world()
        const pick = (below: number) => (below === 0 ? 0 : (choices.next().value ?? 0) % below)
        const oracle = purchasesByOracle(start)
        const deliveries: { id: string; step: Extract<PurchaseStep, { type: 'report' }> }[] = []
        for (const each of [...opening, ...drawn]) {
          if (!oracle.isPossible(each)) continue
          oracle.take(each)
          const id = await take(each)
          if (id !== undefined && each.type === 'report') deliveries.push({ id, step: each })
          await reactInAnyOrder(reactors, store, codec, pick, reached)
        }
        for (const name of users) {
          const expected = oracle.accessOf(name)
          if (expected === undefined) continue
          const { endsAt } = await handlers.subscriptions.load(idOf(name), idOf(name))
          expect([name, endsAt]).toEqual([name, expected])
        }
        for (const { id, step: reported } of deliveries)
          expect([reported.order, erased.has(`delivery:${id}`)]).toEqual([reported.order, oracle.isErased(reported)])
        const charged: string[] = []
        for (const name of orderNames)
          if ((await handlers.orders.load(`order-${name}`, null)).isErasedChargeReported) charged.push(name)
        expect(charged).toEqual(oracle.chargesOfErased().sort())
        await store.close()
      },
    ),
    { numRuns: shortOrLong(200, 10_000) },
  )
}, 3_600_000)

it('counts what an order gives by the days of its plan', () => expect(untilOfStep(0)).toBe('2026-07-08T14:53:00.000Z'))
