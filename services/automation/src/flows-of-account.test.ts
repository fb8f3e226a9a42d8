import { randomUUID } from 'node:crypto'
import { isTransient } from '@prosa/kernel/consumers/engine/failure'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { expect, it } from 'vitest'
import type { FlowDeps } from './flow-deps.ts'
import { flowsOfAccount } from './flows-of-account.ts'
import { knownFlows } from './known-flows.ts'

it('an erasure waits while the read model lags: it would miss flows that were added just before', async () => {
  const tenant = randomUUID()
  const readModels = { reached: async () => false } as Partial<Ports['readModels']> as Ports['readModels']
  const known = knownFlows({ pool: {} as Ports['pool'], readModels })
  const reactor = flowsOfAccount({ knownFlows: known } as FlowDeps)
  const metadata = {
    ...{ causationId: 'x', correlationId: 'x', tenant, recordedAt: '2026-11-25T12:00:00.000Z', schemaVersion: 1 },
    actor: { kind: 'user', id: tenant } as const,
  }
  const erased: StoredOf<'UserErased'> = {
    ...{ id: randomUUID(), stream: `user-${tenant}`, revision: 1n, position: beginning },
    ...{ type: 'UserErased', data: {}, metadata },
  }
  const error = await reactor.on.UserErased?.(erased).catch((thrown: unknown) => thrown)
  expect(isTransient(error)).toBe(true)
})
