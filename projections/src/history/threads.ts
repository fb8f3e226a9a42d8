import type { HistoryEntry, HistoryThread } from '@prosa/contracts/http/history'
import { readingPurposeNames } from '@prosa/contracts/values/reading-words'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Pool } from 'pg'
import { mentionsOf } from './mentions.ts'
import { type KnownNames, knownNames, mentionsOfValues } from './names.ts'
import { countPlaces, findTimeline, findTimelineOfEvents } from './queries.ts'
import { type ReadEvent, type Reader, readEvents } from './read-events.ts'
import { pastRecordOf } from './records.ts'
import { type RuleFacts, readFacts } from './rules/read-facts.ts'
import { ruleOf } from './rules/rule-of.ts'
import type { Sentence } from './sentences/sentence.ts'
import { sentenceOf } from './sentences/sentence-of.ts'
import { quoted } from './sentences/words.ts'
import { isOwnRow, mayNameOthers, shownKinds, type TenantView } from './tenant/view.ts'
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

/** The moment of a position, for one reader. */
export type EmOf = (position: Position) => string

export interface Shown {
  names: KnownNames
  words: Words
  rule: (event: Stored) => string | null
  events: ReadonlyMap<string, ReadEvent>
  view: TenantView | undefined
  emOf?: EmOf | undefined
}

type ShownRow = Pick<TimelineRow, 'id' | 'type' | 'recordedAt' | 'depth' | 'account'>

/** A reading has the reason of the purpose that it was for. */
const reasonOf = (row: ShownRow, { data, type, metadata }: Stored, { events, view }: Shown): string | null => {
  const isHidden = view !== undefined && mayNameOthers(row)
  const own = isHidden ? undefined : metadata.reason
  if (type !== 'PersonalDataRead') return own ?? null
  const stated = events.get((data as StoredOf<'PersonalDataRead'>['data']).purposeId)?.event
  if (stated?.type !== 'ReadingPurposeStated') return own ?? null
  const details = isHidden ? undefined : stated.metadata.reason
  return [readingPurposeNames[stated.data.purpose], details].filter(Boolean).join(': ')
}

export const entryOf = (row: ShownRow, shown: Shown): HistoryEntry => {
  const { names, words, rule, view } = shown
  const read = shown.events.get(row.id)
  const { id, type, recordedAt: at, depth } = row
  if (!read) {
    const actor = names.actor({ kind: 'system', id: '' })
    const text = 'Esta versão do Prosa não sabe ler este evento'
    return { id, type, at, depth, icon: 'trouble', text, actor, reason: null, rule: null, differences: [], records: [] }
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
    ...(shown.emOf && { em: shown.emOf(event.position), past: pastRecordOf(event, view !== undefined) }),
    depth,
    icon: sentence.icon,
    text: sentence.text,
    actor: names.actor(metadata.actor),
    reason: reasonOf(row, event, shown),
    rule: view !== undefined && mayNameOthers(row) ? null : rule(event),
    differences: [...own, ...others]
      .filter(({ before, after }) => before !== after)
      .map((each) => ({
        ...each,
        before: names.value(each.label, each.before),
        after: names.value(each.label, each.after),
      })),
    records: mentionsOf(event)
      .filter(({ kind }) => view === undefined || (shownKinds.includes(kind) && !mayNameOthers(row)))
      .map((mention) => ({ ...mention, name: names.record(mention) })),
  }
}

/** What the samples of a new account are in a thread: its first event stands for all. */
interface Samples {
  text: string
  /** Ids of events that are not shown beside it. */
  others: ReadonlySet<string>
}

const isFolder = ({ type, data }: Stored): boolean =>
  type === 'FlowFolderCreated' && 'isSample' in data && data.isSample
const isFlow = ({ type, data }: Stored): boolean =>
  type === 'FlowCreated' && 'origin' in data && data.origin === 'sample'

const counted = (count: number, one: string, several: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]

