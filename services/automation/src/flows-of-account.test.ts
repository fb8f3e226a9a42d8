import { randomUUID } from 'node:crypto'
import { isTransient } from '@prosa/kernel/consumers/engine/failure'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { expect, it } from 'vitest'
import type { FlowGround } from './flow-ground.ts'
import { flowsOfAccount } from './flows-of-account.ts'
import { knownPlaces } from './known-places.ts'

it('an erasure waits while the read model lags: it would miss flows that were added just before', async () => {
  const owner = randomUUID()
  const readModels = { reached: async () => false } as Partial<Ports['readModels']> as Ports['readModels']
  const places = knownPlaces({ pool: {} as Ports['pool'], readModels })
  const reactor = flowsOfAccount({ places } as FlowGround)
  const metadata = {
    ...{ causationId: 'x', correlationId: 'x', owner, recordedAt: '2026-11-25T12:00:00.000Z', schemaVersion: 1 },
    actor: { kind: 'user', id: owner } as const,
  }
  const erased: StoredOf<'UserErased'> = {
    ...{ id: randomUUID(), stream: `user-${owner}`, revision: 1n, position: beginning },
    ...{ type: 'UserErased', data: {}, metadata },
  }
  const error = await reactor.on.UserErased?.(erased).catch((thrown: unknown) => thrown)
  expect(isTransient(error)).toBe(true)
})
