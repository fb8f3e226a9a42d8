import { randomUUID } from 'node:crypto'
import type { EventType } from '@prosa/contracts/events/all-events'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { defaultBudgets } from '@prosa/product/budgets'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConnectionCommand, connection } from '../../domain/connection.ts'
import { sessionHandlers } from '../../handlers.ts'
import { sessionMigrations } from '../../migrations/session-migrations.ts'
import { connectionQuota } from './connection-quota.ts'
import { countOnConnectionEvent } from './count-on-connection-event.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [sessionMigrations] })
})
afterAll(() => ports.close())

const budgets = { ...defaultBudgets, connectionsPerTenant: 5, linkingPerTenant: 3 }
const aProcess = () => connectionQuota(ports.pool, ports.clock, budgets)
const refusalOf = (error: unknown) => (error as { refusal?: string }).refusal
const slotsOf = async (tenant: string) =>
  (await ports.pool.query('select connection_id, linking_until from connection_place where owner = $1', [tenant])).rows
const linking = { ...connection.initial, status: 'linking' as const, linkingUntil: '2999-01-01T00:00:00.000Z' }

describe('the slots of a tenant', () => {
  it('are never more than its budget, however many processes reserve at once', async () => {
    const [tenant, other] = [randomUUID(), randomUUID()]
    const processes = [aProcess(), aProcess(), aProcess()]
    const reserve = (tenant: string, index: number) =>
      processes[index % 3]?.reserve(tenant, randomUUID()).then(() => 'reserved', refusalOf)
    const outcomes = await Promise.all(Array.from({ length: 150 }, (_, index) => reserve(tenant, index)))
    expect(outcomes.filter((each) => each === 'reserved')).toHaveLength(3)
    expect(new Set(outcomes)).toEqual(new Set(['reserved', 'too_many_linking']))
    expect(await reserve(other, 0)).toBe('reserved')
  })

  it('stay as the later of two updates has them, and one that was removed does not come back by an older one', async () => {
    const [tenant, connectionId] = [randomUUID(), randomUUID()]
    const quota = aProcess()
    await quota.reserve(tenant, connectionId)
    await quota.settle(connectionId, { state: linking, position: '0005' })
    await quota.save({ connectionId, tenant, linkingUntil: null, position: '0003' })
    expect(await slotsOf(tenant)).toMatchObject([{ linking_until: expect.any(Date) }])
    await quota.settle(connectionId, {
      state: { ...linking, status: 'removed', linkingUntil: null },
      position: '0006',
    })
    await quota.settle(connectionId, { state: linking, position: '0005' })
    expect(await slotsOf(tenant)).toEqual([])
  })

  it('are free again when the command was refused', async () => {
    const [tenant, connectionId] = [randomUUID(), randomUUID()]
    const quota = aProcess()
    await quota.reserve(tenant, connectionId)
    await quota.release(connectionId)
    expect(await slotsOf(tenant)).toEqual([])
  })

  it('come from the log alone where the table was lost', async () => {
    const tenant = randomUUID()
    const { connections } = sessionHandlers(ports)
    const context = () => ({
      commandId: randomUUID(),
      actor: { kind: 'user' as const, id: tenant },
      tenant,
      causationId: 'test',
      correlationId: 'test',
    })
    const until = '2999-01-01T00:00:00.000Z'
    const number = { phone: null, lid: '1', pushName: null }
    const lives: Record<string, ConnectionCommand[]> = {
      [randomUUID()]: [],
      [randomUUID()]: [{ type: 'LinkNumber', data: { generation: 0, ...number } }],
      [randomUUID()]: [{ type: 'DisconnectConnection', data: {} }],
      [randomUUID()]: [{ type: 'RemoveConnection', data: {} }],
    }
    for (const [id, commands] of Object.entries(lives))
      for (const command of [
        { type: 'AddConnection', data: { name: 'Loja', network: 'simulator', until } } as const,
        ...commands,
      ])
        await connections(id, command, context())
    const reactor = countOnConnectionEvent(aProcess())
    for (const event of await everythingIn(ports.store, 'connection'))
      await (reactor.on[event.type as EventType] as ((event: Stored) => Promise<void>) | undefined)?.(event)
    const [first, second, third] = Object.keys(lives)
    const found = new Map((await slotsOf(tenant)).map((row) => [row.connection_id, row.linking_until !== null]))
    const expected: [string | undefined, boolean][] = [
      [first, true],
      [second, false],
      [third, false],
    ]
    expect(found).toEqual(new Map(expected))
  })
})
