import type { HistoryDifference } from '@prosa/contracts/http/history'
import { decodeEach } from '@prosa/kernel/consumers/engine/decode-each'
import type { Codec, Stored } from '@prosa/kernel/event-store/codec'
import type { EventStore, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { TimelineRow } from './timeline/table.ts'
import { differencesOf, type ValueFold, type Values } from './value-fold.ts'
import { valueFoldOf } from './values.ts'

export interface ReadEvent {
  event: Stored
  differences: readonly HistoryDifference[]
}

export interface Reader {
  store: EventStore
  codec: Codec
}

/** Longer streams show no changes. */
const maxFolded = 1000
/** Revisions this close are read with one query. */
const nearRevisions = 50

export const readRange = async (
  { store }: Reader,
  stream: string,
  from: number,
  to: number,
): Promise<RecordedEvent[]> => {
  const found: RecordedEvent[] = []
  for await (const page of store.read(stream, { from: BigInt(from), max: to - from + 1 })) found.push(...page)
  return found
}

export const decoded = async ({ codec }: Reader, recorded: readonly RecordedEvent[]): Promise<Stored[]> =>
  (await decodeEach(codec, recorded)).flatMap(({ outcome }) => ('event' in outcome ? outcome.event : []))

const readFolded = async (
  reader: Reader,
  stream: string,
  fold: ValueFold,
  revisions: readonly number[],
): Promise<ReadEvent[]> => {
  const wanted = new Set(revisions)
  const recorded = await readRange(reader, stream, 0, Math.max(...revisions))
  const needed = recorded.filter(({ type, revision }) => fold.types.has(type) || wanted.has(Number(revision)))
  let values: Values = new Map()
  return (await decoded(reader, needed)).map((event) => {
    const before = values
    values = fold.next(event)
    return { event, differences: differencesOf(before, values) }
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
  const fold = valueFoldOf(stream)
  if (fold && Math.max(...revisions) < maxFolded) return readFolded(reader, stream, fold, revisions)
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
