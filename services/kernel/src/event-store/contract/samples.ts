import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import type { Json } from '../../json.ts'
import type { AppendResult, EventStore, NewEvent, Position, RecordedEvent } from '../port.ts'

export const newCategory = () => `c${randomUUID().replaceAll('-', '')}`
export const newStream = (category = newCategory()) => `${category}-${randomUUID()}`
export const category = (stream: string) => stream.slice(0, stream.indexOf('-'))

export const event = (data: { [key: string]: Json } = {}): NewEvent => ({
  id: randomUUID(),
  type: 'SomethingHappened',
  data,
  metadata: {
    causationId: 'a cause',
    correlationId: 'a request',
    actor: { kind: 'system', id: 'contract' },
    tenant: null,
    schemaVersion: 1,
    recordedAt: '2026-11-21T12:00:00.000Z',
  },
})

export const accepted = (result: AppendResult) => {
  if (!result.ok) throw new Error(`the append met a conflict: the stream stands at ${result.actual}`)
  return result
}

export const readStream = async (store: EventStore, stream: string, from?: bigint) => {
  const events: RecordedEvent[] = []
  for await (const page of store.read(stream, from === undefined ? {} : { from })) events.push(...page)
  return events
}

export const idsOf = async (store: EventStore, stream: string) => (await readStream(store, stream)).map(({ id }) => id)

/** Some adapters parse JSON only when a property is read. */
const plain = ({ id, type, data, metadata, stream, revision, position }: RecordedEvent): RecordedEvent => ({
  id,
  type,
  data,
  metadata,
  stream,
  revision,
  position,
})

export const readLog = async (store: EventStore, after: Position, categories: string[]) => {
  const events: RecordedEvent[] = []
  for await (const batch of store.readAll(after, { categories })) events.push(...batch.events.map(plain))
  return events
}

export const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 30_000, interval: 1 })

/** Median milliseconds; the safety poll alone gives about 500. */
export const medianDelay = async (writer: EventStore, stream: string, seen: () => RecordedEvent[]): Promise<number> => {
  const delays: number[] = []
  for (let count = 0; count < 9; count++) {
    const began = performance.now()
    accepted(await writer.append(stream, count === 0 ? 'no_stream' : BigInt(count - 1), [event()]))
    await until(() => seen().length === count + 1)
    delays.push(performance.now() - began)
  }
  return delays.toSorted((a, b) => a - b)[4] ?? Number.NaN
}
