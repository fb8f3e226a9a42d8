import type { HistoryEntry, HistoryThread } from '@prosa/contracts/http/history'
import { parseStream } from '@prosa/contracts/streams'
import { decodeEach } from '@prosa/kernel/consumers/engine/decode-each'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Pool } from 'pg'
import { mentionsOf } from '../mentions.ts'
import { type KnownNames, knownNames } from '../names.ts'
import type { Reader } from '../read-events.ts'
import type { EmOf } from '../threads.ts'
import { readWindow, type StreamWindow } from './streams.ts'
import { answeredAfter, type Folded, foldTicks, statusLasted } from './waits-and-ticks.ts'
import { conversationSentence, timeBeside } from './words.ts'

/** Events of all streams in one round; and how far around them is read, for ticks and for what was answered. */
const size = 60
const near = 100
const minThreads = 20
const maxRounds = 8

/** Steps of flows are in the contact's history; here is what they did to the conversation. */
const flowEvents: readonly string[] = [
  'FlowRunStarted',
  'FlowRunEnded',
  'FlowsPaused',
  'FlowsResumed',
  'BotPaused',
  'BotResumed',
  'FlowStartWithheld',
  'FlowRunMovedAway',
  'FlowRunTakenOver',
  'FlowLinkOpened',
]

export interface LifeAsked {
  /** The contact and those that are merged into it. */
  contactIds: readonly string[]
  before: Position | undefined
  withTexts: boolean
  /** Who reads, if it is no administrator. */
  tenantId: string | undefined
  emOf?: EmOf
}

export interface LifePage {
  threads: HistoryThread[]
  /** Goes on before this position. */
  next: Position | undefined
}

type LifeReader = Reader & { pool: Pool }

interface ReadWindow extends StreamWindow {
  events: readonly Stored[]
}

const decoded = async ({ codec }: Reader, recorded: readonly RecordedEvent[]): Promise<Stored[]> =>
  (await decodeEach(codec, recorded)).flatMap(({ outcome }) => ('event' in outcome ? outcome.event : []))

const isShown = ({ stream, type }: Stored, folded: Folded, id: string): boolean =>
  !folded.ids.has(id) && (parseStream(stream).category !== 'flowRun' || flowEvents.includes(type))

const tickWords: Readonly<Record<string, string>> = {
  MessageSent: 'enviada',
  MessageDelivered: 'entregue',
  MessageRead: 'lida',
}

/** 'Enviada às 14:02:03, entregue às 14:02:04, lida às 14:10:12'. */
const ticksInWords = (message: Stored, ticks: readonly Stored[]): string => {
  const words = ticks
    .map(
      ({ type, metadata }) => `${tickWords[type]} às ${timeBeside(metadata.recordedAt, message.metadata.recordedAt)}`,
    )
    .join(', ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface Around {
  windows: ReadonlyMap<string, ReadWindow>
  folded: Folded
  names: KnownNames
  withTexts: boolean
  emOf: EmOf | undefined
}

/** Newest first, no farther than is read around every event of a page. */
const earlierOf = (event: Stored, { windows }: Around): { earlier: Stored[]; isWhole: boolean } => {
  const lowest = event.revision - BigInt(near)
  const all = windows.get(event.stream)?.events ?? []
  const earlier = all.filter(({ revision }) => revision < event.revision && revision >= lowest).toReversed()
  return { earlier, isWhole: lowest <= 0n }
}

const reopenedBy = (event: Stored, { windows }: Around): string | undefined => {
  if (event.type !== 'ConversationReopened') return undefined
  for (const { events } of windows.values())
    for (const { type, metadata } of events)
      if (type === 'MessageReceived' && metadata.causationId === event.metadata.causationId) return metadata.recordedAt
  return undefined
}

const entryOf = (
  event: Stored,
  text: Pick<HistoryEntry, 'text' | 'icon' | 'depth'>,
  { names, emOf }: Pick<Around, 'names' | 'emOf'>,
): HistoryEntry => ({
  id: event.id,
  type: event.type,
  at: event.metadata.recordedAt,
  ...(emOf && { em: emOf(event.position), past: { kind: 'contact', id: parseStream(event.stream).id } }),
  ...text,
  actor: names.actor(event.metadata.actor),
  reason: event.metadata.reason ?? null,
  rule: null,
  differences: [],
  records: mentionsOf(event)
    .filter(({ kind }) => kind === 'connection' || kind === 'contact')
    .map((mention) => ({ ...mention, name: names.record(mention) })),
})

const threadOf = (event: Stored, around: Around): HistoryThread => {
  const { names, folded, withTexts } = around
  const { earlier, isWhole } = earlierOf(event, around)
  const { category, id: contactId } = parseStream(event.stream)
  const after = category === 'chat' ? answeredAfter(event, earlier, isWhole) : statusLasted(event, earlier)
  const beside = { withTexts, after, writtenAt: reopenedBy(event, around) }
  const { text, icon } = conversationSentence(event, names.of(event), beside, contactId)
  const ticks = folded.of.get(event.id) ?? []
  const [first] = ticks
  return {
    id: event.id,
    at: event.metadata.recordedAt,
    cause: null,
    entries: [
      entryOf(event, { text, icon, depth: 0 }, around),
      ...(first ? [entryOf(first, { text: ticksInWords(event, ticks), icon: 'message', depth: 1 }, around)] : []),
    ],
    hidden: 0,
  }
}

const readRound = async (
  reader: LifeReader,
  { contactIds, before, withTexts, tenantId, emOf }: LifeAsked,
): Promise<LifePage> => {
  const windows = new Map<string, ReadWindow>()
  for (const id of contactIds)
    for (const stream of [`chat-${id}`, `contact-${id}`, `flowRun-${id}`]) {
      const window = await readWindow(reader.store, stream, { before, size, near })
      windows.set(stream, { ...window, events: await decoded(reader, window.recorded) })
    }
  const among = [...windows.values()].flatMap(({ end, recorded }) =>
    recorded.filter(({ revision }) => revision < end && revision >= end - size),
  )
  const page = among.toSorted((one, other) => (one.position < other.position ? 1 : -1)).slice(0, size)
  const last = page.at(-1)
  const goesOn = among.length > page.length || [...windows.values()].some(({ end }) => end > size)
  const all = [...windows.values()].flatMap(({ events }) => events)
  const byId = new Map(all.map((event) => [event.id, event]))
  const chats = [...windows.values()].map(({ events }) => foldTicks(events, near))
  const folded: Folded = {
    of: new Map(chats.flatMap(({ of }) => [...of])),
    ids: new Set(chats.flatMap(({ ids }) => [...ids])),
  }
  const shown = page.flatMap(({ id }) => byId.get(id) ?? []).filter((event) => isShown(event, folded, event.id))
  const names = await knownNames(reader.pool, shown, { tenantId })
  return {
    threads: shown.map((event) => threadOf(event, { windows, folded, names, withTexts, emOf })),
    next: last && goesOn ? last.position : undefined,
  }
}

/** Newest first. Reads a bounded number of events, however long the conversation is. */
export const readLife = async (reader: LifeReader, asked: LifeAsked): Promise<LifePage> => {
  const threads: HistoryThread[] = []
  let next = asked.before
  for (let round = 0; round < maxRounds; round++) {
    const found = await readRound(reader, { ...asked, before: next })
    threads.push(...found.threads)
    next = found.next
    if (next === undefined || threads.length >= minThreads) break
  }
  return { threads, next }
}
