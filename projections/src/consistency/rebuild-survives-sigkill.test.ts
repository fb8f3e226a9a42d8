import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@prosa/kernel/clock'
import { loadCheckpoint, rebuildOf } from '@prosa/kernel/consumers/engine/checkpoints'
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
import { contactList } from '../contact-list/projection.ts'
import { findContacts } from '../contact-list/queries.ts'
import { fillLog } from '../testing/fill-log.ts'
import { happenings, isHiding } from '../testing/happenings.ts'

const program = fileURLToPath(new URL('../testing/rebuild-process.ts', import.meta.url))
const rounds = shortOrLong(1, 50)
const contacts = 60
const lived = happenings('M').filter((event) => !isHiding(event))

it('a rebuild goes on wherever SIGKILL hits it, and readers have all rows all the time', {
  timeout: 1_800_000,
}, async () => {
  const postgres = await kernelDatabase()
  const { pool, url: databaseUrl } = postgres
  const store = await postgresEventStore({ url: databaseUrl })
  const owner = idOf('owner')
  const { codec } = testLog(store)
  const filling = {
    events: contacts * 50,
    owner,
    streamOf: (contactId: string) => `contact-${contactId}`,
    eventOf: (_: string, revision: number) =>
      lived[revision % lived.length] ?? ({ type: 'ChatSeen', data: { attendantId: owner } } as const),
  }
  await fillLog({ store, codec }, filling)
  let end = beginning
  for await (const { upTo } of store.readAll(beginning, contactList)) end = upTo
  const finish = async (version: number) => {
    const stopping = new AbortController()
    const deps = { store, codec, pool, databaseUrl, log: silentLog(), clock: systemClock }
    const running = runProjection({ ...contactList, version }, deps, stopping.signal, new Map())
    await until(async () => (await loadCheckpoint(pool, contactList.name, version)) >= end, 60_000)
    stopping.abort()
    await running
  }
  await finish(1)

  let isOver = false
  let reads = 0
  const missing: number[] = []
  const read = async () => {
    for (; !isOver; reads++) {
      const found = await findContacts(pool, { owner, limit: 1000 })
      if (found.length !== contacts) missing.push(found.length)
    }
  }
  const reading = read()

  /** Where the rebuild stands; undefined while there is none, or when the new version is shown. */
  const standing = async (version: number): Promise<Position | undefined> => {
    const { rows } = await pool.query('select position from checkpoint where name = $1 and version = $2', [
      rebuildOf(contactList.name),
      version,
    ])
    return rows[0]?.position
  }
  const isShown = async (version: number) => (await loadCheckpoint(pool, contactList.name, version)) !== beginning

  let cutShort = 0
  for (let version = 2; version < 2 + rounds; version++) {
    // Once while the fold is in memory or being copied, once while what follows is written batch by batch.
    for (const [rowsInMemory, isUnderWay] of [
      [1_000_000, (position: Position) => position >= beginning],
      [5, (position: Position) => position > beginning],
    ] as const) {
      const argv = [await builtProgram(program), databaseUrl, String(version), String(rowsInMemory)]
      const child = spawn(process.execPath, argv, { stdio: 'ignore' })
      const ended = once(child, 'exit')
      await until(async () => {
        const position = await standing(version)
        return (position !== undefined && isUnderWay(position)) || (await isShown(version))
      }, 60_000)
      await delay(Math.random() * 40)
      child.kill('SIGKILL')
      await ended
      if (!(await isShown(version))) cutShort++
    }
    await finish(version)
    expect(await storedRows(pool, contactList.table)).toEqual(await foldOfLog(contactList, { store, codec }, end))
  }
  isOver = true
  await reading
  noteMeasurements('rebuild killed', {
    rounds: rounds * 2,
    'killed in the middle': cutShort,
    'read meanwhile': reads,
    'rows missing': missing.length,
  })
  expect(missing).toEqual([])
  expect(cutShort).toBeGreaterThan(0)
  await store.close()
  await postgres.drop()
})
