import { randomUUID } from 'node:crypto'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConnectionHandler, sessionHandlers } from '../handlers.ts'
import { type ConnectionNames, connectionNames } from './names/connection-names.ts'
import { removeOnUserErased } from './remove-on-user-erased.ts'

let ports: TestPorts
let connections: ConnectionHandler
let names: ConnectionNames
let following: Promise<void>
const stopping = new AbortController()
beforeAll(async () => {
  ports = await testPorts()
  names = connectionNames(ports)
  const readAll = () => expect.fail('the whole log was read')
  connections = sessionHandlers({ ...ports, store: { ...ports.store, readAll } }).connections
  following = (await keepReadModels([readModel(names.projection)], ports)).run(stopping.signal)
})
afterAll(async () => {
  stopping.abort()
  await following
  await ports.close()
})

const by = (tenant: string) => ({
  commandId: randomUUID(),
  actor: { kind: 'user', id: tenant } as const,
  tenant,
  causationId: 'test',
  correlationId: randomUUID(),
})

const tenantWith = async (count: number) => {
  const tenant = randomUUID()
  for (let number = 0; number < count; number++) {
    const data = { name: `Loja ${number}`, network: 'simulator', until: '2026-12-01T00:00:00.000Z' } as const
    await connections(randomUUID(), { type: 'AddConnection', data }, by(tenant))
  }
  return tenant
}

const erased = async (tenant: string): Promise<Stored> => {
  const { commandId: _, ...about } = by(tenant)
  const metadata = { ...about, recordedAt: ports.clock.now() }
  const stream = `user-${tenant}`
  const event = { type: 'UserErased', data: {} } as const
  const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
  await ports.store.append(stream, 'no_stream', encoded)
  const [stored] = (await everythingIn(ports.store, 'user')).filter((each) => each.stream === stream)
  if (!stored) throw new Error('the erasure was not stored')
  return stored
}

const react = (event: Stored, over = connections, ofTenant = names.ofTenant) =>
  (removeOnUserErased({ ofTenant }, over).on.UserErased as (event: Stored) => Promise<void>)(event)

const removedOf = async (tenant: string) =>
  (await everythingIn(ports.store, 'connection')).filter(
    ({ type, metadata }) => type === 'ConnectionRemoved' && metadata.tenant === tenant,
  ).length

describe('the connections of an erased account', () => {
  it('are all removed once, also after a crash in the middle and when repeated, and nobody else’s', async () => {
    const [tenant, other] = [await tenantWith(3), await tenantWith(1)]
    const event = await erased(tenant)
    let left = 1
    const give = async (...given: Parameters<ConnectionHandler>) => {
      if (left-- === 0) throw new Error('killed')
      return connections(...given)
    }
    const killed: ConnectionHandler = Object.assign(give, connections)
    await expect(react(event, killed)).rejects.toThrow('killed')
    expect(await removedOf(tenant)).toBe(1)
    for (let time = 0; time < 2; time++) await react(event)
    expect([await removedOf(tenant), await removedOf(other)]).toEqual([3, 0])
  })

  it('are not removed before all of them are known', async () => {
    const tenant = await tenantWith(1)
    const event = await erased(tenant)
    const lagging = { ...ports.readModels, reached: async () => false }
    const parked = { ...ports.readModels, isParked: () => true }
    for (const readModels of [lagging, parked])
      await expect(react(event, connections, connectionNames({ ...ports, readModels }).ofTenant)).rejects.toThrow(
        StoreUnavailable,
      )
    expect(await removedOf(tenant)).toBe(0)
  })
})
