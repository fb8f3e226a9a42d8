import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type AnyEvent, allEvents } from '@prosa/contracts/events/all-events'
import { userSubject } from '@prosa/contracts/events/subjects'
import { schemaVersions } from '@prosa/contracts/events/versions'
import { erasedText } from '@prosa/contracts/values/personal'
import { describe, expect, it } from 'vitest'
import { personalEncryption } from '../../privacy/personal-encryption.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import { memorySubjectKeys } from '../../testing/memory-subject-keys.ts'
import { type Codec, eventCodec, type Identified, UndecodableEvent } from '../codec.ts'
import { beginning, type EventStore, type NewEvent, type Position, type RecordedEvent } from '../port.ts'
import { accepted, category, newCategory, newStream } from './samples.ts'
import type { UnderTest } from './under-test.ts'

const folder = new URL('../../../../../contracts/src/events/golden/', import.meta.url)
const golden = readdirSync(folder)
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as AnyEvent & { schemaVersion: number })
  .filter(({ type, schemaVersion }) => schemaVersion === (schemaVersions[type] ?? 1))

const tenant = randomUUID()
const admin = randomUUID()
const reason = 'Pediu por telefone: "ação" \\ 👩🏽‍💻\nAté já'

/** An erasure's reason is under the key of the account that gave it. */
const identified = (ofCategory: string): Identified[] =>
  golden.map(({ type, data }) => ({
    id: randomUUID(),
    stream: newStream(ofCategory),
    event: { type, data: allEvents[type].parse(data) } as AnyEvent,
    metadata: {
      causationId: 'a cause',
      correlationId: 'a request',
      actor: { kind: 'admin', id: admin },
      tenant,
      reason,
      recordedAt: '2026-11-21T12:00:00.000Z',
    },
  }))

const withKeys = () => {
  const keys = memorySubjectKeys()
  const box = secretBox(randomBytes(32))
  const codec = () => eventCodec({ personal: personalEncryption(keys, box) })
  return { keys, codec }
}

interface Way {
  name: string
  read(under: UnderTest, streams: readonly string[], append: () => Promise<unknown>): Promise<RecordedEvent[]>
}

const afterwards =
  (read: (under: UnderTest, streams: readonly string[]) => AsyncIterable<RecordedEvent[]>): Way['read'] =>
  async (under, streams, append) => {
    await append()
    const events: RecordedEvent[] = []
    for await (const page of read(under, streams)) events.push(...page)
    return events
  }

async function* follow(
  under: UnderTest,
  streams: readonly string[],
  onLive: () => void,
): AsyncGenerator<RecordedEvent[]> {
  const stopping = new AbortController()
  let left = streams.length
  for await (const { events, live } of under.store.subscribe(
    beginning,
    { categories: [category(streams[0] ?? '')] },
    stopping.signal,
  )) {
    if (live) onLive()
    yield events
    left -= events.length
    if (left === 0) return stopping.abort()
  }
}

const endOf = async (store: EventStore, streams: readonly string[]): Promise<Position> => {
  let end = beginning
  for (const stream of streams)
    for await (const page of store.read(stream)) for (const { position } of page) if (position > end) end = position
  return end
}

const ways: Way[] = [
  {
    name: 'read',
    read: afterwards(async function* ({ store }, streams) {
      for (const stream of streams) yield* store.read(stream)
    }),
  },
  {
    name: 'readMany',
    read: afterwards(async function* ({ store }, streams) {
      const upTo = await endOf(store, streams)
      yield* store.readMany(
        streams.map((stream) => ({ stream, from: 0n })),
        upTo,
      )
    }),
  },
  {
    name: 'readBack',
    read: afterwards(async function* ({ store }, streams) {
      for (const stream of streams) yield* store.readBack(stream)
    }),
  },
  {
    name: 'readAll',
    read: afterwards(async function* ({ store }, [first = '']) {
      for await (const { events } of store.readAll(beginning, { categories: [category(first)] })) yield events
    }),
  },
  { name: 'subscribe, catching up', read: afterwards((under, streams) => follow(under, streams, () => undefined)) },
  {
    name: 'subscribe, live',
    read: async (under, streams, append) => {
      const events: RecordedEvent[] = []
      let appending: Promise<unknown> | undefined
      for await (const page of follow(under, streams, () => {
        appending ??= append()
      }))
        events.push(...page)
      await appending
      return events
    },
  },
]

/** Two code paths. */
const decodedBoth = async (codec: () => Codec, events: readonly RecordedEvent[]) => {
  const whole = await codec().decode(events)
  const single = codec()
  const each = []
  for (const event of events) each.push(...(await single.decode([event])))
  expect(each).toEqual(whole)
  return whole
}

export const decodeContract = (under: UnderTest): void => {
  describe.each(ways)('what $name gives', ({ read }) => {
    const stored = async (spoil: (events: NewEvent[]) => void = () => undefined) => {
      const { keys, codec } = withKeys()
      const given = identified(newCategory())
      const encoded = await codec().encode(given)
      spoil(encoded)
      const append = async () => {
        for (const [index, event] of encoded.entries())
          accepted(await under.store.append(given[index]?.stream ?? '', 'no_stream', [event]))
      }
      const events = await read(
        under,
        given.map(({ stream }) => stream),
        append,
      )
      return { keys, codec, given, encoded, events }
    }

    it('is decoded as it was encoded, with its reason, of every type', async () => {
      const { codec, given, encoded, events } = await stored()
      expect(JSON.stringify(encoded)).not.toContain('Pediu')
      const decoded = await decodedBoth(codec, events)
      expect(decoded.map(({ position, ...event }) => ({ ...event, position: typeof position }))).toEqual(
        given.map(({ id, stream, event, metadata }) => ({
          id,
          stream,
          ...event,
          metadata: { ...metadata, schemaVersion: schemaVersions[event.type] ?? 1 },
          revision: 0n,
          position: 'string',
        })),
      )
    })

    it('shows a reason as erased once its subject’s key is gone, and that of an erasure to who gave it', async () => {
      const { keys, codec, events } = await stored()
      await keys.erase([userSubject(tenant)])
      for (const { type, metadata } of await decodedBoth(codec, events))
        expect([type, metadata.reason]).toEqual([type, type === 'UserErased' ? reason : erasedText])
    })

    it('is refused by name and position where its reason was changed', async () => {
      const { codec, events } = await stored(([first, second]) => {
        if (first && second) second.metadata = { ...second.metadata, reason: first.metadata.reason }
      })
      const [, tampered, ...others] = events
      if (!tampered) throw new Error('two were stored')
      const { type, stream, position } = tampered
      const refused = codec().decode([tampered])
      await expect(refused).rejects.toThrow(UndecodableEvent)
      for (const part of [type, stream, position]) await expect(refused).rejects.toThrow(part)
      await expect(codec().decode(events)).rejects.toThrow(position)
      expect((await codec().decode(others)).every(({ metadata }) => metadata.reason === reason)).toBe(true)
    })

    it('is refused by name and position where the key of its reason is lost', async () => {
      const { keys, codec, events } = await stored()
      keys.lose()
      for (const event of events.slice(0, 3)) {
        const refused = codec().decode([event])
        await expect(refused).rejects.toThrow(UndecodableEvent)
        for (const part of [event.type, event.position, 'restore the table subject_key'])
          await expect(refused).rejects.toThrow(part)
      }
    })
  })
}