/** By id of the event that is shown. */
export const samplesIn = (events: readonly Stored[]): ReadonlyMap<string, Samples> => {
  const [folders, flows] = [events.filter(isFolder), events.filter(isFlow)]
  const streams = new Set([...folders, ...flows].map(({ stream }) => stream))
  // Its first draft follows a sample at once.
  const [first, ...others] = events.filter(
    (event) =>
      isFolder(event) || isFlow(event) || (streams.has(event.stream) && /^FlowDraft(Saved|Kept)$/.test(event.type)),
  )
  if (!first || others.length === 0) return new Map()
  const what = [
    ...counted(folders.length, 'pasta', 'pastas'),
    ...counted(flows.length, 'fluxo de exemplo', 'fluxos de exemplo'),
  ]
  return new Map([
    [first.id, { text: `A conta recebeu ${what.join(' e ')}`, others: new Set(others.map(({ id }) => id)) }],
  ])
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

const purposesOf = (events: Iterable<ReadEvent>): string[] =>
  [...events].flatMap(({ event }) => (event.type === 'PersonalDataRead' ? event.data.purposeId : []))

/** With the purposes of readings; `samples`: by the event that stands for them; rules only where `facts` reads what they need. */
const readShown = async (
  { pool, ...reader }: Reader & { pool: Pool },
  rows: readonly TimelineRow[],
  view: TenantView | undefined,
  samples: (events: ReadonlyMap<string, ReadEvent>) => ReadonlyMap<string, Samples>,
  readRuleFacts?: (events: readonly Stored[]) => Promise<RuleFacts>,
): Promise<Shown & { samples: ReadonlyMap<string, Samples> }> => {
  const read = await readEvents(reader, rows)
  const missing = purposesOf(read.values()).filter((id) => !read.has(id))
  const events = new Map([...read, ...(await readEvents(reader, await findTimelineOfEvents(pool, missing)))])
  const passing = await transientAlarms({ pool, ...reader }, events.values())
  const stored = [...events.values()].map(({ event }) => event)
  const facts = await readRuleFacts?.(stored)
  const values = [...events.values()].flatMap(({ differences }) =>
    differences.flatMap(({ label, before, after }) => [
      { label, value: before },
      { label, value: after },
    ]),
  )
  const names = await knownNames(pool, [...stored, ...(facts?.events ?? [])], {
    more: mentionsOfValues(values),
    tenantId: view?.tenantId,
  })
  const folded = samples(events)
  const words: Words = (event) => {
    if (event.type === 'WorkParked' && passing.has(event.id)) return transientAlarm(event)
    const sentence = sentenceOf(event, names.of(event))
    return { ...sentence, text: folded.get(event.id)?.text ?? sentence.text }
  }
  const rule = (event: Stored) => (facts ? ruleOf(event, facts.of(event), names.of(event)) : null)
  return { names, words, rule, events, view, samples: folded }
}

export interface ShownEntry {
  row: TimelineRow
  entry: HistoryEntry
}

/** In the order of the rows, each by itself; without rules, whose streams a long export would read for each event. */
export const showEntries = async (
  reader: Reader & { pool: Pool },
  rows: readonly TimelineRow[],
): Promise<ShownEntry[]> => {
  const shown = await readShown(reader, rows, undefined, () => new Map())
  return rows.map((row) => ({ row, entry: entryOf(row, shown) }))
}

/** `view`: as a tenant sees them. */
export const showThreads = async (
  reader: Reader & { pool: Pool },
  threads: readonly string[],
  view?: TenantView,
  emOf?: EmOf,
): Promise<HistoryThread[]> => {
  const { pool } = reader
  const byThread = new Map(threads.map((thread) => [thread, [] as TimelineRow[]]))
  for (const row of await findTimeline(pool, threads, maxEntries + 1, view)) byThread.get(row.thread)?.push(row)
  const long = threads.filter((thread) => (byThread.get(thread)?.length ?? 0) > maxEntries)
  const counts = await countPlaces(pool, long, view)
  for (const thread of long) byThread.get(thread)?.pop()
  const all = [...byThread.values()]
  const rows = all.flat()
  const known = await findTimelineOfEvents(
    pool,
    rows
      .filter(({ id, depth, causationId }) => depth === 0 && causationId !== id)
      .map(({ causationId }) => causationId),
  )
  const causes = known.filter((cause) => view === undefined || isOwnRow(cause, view))
  const shown = await readShown(
    reader,
    [...rows, ...causes],
    view,
    (events) => new Map(all.flatMap((each) => [...samplesIn(each.flatMap(({ id }) => events.get(id)?.event ?? []))])),
    (events) => readFacts(reader, events),
  )
  const hiddenSamples = new Set([...shown.samples.values()].flatMap(({ others }) => [...others]))
  const causeOf = (row: TimelineRow) => {
    const cause = row.causationId === row.id ? undefined : causes.find(({ id }) => id === row.causationId)
    const event = cause && shown.events.get(cause.id)?.event
    return event ? { text: shown.words(event).text, at: event.metadata.recordedAt } : null
  }
  return threads.flatMap((thread) => {
    const [first, ...others] = byThread.get(thread) ?? []
    if (!first) return []
    return {
      // A tenant gets no positions (docs/decisions/0055).
      id: view ? first.id : thread,
      at: first.threadAt,
      cause: causeOf(first),
      entries: inOrderOfCauses([first, ...others])
        .filter(({ id }) => !hiddenSamples.has(id))
        .map((row) => entryOf(row, { ...shown, emOf })),
      hidden: Math.max(0, (counts.get(thread) ?? 0) - maxEntries),
    }
  })
}
