import { randomBytes } from 'node:crypto'
import { silentLog } from '@prosa/kernel/observability/log'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const secret = randomBytes(32)
let database: TestPostgres
beforeAll(async () => {
  database = await testPostgres()
})
afterAll(() => database.drop())

describe('the connections of a process', () => {
  it('plan as PostgreSQL does by itself, but for those that write by key', async () => {
    const ports = await openPorts({
      databaseUrl: database.url,
      masterSecret: secret,
      log: silentLog(),
      readSide,
      services: [],
    })
    const setting = async (pool: Pool) => (await pool.query('show enable_seqscan')).rows[0]?.enable_seqscan
    expect([await setting(ports.pool), await setting(ports.writePool)]).toEqual(['on', 'off'])
    await ports.store.close()
    await ports.close()
  })

  it('are reported as lost while it works, and not when the database stops after they were closed', async () => {
    const log = silentLog()
    const warn = vi.spyOn(log, 'warn')
    const ports = await openPorts({ databaseUrl: database.url, masterSecret: secret, log, readSide, services: [] })
    await ports.pool.query('select 1')
    await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'prosa' and datname = current_database() and pid <> pg_backend_pid()`)
    await until(() =>
      warn.mock.calls.some(([, sentence]) => sentence === 'database connection lost, will be opened again'),
    )
    await ports.store.close()
    await ports.close()
    warn.mockClear()
    ports.pool.emit('error', new Error('terminating connection due to administrator command'), undefined as never)
    expect(warn).not.toHaveBeenCalled()
  })
})
