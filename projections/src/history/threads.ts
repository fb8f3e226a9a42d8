import type { HistoryEntry, HistoryThread } from '@prosa/contracts/http/history'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Pool } from 'pg'
import { mentionsOf } from './mentions.ts'
import { type KnownNames, knownNames } from './names.ts'
import { countPlaces, findTimeline, findTimelineOfEvents } from './queries.ts'
import { type ReadEvent, type Reader, readEvents } from './read-events.ts'
import type { Sentence } from './sentences/sentence.ts'
import { sentenceOf } from './sentences/sentence-of.ts'
import { quoted } from './sentences/words.ts'
import type { TimelineRow } from './timeline/table.ts'

/** Until 2026-11-25 rebuilds failed on events with reasons, parked the account and resumed; the log lacks the error. */
const mayBePassing = (event: Stored): event is StoredOf<'WorkParked'> =>
  event.type === 'WorkParked' &&
  event.data.errorName === 'UndecodableEvent' &&
  event.data.worker.startsWith('projection ')

/** Its event has a reason and is readable today. */
const transientAlarms = async (
  { pool, ...reader }: Reader & { pool: Pool },
  events: Iterable<ReadEvent>,
): Promise<Set<string>> => {
  const parkings = [...events].map(({ event }) => event).filter(mayBePassing)
  const blamed = await findTimelineOfEvents(
    pool,
    parkings.flatMap(({ data }) => data.eventId ?? []),
  )
  const read = await readEvents(reader, blamed)
  const isRead = (id: string | null) => id !== null && read.get(id)?.event.metadata.reason !== undefined
  return new Set(parkings.filter(({ data }) => isRead(data.eventId)).map(({ id }) => id))
}

const transientAlarm = ({ data }: StoredOf<'WorkParked'>): Sentence => ({
  text: `A tabela de leitura ${quoted(data.worker.replace(/^projection /, ''))} deixou de ler, por um momento, um evento com motivo, que hoje se lê: nada se perdeu`,
  icon: 'work',
})

/** Limits very long threads, as of an account's erasure. */
const maxEntries = 40

type Words = (event: Stored) => Sentence

const wordsWith =
  (names: KnownNames, passing: ReadonlySet<string>): Words =>
  (event) =>
    event.type === 'WorkParked' && passing.has(event.id) ? transientAlarm(event) : sentenceOf(event, names.of(event))

const entryOf = (row: TimelineRow, read: ReadEvent | undefined, names: KnownNames, words: Words): HistoryEntry => {
  const { id, type, recordedAt: at, depth } = row
  if (!read) {
    const actor = names.actor({ kind: 'system', id: '' })
    const text = 'Esta versão do Prosa não sabe ler este evento'
    return { id, type, at, depth, icon: 'trouble', text, actor, reason: null, differences: [], records: [] }
  }
  const { event, differences } = read
  const { metadata } = event
  const sentence = words(event)
  const own = sentence.differences ?? []
  const others = differences.filter(({ label }) => !own.some((known) => known.label === label))
  return {
    id,
    type,
    at,
    depth,
    icon: sentence.icon,
    text: sentence.text,
    actor: names.actor(metadata.actor),
    reason: metadata.reason ?? null,
    differences: [...own, ...others].filter(({ before, after }) => before !== after),
    records: mentionsOf(event).map((mention) => ({ ...mention, name: names.record(mention) })),
  }
}

/** Causes before effects, depth first; siblings in log order. */
export const inOrderOfCauses = <P extends Pick<TimelineRow, 'id' | 'causationId'>>(rows: readonly P[]): P[] => {
  const ids = new Set(rows.map(({ id }) => id))
  const effects = new Map<string, P[]>()
  const roots: P[] = []
  for (const row of rows) {
    const { id, causationId } = row
    if (id === causationId || !ids.has(causationId)) roots.push(row)
    else effects.set(causationId, [...(effects.get(causationId) ?? []), row])
  }
  const withEffects = (row: P): P[] => [row, ...(effects.get(row.id) ?? []).flatMap(withEffects)]
  return roots.flatMap(withEffects)
}

export interface ShownEntry {
  row: TimelineRow
  entry: HistoryEntry
}

/** In the order of the rows. */
export const showEntries = async (
  { pool, ...reader }: Reader & { pool: Pool },
  rows: readonly TimelineRow[],
): Promise<ShownEntry[]> => {
  const events = await readEvents(reader, rows)
  const passing = await transientAlarms({ pool, ...reader }, events.values())
  const names = await knownNames(
    pool,
    [...events.values()].map(({ event }) => event),
  )
  const words = wordsWith(names, passing)
  return rows.map((row) => ({ row, entry: entryOf(row, events.get(row.id), names, words) }))
}

export const showThreads = async (
  { pool, ...reader }: Reader & { pool: Pool },
  threads: readonly string[],
): Promise<HistoryThread[]> => {
  const byThread = new Map(threads.map((thread) => [thread, [] as TimelineRow[]]))
  for (const row of await findTimeline(pool, threads, maxEntries + 1)) byThread.get(row.thread)?.push(row)
  const long = threads.filter((thread) => (byThread.get(thread)?.length ?? 0) > maxEntries)
  const counts = await countPlaces(pool, long)
  for (const thread of long) byThread.get(thread)?.pop()
  const shown = [...byThread.values()].flat()
  const causes = await findTimelineOfEvents(
    pool,
    shown
      .filter(({ id, depth, causationId }) => depth === 0 && causationId !== id)
      .map(({ causationId }) => causationId),
  )
  const events = await readEvents(reader, [...shown, ...causes])
  const passing = await transientAlarms({ pool, ...reader }, events.values())
  const names = await knownNames(
    pool,
    [...events.values()].map(({ event }) => event),
  )
  const words = wordsWith(names, passing)
  const causeOf = (row: TimelineRow | undefined) => {
    const cause = row && row.causationId !== row.id ? events.get(row.causationId)?.event : undefined
    return cause ? { text: words(cause).text, at: cause.metadata.recordedAt } : null
  }
  return threads.flatMap((thread) => {
    const [first, ...others] = byThread.get(thread) ?? []
    if (!first) return []
    return {
      id: thread,
      at: first.threadAt,
      cause: causeOf(first),
      entries: inOrderOfCauses([first, ...others]).map((row) => entryOf(row, events.get(row.id), names, words)),
      hidden: Math.max(0, (counts.get(thread) ?? 0) - maxEntries),
    }
  })
}
