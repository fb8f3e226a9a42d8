import { createHash } from 'node:crypto'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { derivedBoxKeys, secretBox } from '@prosa/kernel/privacy/secret-box'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buyerKeyOf } from '../buyers/buyer-key.ts'
import { erasesNothing } from '../buyers/erase-buyer.ts'
import { receivedDeliveries } from '../deliveries/received-delivery.ts'
import { billingHandlers } from '../handlers.ts'
import { accessByOracle, bodiesOf, type Charge, charge, orderIdOf } from '../testing/customer-lives.ts'
import { reactInAnyOrder } from '../testing/random-order.ts'
import { purchaseReactors } from './purchase-reactors.ts'

const ana = '0b7c8a7e-59b4-4a39-8d0a-6f2f5b0f8d11'
const address = 'ana@example.org'
const trialEnd = '2026-06-11T12:00:00.000Z'
const box = secretBox(derivedBoxKeys(Buffer.alloc(32, 7)))
const customer = { orders: 'order', subscription: 'sub-1', address, token: purchaseTokenOf(box, ana) }

interface Decided {
  endsAt: string
  status: 'active' | 'expired'
  known: ReadonlySet<string>
}

const accessAfter = (charges: readonly Charge[], isCancelled: boolean, decided?: Decided) => {
  if (decided?.status === 'expired') {
    const since = charges.filter((_, index) => !decided.known.has(orderIdOf(customer, index)))
    const paid = accessByOracle(since, isCancelled, null)
    return paid.endsAt !== null && paid.endsAt > decided.endsAt ? paid : decided
  }
  return accessByOracle(charges, isCancelled, decided && decided.endsAt > trialEnd ? decided.endsAt : trialEnd)
}

it('of a customer ends as it must, in whatever order and however often its deliveries come', async () => {
  const life = fc.record({
    charges: fc.array(charge, { minLength: 1, maxLength: 5 }),
    isCancelled: fc.boolean(),
    repeats: fc.array(fc.nat(), { maxLength: 5 }),
    order: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
    /** Counted in deliveries. */
    provesAfter: fc.nat({ max: 12 }),
    /** Counted in deliveries. */
    decides: fc.option(
      fc.record({
        after: fc.nat({ max: 12 }),
        decision: fc.constantFrom('extend', 'remove'),
        endsAt: fc.constantFrom('2026-06-20T09:00:00.000Z', '2026-08-20T09:00:00.000Z', '2026-12-20T09:00:00.000Z'),
      }),
    ),
    choices: fc.infiniteStream(fc.nat()),
  })

  await fc.assert(
    fc.asyncProperty(life, async ({ charges, isCancelled, repeats, order, provesAfter, decides, choices }) => {
      const store = memoryEventStore()
      const codec = eventCodec()
      const handlers = billingHandlers({ store, codec, clock: { now: () => '2026-06-01T12:00:00.000Z' } })
      const context = (commandId: string, tenant: string | null) => {
        const actor = { kind: 'system', id: 'test' } as const
        return { commandId, actor, tenant, causationId: 'test', correlationId: 'test' }
      }
      const pick = (below: number) => (below === 0 ? 0 : (choices.next().value ?? 0) % below)

      const bodies = bodiesOf(customer, charges, isCancelled)
      const all = [...bodies, ...repeats.flatMap((at) => bodies[at % bodies.length] ?? [])]
      const shuffled = all
        .map((body, index) => ({ body, rank: order[index % order.length] ?? 0 }))
        .sort((one, other) => one.rank - other.rank)

      const deliver = async (body: string, index: number) => {
        const id = createHash('sha256').update(body).digest('hex')
        const data = { endpoint: 'approved', bytes: body.length, expiresAt: '2026-12-01T12:00:00.000Z' } as const
        const received = { ...data, body: Buffer.from(body).toString('base64') }
        await handlers.deliveries(id, { type: 'ReceiveDelivery', data: received }, context(`delivery ${index}`, null))
      }
      const prove = async () => {
        const claim = { type: 'ClaimEntitlement', data: { userId: ana } } as const
        await handlers.entitlements(buyerKeyOf(box, address), claim, context('prove', null))
      }
      const reactors = purchaseReactors({
        handlers,
        box,
        soldPlanOf: async () => ({ planName: 'Profissional', accessDays: 30 }),
        findReceived: receivedDeliveries({ store, codec }),
        erase: erasesNothing,
      })
      let decided: Decided | undefined
      const decide = async () => {
        if (!decides || decided) return
        const { decision, endsAt } = decides
        const { grants } = await handlers.subscriptions.load(ana, ana)
        const known = new Set(grants.keys())
        const [status, at] =
          decision === 'remove' ? (['expired', endsAt] as const) : (['active', '2026-06-01T12:00:00.000Z'] as const)
        const command =
          decision === 'remove'
            ? ({ type: 'RemoveAccess', data: { at } } as const)
            : ({ type: 'ExtendAccess', data: { until: endsAt, at } } as const)
        const outcome = await handlers.subscriptions(ana, command, context('decide', ana))
        if (outcome.ok && outcome.events.length > 0) decided = { endsAt, status, known }
      }
      await handlers.subscriptions(ana, { type: 'StartTrial', data: { endsAt: trialEnd } }, context('trial', ana))
      for (const [index, { body }] of shuffled.entries()) {
        if (index === provesAfter) await prove()
        if (index === decides?.after) await decide()
        await deliver(body, index)
        if (pick(3) === 0) await reactInAnyOrder(reactors, store, codec, pick)
      }
      await prove()
      await reactInAnyOrder(reactors, store, codec, pick)

      const { endsAt, grants } = await handlers.subscriptions.load(ana, ana)
      let status: string | undefined
      for await (const page of store.read(`subscription-${ana}`))
        for (const { type, data } of await codec.decode(page))
          if ('status' in data && type !== 'DeliveryReceived') status = String(data.status)
      const expected = accessAfter(charges, isCancelled, decided)
      expect(endsAt).toBe(expected.endsAt)
      if (grants.size > 0 || decided) expect(status).toBe(expected.status)
      await store.close()
    }),
    { numRuns: 150 },
  )
})
