import { randomUUID } from 'node:crypto'
import { systemClock } from '@prosa/kernel/clock'
import { isRunning, newStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { silentLog } from '@prosa/kernel/observability/log'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { appendRaw } from '@prosa/kernel/testing/running-reactor'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { followConnections } from './follow-connections.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

describe('a process that follows the connections', () => {
  it('is shown a change that it could not handle again, though another process has handled it', async () => {
    const { pool, url: databaseUrl } = database
    const store = memoryEventStore()
    const aProcess = (onChanged: (connectionIds: readonly string[]) => Promise<void>) => {
      const stopping = new AbortController()
      const deps = { store, clock: systemClock, log: silentLog(), pool, databaseUrl }
      const status = newStatus()
      const running = followConnections(deps, onChanged, status, stopping.signal)
      onTestFinished(async () => {
        stopping.abort()
        await running
      })
      return () => isRunning(status)
    }
    const connections = Array.from({ length: 3 }, () => randomUUID())
    const [first = '', second = '', third = ''] = connections
    const add = (id: string) =>
      appendRaw(store, `connection-${id}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
    const checkpoint = async () => (await pool.query('select position from checkpoint')).rows[0]?.position
    const [ofOne, ofOther] = [new Set<string>(), new Set<string>()]
    let isWaiting = false
    let hasFailed = false
    const isOneFollowing = aProcess(async (ids) => {
      if (ids.includes(second) && !hasFailed) {
        const before = await checkpoint()
        isWaiting = true
        await until(async () => (await checkpoint()) !== before)
        hasFailed = true
        throw new Error('timeout exceeded when trying to connect')
      }
      for (const id of ids) ofOne.add(id)
    })
    const isOtherFollowing = aProcess(async (ids) => {
      if (ids.includes(second)) await until(() => isWaiting)
      for (const id of ids) ofOther.add(id)
    })
    // Who begins later begins where the other has got to.
    await until(() => isOneFollowing() && isOtherFollowing())
    await add(first)
    await until(async () => ofOne.has(first) && ofOther.has(first) && (await checkpoint()) !== undefined)
    await add(second)
    await until(() => hasFailed && ofOther.has(second))
    await add(third)
    await until(() => ofOne.has(third))
    expect([...ofOne]).toEqual(connections)
  })
})
