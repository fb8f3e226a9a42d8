import type { HistoryDifference } from '@prosa/contracts/http/history'
import { parseStream } from '@prosa/contracts/streams'
import { decodeEach } from '@prosa/kernel/consumers/engine/decode-each'
import type { Codec, Stored } from '@prosa/kernel/event-store/codec'
import type { EventStore, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { TimelineRow } from './timeline/table.ts'
import { differencesOf, type Values, valuesAfter } from './values.ts'

export interface ReadEvent {
  event: Stored
  differences: readonly HistoryDifference[]
}

export interface Reader {
  store: EventStore
  codec: Codec
}

/** Short streams; changes show only against earlier events. */
const folded: readonly string[] = ['user', 'subscription']
/** Longer streams show no changes. */
const maxFolded = 1000
/** Revisions this close are read with one query. */
const nearRevisions = 50

const readRange = async ({ store }: Reader, stream: string, from: number, to: number): Promise<RecordedEvent[]> => {
  const found: RecordedEvent[] = []
  for await (const page of store.read(stream, { from: BigInt(from), max: to - from + 1 })) found.push(...page)
  return found
}

const decoded = async ({ codec }: Reader, recorded: readonly RecordedEvent[]): Promise<Stored[]> =>
  (await decodeEach(codec, recorded)).flatMap(({ outcome }) => ('event' in outcome ? outcome.event : []))

const readFolded = async (reader: Reader, stream: string, to: number): Promise<ReadEvent[]> => {
  let values: Values = new Map()
  return (await decoded(reader, await readRange(reader, stream, 0, to))).map((event) => {
    const differences = differencesOf(values, event)
    values = valuesAfter(values, event)
    return { event, differences }
  })
}

const rangesOf = (revisions: readonly number[]): [from: number, to: number][] => {
  const ranges: [number, number][] = []
  for (const revision of [...revisions].sort((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last && revision - last[1] <= nearRevisions) last[1] = revision
    else ranges.push([revision, revision])
  }
  return ranges
}

const readStream = async (reader: Reader, stream: string, revisions: readonly number[]): Promise<ReadEvent[]> => {
  const last = Math.max(...revisions)
  if (folded.includes(parseStream(stream).category) && last < maxFolded) return readFolded(reader, stream, last)
  const recorded: RecordedEvent[] = []
  for (const [from, to] of rangesOf(revisions)) recorded.push(...(await readRange(reader, stream, from, to)))
  return (await decoded(reader, recorded)).map((event) => ({ event, differences: [] }))
}

/** By id, without unreadable ones. */
export const readEvents = async (
  reader: Reader,
  places: readonly Pick<TimelineRow, 'stream' | 'revision'>[],
): Promise<Map<string, ReadEvent>> => {
  const revisions = new Map<string, number[]>()
  for (const { stream, revision } of places) revisions.set(stream, [...(revisions.get(stream) ?? []), revision])
  const found = new Map<string, ReadEvent>()
  for (const [stream, wanted] of revisions)
    for (const read of await readStream(reader, stream, wanted)) found.set(read.event.id, read)
  return found
}

/** Folded from its own streams. */
export const readValuesAt = async (reader: Reader, userId: string, at: string): Promise<Values> => {
  let values: Values = new Map()
  for (const stream of [`user-${userId}`, `subscription-${userId}`])
    for await (const page of reader.store.read(stream)) {
      const until = page.filter(({ metadata }) => metadata.recordedAt <= at)
      for (const event of await decoded(reader, until)) values = valuesAfter(values, event)
      if (until.length < page.length) break
    }
  return values
}
