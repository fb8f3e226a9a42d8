import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { eventCodec, type StoredOf } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { derivedBoxKeys, secretBox } from '@prosa/kernel/privacy/secret-box'
import { expect, it } from 'vitest'
import { buyerKeyOf } from '../buyers/buyer-key.ts'
import { erasesNothing } from '../buyers/erase-buyer.ts'
import { billingHandlers } from '../handlers.ts'
import { claimOnEmailConfirmed } from './claim-on-email-confirmed.ts'

const [address, elsewhere] = ['a@example.org', 'b@example.org']
const [former, present] = ['0b7c8a7e-59b4-4a39-8d0a-6f2f5b0f8d11', '4d7ff6a3-7a52-4f7e-9d1b-1b7a3f0c9e22']

const registered = (email: string): AnyEvent => ({
  type: 'UserRegistered',
  data: { firstName: 'Ana', lastName: 'Lima', email, credentialId: randomUUID() },
})
const confirmed: AnyEvent = { type: 'EmailConfirmed', data: {} }
const moved = (formerEmail: string, email: string): AnyEvent => ({
  type: 'EmailChanged',
  data: { email, changeId: randomUUID(), formerEmail, formerChangeId: null },
})

/** The accounts had the address in turn; `order` is the handling order. */
const holderAfter = async (order: readonly [string, string], ofFormer: readonly AnyEvent[]) => {
  const [store, codec] = [memoryEventStore(), eventCodec()]
  const box = secretBox(derivedBoxKeys(Buffer.alloc(32, 7)))
  const handlers = billingHandlers({ store, codec, clock: { now: () => '2026-06-01T12:00:00.000Z' } })
  const reactor = claimOnEmailConfirmed({ store, codec, box }, handlers, erasesNothing)
  const histories = new Map([
    [former, ofFormer],
    [present, [registered(address), confirmed]],
  ])
  for (const [id, events] of histories) {
    const metadata = {
      causationId: id,
      correlationId: id,
      actor: { kind: 'user', id },
      tenant: id,
      recordedAt: '2026-06-01T12:00:00.000Z',
    } as const
    const stored = events.map((event) => ({ id: randomUUID(), stream: `user-${id}`, event, metadata }))
    await store.append(`user-${id}`, 'no_stream', await codec.encode(stored))
  }
  for (const id of order)
    for await (const page of store.read(`user-${id}`))
      for (const event of await codec.decode(page)) {
        if (event.type === 'EmailConfirmed') await reactor.on.EmailConfirmed?.(event as StoredOf<'EmailConfirmed'>)
        if (event.type === 'EmailChanged') await reactor.on.EmailChanged?.(event as StoredOf<'EmailChanged'>)
      }
  return (await handlers.entitlements.load(buyerKeyOf(box, address), null)).userId
}

it('an address is whose it is now, also where what its former account did is handled after that, as when it had stopped', async () => {
  const left = [registered(address), confirmed, moved(address, elsewhere)]
  expect(await holderAfter([former, present], left)).toBe(present)
  expect(await holderAfter([present, former], left)).toBe(present)
})

it('an account that comes back to an address has it once it has confirmed it anew', async () => {
  const back = [registered(address), confirmed, moved(address, elsewhere), moved(elsewhere, address)]
  expect(await holderAfter([present, former], back)).toBe(present)
  expect(await holderAfter([present, former], [...back, confirmed])).toBe(former)
})
