import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { accepted, event } from '../contract/samples.ts'
import { EventStoreDbDouble } from '../eventstoredb/double/event-store-db-double.ts'
import { eventStoreDbEventStore } from '../eventstoredb.ts'
import { memoryEventStore } from '../memory.ts'
import { beginning, type EventStore, type Position } from '../port.ts'
import { postgresEventStore } from '../postgres.ts'
import { logTimes, type TimeRange } from './log-times.ts'

const categories = ['timed']
const atMinute = (minute: number) => new Date(Date.parse('2026-11-01T00:00:00.000Z') + minute * 60_000).toISOString()
const never = new AbortController().signal

describe.each(['memory', 'PostgreSQL', 'EventStoreDB'])('the index of times over a log in %s', (kind) => {
  let database: TestPostgres
  let store: EventStore
  let close: () => Promise<void>
  beforeAll(async () => {
    database = await kernelDatabase()
  })
  beforeEach(async () => {
    await close?.()
    await database.pool.query('truncate log_time')
    await database.pool.query('truncate es.event')
    if (kind === 'EventStoreDB') {
      const server = await new EventStoreDbDouble().start()
      store = await eventStoreDbEventStore({ url: server.url })
      close = async () => {
        await store.close()
        server.kill()
      }
    } else {
      store = kind === 'memory' ? memoryEventStore() : await postgresEventStore({ url: database.url })
      close = () => store.close()
    }
  })
  afterAll(async () => {
    await close?.()
    await database.drop()
  })

  const write = async (minutes: readonly number[]): Promise<Position> => {
    const stream = `timed-${randomUUID()}`
    const events = minutes.map((minute) => {
      const sample = event()
      return { ...sample, metadata: { ...sample.metadata, recordedAt: atMinute(minute) } }
    })
    return accepted(await store.append(stream, 'no_stream', events)).position
  }
  /** Minutes of what lies in the stretches, and how much was passed over besides. */
  const read = async (index: ReturnType<typeof logTimes>, range: TimeRange, after = beginning) => {
    const found: { at: string; position: Position }[] = []
    for await (const stretch of index.stretches(range, after))
      for await (const { events } of index.within(stretch, { categories }))
        for (const { metadata, position } of events) found.push({ at: metadata.recordedAt, position })
    const positions = found.map(({ position }) => position)
    expect(positions).toEqual([...new Set(positions)].toSorted())
    const { since = '', until = '9' } = range
    return { wanted: found.filter(({ at }) => at >= since && at < until).map(({ at }) => at), passed: found.length }
  }

  it('finds every event of a range once, however the clocks went', async () => {
    const minutes = Array.from({ length: 300 }, (_, number) => number + (number % 7) * 3 - (number % 3) * 5)
    minutes[100] = 500_000
    minutes[200] = -400_000
    for (let from = 0; from < 300; from += 50) await write(minutes.slice(from, from + 50))
    const index = logTimes({ store, pool: database.pool }, { stretchEvents: 20 })
    for (const indexed of [false, true]) {
      if (indexed) await index.extend(never)
      for (const [from, to] of [
        [0, 10],
        [95, 130],
        [290, 400],
        [-400_001, -399_999],
        [499_999, 500_001],
        [700, 800],
      ])
        for (const range of [
          { since: atMinute(from ?? 0), until: atMinute(to ?? 0) },
          { since: atMinute(from ?? 0) },
          { until: atMinute(to ?? 0) },
          {},
        ]) {
          const { since = '', until = '9' } = range as TimeRange
          const all = minutes.map(atMinute).filter((at) => at >= since && at < until)
          expect((await read(index, range)).wanted).toEqual(all)
        }
    }
    const { passed } = await read(index, { since: atMinute(150), until: atMinute(160) })
    expect(passed).toBeLessThanOrEqual(120)
  })

  it('leads from a time to the last event that says it was recorded then or before, indexed or not', async () => {
    const index = logTimes({ store, pool: database.pool }, { stretchEvents: 20 })
    expect(await index.positionAt(atMinute(5))).toBe(beginning)
    const minutes = Array.from({ length: 90 }, (_, number) => number + (number % 7) * 3 - (number % 3) * 5)
    minutes[30] = 500_000
    minutes[70] = -400_000
    const positions: Position[] = []
    for (const minute of minutes) positions.push(await write([minute]))
    for (const indexed of [false, true]) {
      if (indexed) await index.extend(never)
      for (const minute of [-400_001, -400_000, 0, 1, 19, 20, 45.5, 89, 120, 499_999, 500_000]) {
        const last = minutes.findLastIndex((each) => each <= minute)
        expect(await index.positionAt(atMinute(minute))).toBe(positions[last] ?? beginning)
      }
    }
  })

  it('goes on after a position, where it stopped, and beside writers', async () => {
    const index = logTimes({ store, pool: database.pool }, { stretchEvents: 10 })
    await write(Array.from({ length: 25 }, (_, number) => number))
    await index.extend(never)
    const middle = await write([25, 26])
    await write(Array.from({ length: 25 }, (_, number) => number + 27))
    await Promise.all([index.extend(never), index.extend(never)])
    const range = { since: atMinute(20) }
    expect((await read(index, range)).wanted).toEqual(Array.from({ length: 32 }, (_, number) => atMinute(20 + number)))
    expect((await read(index, range, middle)).wanted).toEqual(
      Array.from({ length: 25 }, (_, number) => atMinute(27 + number)),
    )
    const { rows } = await database.pool.query('select count(*)::int as n from log_time')
    expect(rows).toEqual([{ n: 5 }])
  })
})
