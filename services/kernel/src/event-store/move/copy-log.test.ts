import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../json.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { accepted, event, newCategory, newStream } from '../contract/samples.ts'
import { EventStoreDbDouble } from '../eventstoredb/double/event-store-db-double.ts'
import { eventStoreDbEventStore } from '../eventstoredb.ts'
import { memoryEventStore } from '../memory.ts'
import { beginning, type EventStore, type Position } from '../port.ts'
import { postgresEventStore } from '../postgres.ts'
import { CannotMove } from './cannot-move.ts'
import { copyLog, verifyCopy } from './copy-log.ts'
import { eventsOf, textOf } from './log-digest.ts'

const hostile: { [key: string]: Json }[] = [
  { ação: 'Olá 👩🏽‍💻 \u2028 "quoted" \\ / \t\n', z: 1, a: 2 },
  { text: 'a\u0000b\u0001\u001e\u007f', 'key\u0000': '\\u0000', half: '\ud83d' },
  {
    10: 'ten',
    9: 'nine',
    name: { 2: [], 1: [{}] },
    ['__proto__']: 1,
    big: 9007199254740991,
    tiny: 5e-324,
    minus: -1e21,
  },
  { text: 'x'.repeat(900_000) },
]

/** Interleaved streams, one long, appends of one and of many events. */
const fill = async (store: EventStore, rounds = 40): Promise<void> => {
  const category = newCategory()
  const revisions = new Map<string, bigint>()
  for (let round = 0; round < rounds; round++) {
    const stream = round % 3 === 0 ? `${category}-long` : round % 3 === 1 ? `${category}-${round % 6}` : newStream()
    const known = revisions.get(stream)
    const events = Array.from({ length: round % 5 === 0 ? 30 : 1 }, (_, index) =>
      event(hostile[round % 10 === 3 ? 3 : (round + index) % 3] ?? {}),
    )
    revisions.set(stream, accepted(await store.append(stream, known ?? 'no_stream', events)).revision)
  }
}

const textsOf = async (store: EventStore) => {
  const texts: string[] = []
  for await (const event of eventsOf(store)) texts.push(textOf(event))
  return texts
}

const verify = async (source: EventStore, target: EventStore) => {
  const positions: [Position, Position][] = []
  const onPositions = async (from: readonly Position[], to: readonly Position[]) => {
    for (const [index, position] of from.entries()) positions.push([position, to[index] ?? beginning])
  }
  const verified = await verifyCopy(source, target, {
    onEvent: () => undefined,
    onPositions,
    onStream: () => undefined,
  })
  return { verified, positions }
}

const copy = (source: EventStore, target: EventStore) => copyLog(source, target, () => undefined)

/** Stands for a process that is killed: its last append is stored, or not. */
const dyingAfter = (store: EventStore, appends: number, isStored: boolean): EventStore => {
  let left = appends
  return {
    ...store,
    async append(...args) {
      if (left-- > 0) return store.append(...args)
      if (isStored) await store.append(...args)
      throw new Error('killed')
    },
  }
}

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

