import { randomUUID } from 'node:crypto'
import type { Actor } from '@prosa/contracts/events/metadata'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { expect, it } from 'vitest'
import { accepted, billingHandlers } from '../handlers.ts'
import type { EntitlementCommand } from '../purchases/entitlement.ts'
import type { EraseBuyer } from './erase-buyer.ts'
import { eraseOnBuyerErased } from './erase-on-buyer-erased.ts'

const destroyedAfter = async (...commands: [Actor, EntitlementCommand][]) => destroyedBy(undefined, ...commands)

const destroyedBy = async (failure: Error | undefined, ...commands: [Actor, EntitlementCommand][]) => {
  const [store, codec] = [memoryEventStore(), eventCodec()]
  const { entitlements } = billingHandlers({ store, codec, clock: { now: () => '2026-11-25T12:00:00.000Z' } })
  for (const [actor, command] of commands) {
    const id = randomUUID()
    accepted(
      await entitlements('key', command, { commandId: id, actor, tenant: null, causationId: id, correlationId: id }),
    )
  }
  const found: string[][] = []
  const erase: Pick<EraseBuyer, 'waiting'> = {
    waiting: async ({ waiting, deliveryIds }) => {
      if (failure) throw failure
      found.push([...waiting, ...deliveryIds])
    },
  }
  const { on } = eraseOnBuyerErased({ store, codec }, erase)
  for (const event of await everythingIn(store, 'entitlement'))
    if (event.type === 'BuyerErased') await on.BuyerErased?.(event)
  return found
}

const admin: Actor = { kind: 'admin', id: randomUUID() }
const system: Actor = { kind: 'system', id: 'forget-buyer-on-user-erased' }
const ana = randomUUID()
const wait = (orderId: string): [Actor, EntitlementCommand] => [system, { type: 'AwaitBuyer', data: { orderId } }]
const see = (deliveryId: string): [Actor, EntitlementCommand] => [system, { type: 'SeeDelivery', data: { deliveryId } }]
const claim: [Actor, EntitlementCommand] = [system, { type: 'ClaimEntitlement', data: { userId: ana } }]

it('destroys what waited when it was decided, and not what came for whoever proved the address afterwards', async () => {
  const erase: [Actor, EntitlementCommand] = [admin, { type: 'EraseBuyer', data: { userId: null } }]
  expect(await destroyedAfter(wait('o1'), see('d1'), erase, claim, wait('o2'), see('d2'))).toEqual([['o1', 'd1']])
})

it('leaves to others what goes with an account', async () => {
  const erase: [Actor, EntitlementCommand] = [system, { type: 'EraseBuyer', data: { userId: ana } }]
  expect(await destroyedAfter(wait('o1'), claim, erase)).toEqual([])
})

it('fails where nothing can be destroyed, so that it is tried again', async () => {
  const erase: [Actor, EntitlementCommand] = [admin, { type: 'EraseBuyer', data: { userId: null } }]
  await expect(destroyedBy(new Error('the database is away'), wait('o1'), erase)).rejects.toThrow('away')
})
