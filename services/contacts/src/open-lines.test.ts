import { randomUUID } from 'node:crypto'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import { until } from '@prosa/kernel/testing/until'
import { testPorts } from '@prosa/product/testing/test-ports'
import { expect, it } from 'vitest'
import { openLines } from './open-lines.ts'
import { hasOpenLine } from './queries.ts'

it('a table that an earlier release filled is built anew from the log, and followed', async () => {
  const ports = await testPorts()
  const stopping = new AbortController()
  try {
    await ports.pool.query(`
      create table open_line (connection_id uuid primary key, owner text not null);
      create index open_line_owner on open_line (owner);
      insert into open_line (connection_id, owner) values ('${randomUUID()}', 'who has none')`)
    const connectionId = randomUUID()
    let revision: bigint | 'no_stream' = 'no_stream'
    const record = async (tenant: string, type: 'LineOpened' | 'LineDropped', data = {}) => {
      const stream = `connection-${connectionId}`
      const metadata = {
        ...{ causationId: 'x', correlationId: 'x', tenant, recordedAt: ports.clock.now() },
        actor: { kind: 'system' as const, id: 'test' },
        schemaVersion: 1,
      }
      const event = { id: randomUUID(), type, data, metadata }
      const appended = await ports.store.append(stream, revision, [event])
      if (!appended.ok) throw new Error('conflict')
      revision = appended.revision
    }
    await record('ana', 'LineOpened')
    const kept = await keepReadModels([readModel(openLines)], ports)
    const running = kept.run(stopping.signal)
    await until(() => hasOpenLine(ports.pool, 'ana'))
    expect(await hasOpenLine(ports.pool, 'who has none')).toBe(false)
    await record('ana', 'LineDropped', { code: 500, reason: 'x' })
    await until(async () => !(await hasOpenLine(ports.pool, 'ana')))
    expect(kept.health()).toEqual({})
    stopping.abort()
    await running
  } finally {
    stopping.abort()
    await ports.close()
  }
})