describe('a copy of a log', () => {
  it('has the same events with the same bytes, in one order, from PostgreSQL to EventStoreDB and back', async () => {
    const server = await new EventStoreDbDouble().start()
    const inPostgres = await postgresEventStore({ url: database.url })
    const inEventStoreDb = await eventStoreDbEventStore({ url: server.url })
    await fill(inPostgres)
    await copy(inPostgres, inEventStoreDb)
    const { verified, positions } = await verify(inPostgres, inEventStoreDb)
    expect(verified).toMatchObject({ events: positions.length, order: expect.stringMatching(/^[\da-f]{64}$/) })
    expect(positions.map(([from]) => from)).toEqual(positions.map(([from]) => from).toSorted())
    expect(positions.map(([, to]) => to)).toEqual(positions.map(([, to]) => to).toSorted())

    const { rows } = await database.pool.query(
      'select stream, revision::text, id, type, data::text, metadata::text from es.event order by position',
    )
    const stored = server.log.all.filter(({ stream }) => !stream.startsWith('$'))
    expect(rows).toEqual(
      stored.map(({ stream, revision, id, type, data, metadata }) => ({
        stream,
        revision: String(revision),
        id,
        type,
        data: Buffer.from(data).toString(),
        metadata: Buffer.from(metadata).toString(),
      })),
    )

    await fill(inEventStoreDb)
    server.log.writeSystemEvent('$metadata')
    await copy(inEventStoreDb, inPostgres)
    expect((await verify(inEventStoreDb, inPostgres)).verified.events).toBeGreaterThan(verified.events)
    expect(await textsOf(inPostgres)).toEqual(await textsOf(inEventStoreDb))
    await inPostgres.close()
    await inEventStoreDb.close()
    server.kill()
  })

  it.each([true, false])(
    'goes on where it was killed, wherever that was (last append stored: %s)',
    async (isStored) => {
      const source = memoryEventStore()
      await fill(source, 25)
      const target = memoryEventStore()
      let kills = 0
      for (;;) {
        try {
          await copy(source, dyingAfter(target, 1, isStored))
          break
        } catch (error) {
          expect(String(error)).toMatch('killed')
          await expect(verify(source, target)).rejects.toThrow(CannotMove)
          kills++
        }
      }
      expect(kills).toBeGreaterThan(5)
      expect(await textsOf(target)).toEqual(await textsOf(source))
      await copy(source, target)
      expect((await verify(source, target)).verified.events).toBe((await textsOf(source)).length)
    },
  )

  it('is not made over another log, one that went on, or one that somebody else writes to', async () => {
    const source = memoryEventStore()
    await fill(source, 10)
    const other = memoryEventStore()
    await fill(other, 1)
    await expect(copy(source, other)).rejects.toThrow('it is no copy of this log')
    const ahead = memoryEventStore()
    await copy(source, ahead)
    await ahead.append(newStream(), 'no_stream', [event()])
    await expect(copy(source, ahead)).rejects.toThrow('which this one does not')
    await expect(verify(source, ahead)).rejects.toThrow('which its log does not')
    const shared = memoryEventStore()
    const [first] = await textsOf(source)
    const [stream] = JSON.parse(first ?? '[]')
    const disturbed = {
      ...shared,
      append: async (...args: Parameters<EventStore['append']>) => {
        await shared.append(stream, 'no_stream', [event()])
        return shared.append(...args)
      },
    }
    await expect(copy(source, disturbed)).rejects.toThrow('Somebody else writes to the other log')
  })

  it.each<[string, (read: ReturnType<typeof event>) => void]>([
    ['data', ({ data }) => Object.assign(data, { changed: true })],
    ['metadata', ({ metadata }) => Object.assign(metadata, { tenant: randomUUID() })],
    ['id', (changed) => Object.assign(changed, { id: randomUUID() })],
    ['type', (changed) => Object.assign(changed, { type: 'Other' })],
  ])('is not verified with another %s anywhere', async (_, change) => {
    const source = memoryEventStore()
    const events = [event({ a: 1 }), event({ a: 2 }), event({ a: 3 })]
    await source.append('c-1', 'no_stream', events)
    const target = memoryEventStore()
    const last = structuredClone(events[2] ?? event())
    change(last)
    await target.append('c-1', 'no_stream', [...events.slice(0, 2), last])
    await expect(verify(source, target)).rejects.toThrow('c-1@2')
  })

  it('is not verified where a stream reads otherwise than the log, as deciders would', async () => {
    const source = memoryEventStore()
    await fill(source, 10)
    const target = memoryEventStore()
    await copy(source, target)
    const broken: EventStore = {
      ...target,
      async *read(stream, options) {
        for await (const page of target.read(stream, options)) yield stream.endsWith('-long') ? page.slice(1) : page
      },
    }
    await expect(verify(source, broken)).rejects.toThrow(/The stream \S+-long of the copy has \d+ events/)
  })
})
