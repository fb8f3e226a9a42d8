import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@prosa/kernel/clock'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { runProjection } from '@prosa/kernel/consumers/projections/run-projection'
import { foldOfLog, storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { until } from '@prosa/kernel/testing/until'
import { expect, it, onTestFinished } from 'vitest'
import { contactList } from '../contact-list/projection.ts'
import { fillLog } from '../testing/fill-log.ts'
import { isHiding, oneOfEach } from '../testing/one-of-each-event.ts'

const program = fileURLToPath(new URL('../testing/rebuild-process.ts', import.meta.url))
const silenceMs = 1500
const lived = oneOfEach('M').filter((event) => !isHiding(event))

it('a process that stands still in the middle of a rebuild is relieved, and spoils nothing when it goes on', {
  timeout: 120_000,
}, async () => {
  const postgres = await kernelDatabase()
  const { pool, url: databaseUrl } = postgres
  const store = await postgresEventStore({ url: databaseUrl })
  const { codec, append } = testLog(store)
  const tenant = idOf('owner')
  const streamOf = (contactId: string) => `contact-${contactId}`
  const eventOf = (_: string, revision: number) =>
    lived[revision % lived.length] ?? ({ type: 'ChatSeen', data: { attendantId: tenant } } as const)
  await fillLog({ store, codec }, { events: 6000, tenant, streamOf, eventOf })
  let end = beginning
  for await (const { upTo } of store.readAll(beginning, contactList)) end = upTo

  const stopping = new AbortController()
  const run = (version: number, signal: AbortSignal) => {
    const deps = { store, codec, pool, databaseUrl, log: silentLog(), clock: systemClock, silenceMs }
    return runProjection({ ...contactList, version }, deps, signal, new Map())
  }
  const isShown = async (version: number) => (await loadCheckpoint(pool, contactList.name, version)) >= end
  const before = new AbortController()
  const first = run(1, before.signal)
  await until(() => isShown(1))
  before.abort()
  await first

  let next: Promise<void> | undefined
  const argv = [await builtProgram(program), databaseUrl, '2', '1000000', String(silenceMs)]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    stopping.abort()
    child.kill('SIGKILL')
    await Promise.all([ended, next])
    await store.close()
    await postgres.drop()
  })
  const copying = async () => {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy rebuild.%'`,
    )
    return rows[0]?.pid
  }
  await until(copying)
  child.kill('SIGSTOP')
  expect(await copying()).toBeDefined()

  next = run(2, stopping.signal)
  await until(() => isShown(2))
  expect(await storedRows(pool, contactList.table)).toEqual(await foldOfLog(contactList, { store, codec }, end))
  child.kill('SIGCONT')
  stopping.abort()
  await next
  const [added] = lived
  if (added) end = await append(tenant, streamOf(idOf('somebody new')), added)
  await until(() => isShown(2))
  expect(await storedRows(pool, contactList.table)).toEqual(await foldOfLog(contactList, { store, codec }, end))
})
