import { setMaxListeners } from 'node:events'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { testPorts } from '@prosa/product/testing/test-ports'
import { expect, it, onTestFinished } from 'vitest'
import { contactList } from './contact-list/projection.ts'
import { projections } from './projections.ts'

it('read models are written by their indexes from the first row on, over the connections for that', async () => {
  const log = testLog()
  const ports = await testPorts({ store: log.store, codec: log.codec, log: silentLog() })
  const writePool = openPool(ports.databaseUrl, { prefersIndexes: true })
  onTestFinished(() => ports.close())
  const stopping = new AbortController()
  // As the host: every read model listens.
  setMaxListeners(0, stopping.signal)
  const { run } = await projections().mount({ ...ports, writePool })
  const running = run?.(stopping.signal)
  let end = beginning
  // Statements are prepared while tables are nearly empty.
  for (let index = 0; index < 100; index++) {
    const added = { name: 'Zé', phone: null, lid: null, origin: 'message' } as const
    end = await log.append('ana', `contact-${idOf(`${index}`)}`, { type: 'ContactAdded', data: added })
    await until(async () => (await loadCheckpoint(ports.pool, contactList.name, contactList.version)) >= end)
  }
  stopping.abort()
  // PostgreSQL reports statistics when a connection ends.
  await running
  await writePool.end()
  const { rows } = await until(async () => {
    const found = await ports.pool.query(
      `select seq_tup_read::int as read, idx_scan::int > 0 as "byIndex" from pg_stat_user_tables where relname = 'contact_list'`,
    )
    return found.rows[0]?.byIndex && found
  })
  expect(rows).toEqual([{ read: 0, byIndex: true }])
})
