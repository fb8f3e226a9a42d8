import { randomUUID } from 'node:crypto'
import type { Subject } from '@prosa/contracts/events/subjects'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import type { OrderReported } from '@prosa/product/access/order-plan'
import { describe, expect, it } from 'vitest'
import { accepted, billingHandlers } from '../handlers.ts'
import { eraseBuyer } from './erase-buyer.ts'

const at = '2026-06-08T14:53:00.000Z'
const user = randomUUID()
const context = () => {
  const id = randomUUID()
  return {
    commandId: id,
    actor: { kind: 'system', id: 'test' } as const,
    tenant: null,
    causationId: id,
    correlationId: id,
  }
}

const world = (failsAt: (subject: Subject) => boolean = () => false) => {
  const handlers = billingHandlers({ store: memoryEventStore(), codec: eventCodec(), clock: { now: () => at } })
  const destroyed = new Set<Subject>()
  const erase = eraseBuyer(handlers, {
    async erase(subjects) {
      if (subjects.some(failsAt)) throw new Error('Connection terminated unexpectedly')
      for (const subject of subjects) destroyed.add(subject)
      return subjects.length
    },
  })
  const report = async (orderId: string, deliveryId: string) => {
    const data: OrderReported = {
      ...{ deliveryId, kind: 'order_approved', orderRef: null, subscriptionId: null, productId: null },
      ...{ productName: null, amountCents: 9700, paymentMethod: null, occurredAt: at, accessUntil: null },
      ...{ accessDays: 30, token: null, buyerKey: 'key', buyerName: 'Ana', buyerEmail: null, buyerDocument: null },
    }
    accepted(await handlers.orders(orderId, { type: 'ReportOrder', data }, context()))
    accepted(await handlers.entitlements('key', { type: 'AwaitBuyer', data: { orderId } }, context()))
  }
  const found = async () => {
    await report('o1', 'd1')
    await report('o1', 'd2')
    await report('o2', 'd3')
    accepted(await handlers.entitlements('key', { type: 'SeeDelivery', data: { deliveryId: 'd4' } }, context()))
    return handlers.entitlements.load('key', null)
  }
  return { handlers, destroyed, erase, found }
}

describe('an erasure of what waits under an address', () => {
  it('destroys the keys of each order, of its deliveries and of those without an order', async () => {
    const { erase, found, destroyed } = world()
    await erase.waiting(await found(), context())
    expect([...destroyed].sort()).toEqual([
      'delivery:d1',
      'delivery:d2',
      'delivery:d3',
      'delivery:d4',
      'order:o1',
      'order:o2',
    ])
  })

  it('leaves what was assigned meanwhile', async () => {
    const { handlers, erase, found, destroyed } = world()
    const waiting = await found()
    accepted(await handlers.orders('o1', { type: 'AssignOrder', data: { userId: user, by: 'token' } }, context()))
    await erase.waiting(waiting, context())
    expect([...destroyed].sort()).toEqual(['delivery:d3', 'delivery:d4', 'order:o2'])
    expect((await handlers.orders.load('o1', null)).isBuyerErased).toBe(false)
  })

  it.each(['delivery:d2', 'delivery:d4', 'order:o2'])(
    'fails where the key of %s cannot be destroyed, and can be repeated',
    async (subject) => {
      let isAway = true
      const { erase, found, destroyed } = world((each) => isAway && each === subject)
      const waiting = await found()
      await expect(erase.waiting(waiting, context())).rejects.toThrow('terminated')
      isAway = false
      await erase.waiting(waiting, context())
      expect(destroyed.size).toBe(6)
    },
  )
})

describe('an erasure of the address of an account', () => {
  it('destroys what waits under it, and nothing where the address is another’s', async () => {
    const { handlers, erase, found, destroyed } = world()
    await found()
    await erase.address('key', user, context())
    expect(destroyed.size).toBe(0)
    accepted(await handlers.entitlements('key', { type: 'ClaimEntitlement', data: { userId: user } }, context()))
    await erase.address('key', user, context())
    expect(destroyed.size).toBe(6)
  })

  it('fails where a key cannot be destroyed', async () => {
    const { handlers, erase, found } = world((each) => each === 'order:o1')
    await found()
    accepted(await handlers.entitlements('key', { type: 'ClaimEntitlement', data: { userId: user } }, context()))
    await expect(erase.address('key', user, context())).rejects.toThrow('terminated')
  })
})

it('an erasure of one delivery fails where its key cannot be destroyed', async () => {
  const { erase, destroyed } = world((each) => each === 'delivery:d1')
  await expect(erase.delivery('d1')).rejects.toThrow('terminated')
  await erase.delivery('d2')
  expect([...destroyed]).toEqual(['delivery:d2'])
})
