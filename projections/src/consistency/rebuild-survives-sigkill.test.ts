import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@prosa/kernel/clock'
import { loadCheckpoint, rebuildOf, renewalOf } from '@prosa/kernel/consumers/engine/checkpoints'
import { prepareReadModel } from '@prosa/kernel/consumers/projections/prepare-read-model'
import { followRebuildRequests } from '@prosa/kernel/consumers/projections/rebuild/rebuild-on-request'
import { findRebuildRequest, requestRebuild } from '@prosa/kernel/consumers/projections/rebuild/rebuild-queries'
import { runProjection } from '@prosa/kernel/consumers/projections/run-projection'
import { foldOfLog, storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { connections } from '../connections/projection.ts'
import { contactList } from '../contact-list/projection.ts'
import { findContacts } from '../contact-list/queries.ts'
import { labels } from '../labels/projection.ts'
import { fillLog } from '../testing/fill-log.ts'
import { isHiding, oneOfEach } from '../testing/one-of-each-event.ts'

const program = fileURLToPath(new URL('../testing/rebuild-process.ts', import.meta.url))
const rounds = shortOrLong(1, 50)
const contacts = 60
const lived = oneOfEach('M').filter((event) => !isHiding(event))

it('a rebuild goes on wherever SIGKILL hits it, and readers have all rows all the time', {
  timeout: 1_800_000,
}, async () => {
  const postgres = await kernelDatabase()
  const { pool, url: databaseUrl } = postgres
  const store = await postgresEventStore({ url: databaseUrl })
  const tenant = idOf('owner')
  const { codec } = testLog(store)
  const filling = {
    events: contacts * 50,
    tenant,
    streamOf: (contactId: string) => `contact-${contactId}`,
    eventOf: (_: string, revision: number) =>
      lived[revision % lived.length] ?? ({ type: 'ChatSeen', data: { attendantId: tenant } } as const),
  }
  await prepareReadModel(pool, labels)
  await prepareReadModel(pool, connections)
  await fillLog({ store, codec }, filling)
  let end = beginning
  for await (const { upTo } of store.readAll(beginning, contactList)) end = upTo
  const finish = async (version: number) => {
    const stopping = new AbortController()
    const deps = { store, codec, pool, databaseUrl, log: silentLog(), clock: systemClock }
    const { requests, done } = followRebuildRequests([contactList.name], deps, stopping.signal)
    const running = runProjection({ ...contactList, version }, { ...deps, requests }, stopping.signal, new Map())
    await until(async () => (await loadCheckpoint(pool, contactList.name, version)) >= end, 60_000)
    await until(async () => (await findRebuildRequest(pool, contactList.name))?.request !== 'requested', 60_000)
    stopping.abort()
    await Promise.all([running, done])
  }
  await finish(1)

  let isOver = false
  let reads = 0
  const missing: number[] = []
  const read = async () => {
    for (; !isOver; reads++) {
      const found = await findContacts(pool, { tenant, limit: 1000 })
      if (found.length !== contacts) missing.push(found.length)
    }
  }
  const reading = read()

  const standing = async (version: number, name: string): Promise<Position | undefined> => {
    const { rows } = await pool.query('select position from checkpoint where name = $1 and version = $2', [
      name,
      version,
    ])
    return rows[0]?.position
  }

  const wrong = () =>
    pool.query(`update ${contactList.table.name} set name = 'spoilt' where id in (select id from contact_list limit 5)`)
  const isRequested = async () => (await findRebuildRequest(pool, contactList.name))?.request === 'requested'
  let requests = 0
  const request = () => {
    const asked = { rebuildId: idOf(`rebuild ${++requests}`), eventId: idOf('request'), correlationId: 'request' }
    return requestRebuild(pool, contactList.name, asked, systemClock.now())
  }

  let cutShort = 0
  const killed = async (
    version: number,
    rowsInMemory: number,
    name: string,
    isUnderWay: (position: Position) => boolean,
    isOver: () => Promise<boolean>,
  ) => {
    const argv = [await builtProgram(program), databaseUrl, String(version), String(rowsInMemory)]
    const child = spawn(process.execPath, argv, { stdio: 'ignore' })
    const ended = once(child, 'exit')
    await until(async () => {
      const position = await standing(version, name)
      return (position !== undefined && isUnderWay(position)) || (await isOver())
    }, 60_000)
    await delay(Math.random() * 40)
    child.kill('SIGKILL')
    await ended
    if (!(await isOver())) cutShort++
  }
  // Once during fold or copy, once during later batches.
  const moments = [
    [1_000_000, (position: Position) => position >= beginning],
    [5, (position: Position) => position > beginning],
  ] as const
  const isAsInTheLog = async () =>
    expect(await storedRows(pool, contactList.table)).toEqual(await foldOfLog(contactList, { store, codec }, end))
  for (let version = 2; version < 2 + rounds; version++) {
    const isShown = async () => (await loadCheckpoint(pool, contactList.name, version)) !== beginning
    for (const [rowsInMemory, isUnderWay] of moments)
      await killed(version, rowsInMemory, rebuildOf(contactList.name), isUnderWay, isShown)
    await finish(version)
    await isAsInTheLog()
    await wrong()
    await request()
    const isBuilt = async () => !(await isRequested())
    for (const [rowsInMemory, isUnderWay] of moments)
      await killed(version, rowsInMemory, renewalOf(contactList.name), isUnderWay, isBuilt)
    await finish(version)
    await isAsInTheLog()
  }
  isOver = true
  await reading
  noteMeasurements('rebuild killed', {
    rounds: rounds * 4,
    'killed in the middle': cutShort,
    'read meanwhile': reads,
    'rows missing': missing.length,
  })
  expect(missing).toEqual([])
  expect(cutShort).toBeGreaterThan(0)
  await store.close()
  await postgres.drop()
})
