import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { beginning } from '../../event-store/port.ts'
import { silentLog } from '../../observability/log.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { loseListeners } from '../../testing/lose-listeners.ts'
import { until } from '../../testing/until.ts'
import { loadCheckpoint } from '../engine/checkpoints.ts'
import type { ConsumerStatuses } from '../engine/consumer-status.ts'
import { idOf, type TestLog, testLog } from '../testing/test-log.ts'
import type { Projection } from './projection.ts'
import { type ReadModelGate, readModelGate } from './read-model-gate.ts'
import { runProjection } from './run-projection.ts'
import { type WantedPositions, wantedPositions } from './wanted-positions.ts'

const projection: Projection<{ id: string; name: string }> = {
  name: 'names',
  version: 1,
  categories: ['contact'],
  table: { name: 'names', key: 'id', columns: { id: 'text collate "C"', name: 'text not null' } },
  on: {
    ContactNamed: { key: ({ stream }) => stream, row: (_, { stream, data }) => ({ id: stream, name: data.name }) },
  },
}
const named: AnyEvent = { type: 'ContactNamed', data: { name: 'Ana' } }
const irrelevant: AnyEvent = { type: 'ConversationResolved', data: { attendantId: idOf('ana') } }
const anHour = 3_600_000

describe('a checkpoint over events that do not concern the read model', () => {
  let database: TestPostgres
  let log: TestLog
  let stopping: AbortController
  let statuses: ConsumerStatuses
  let gate: ReadModelGate
  let wanted: WantedPositions
  let running: Promise<void>
  const troubles: unknown[] = []
  const append = (event: AnyEvent) => log.append('tenant', `contact-${idOf('contact')}`, event)
  const stored = () => loadCheckpoint(database.pool, projection.name, projection.version)
  const isRead = (position: string) => until(() => (statuses.get(projection.name)?.handedOut ?? '') >= position)

  beforeEach(async () => {
    database = await kernelDatabase()
    log = testLog()
    stopping = new AbortController()
    statuses = new Map()
    gate = readModelGate(database.pool, database.url, stopping.signal, (error) => troubles.push(error))
    wanted = wantedPositions(database.url, stopping.signal, anHour)
    await until(() => wanted.passingMs(projection.name) === anHour)
    const { pool, url: databaseUrl } = database
    const deps = { ...log, pool, databaseUrl, log: silentLog(), clock: systemClock, wanted }
    running = runProjection(projection, deps, stopping.signal, statuses)
    const position = await append(named)
    await until(async () => (await stored()) === position)
  })
  afterEach(async () => {
    stopping.abort()
    await running
    await database.drop()
    expect(troubles).toEqual([])
  })

  it('stays while nobody waits', async () => {
    const before = await stored()
    for (let index = 0; index < 20; index++) await isRead(await append(irrelevant))
    expect(await stored()).toBe(before)
    expect(before).not.toBe(beginning)
  })

  it('moves when a reader waits for it, and for those after it at once', async () => {
    const position = await append(irrelevant)
    await isRead(position)
    expect(await gate.reached([projection.name], position, 10_000)).toBe(true)
    const next = await append(irrelevant)
    await until(async () => (await stored()) === next)
  })

  it('moves for a reader who waits before the event was read', async () => {
    const [first] = [await append(irrelevant), await append(irrelevant)]
    const following = log.append('tenant', `contact-${idOf('another')}`, irrelevant)
    const reached = await Promise.all([first, await following].map((each) => gate.reached(['names'], each, 10_000)))
    expect(reached).toEqual([true, true])
  })

  it('moves soon while requests may be missed', async () => {
    const position = await append(irrelevant)
    await isRead(position)
    const allow = await loseListeners(database)
    try {
      await until(async () => (await stored()) >= position)
    } finally {
      await allow()
    }
  })

  it('moves together with what concerns the read model', async () => {
    await append(irrelevant)
    const position = await append(named)
    await until(async () => (await stored()) === position)
  })

  it('stays when a reader waits for another read model', async () => {
    const before = await stored()
    const position = await append(irrelevant)
    await isRead(position)
    expect(await gate.reached(['another'], position, 300)).toBe(false)
    expect(await stored()).toBe(before)
  })
})
