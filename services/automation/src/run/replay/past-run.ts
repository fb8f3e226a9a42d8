import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowRunEvents } from '@prosa/contracts/events/automation'
import { streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFold, readFoldBack } from '@prosa/kernel/domain/read-fold'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import type { EndReason } from '../flow-run-state.ts'
import type { Counted } from '../recent-flows.ts'
import { fileName, spokenText } from '../text/spoken-text.ts'
import type { PastEvent, PastMessage, PastRun } from './replay-run.ts'

export type RunEvent = Stored<EventOf<typeof flowRunEvents>>
export type LogPorts = Pick<Ports, 'store' | 'codec'>

export const eventsOf = async (
  { store, codec }: LogPorts,
  contactId: string,
  tenant: string,
  slice: TimeSlice,
): Promise<RunEvent[]> => {
  const found: RunEvent[] = []
  for await (const page of store.read(streamName('flowRun', contactId))) {
    if (page[0]?.metadata.tenant !== tenant) return []
    if (slice.isDue()) await slice.turn()
    found.push(...((await codec.decode(page)) as RunEvent[]))
  }
  return found
}

/** From a message to the run it starts. */
const maxLagMs = 3_600_000

/** A draft could not have prevented these ends. */
const fromOutside: readonly EndReason[] = [
  'accepted',
  'flow_deleted',
  'connection_removed',
  'stopped',
  'waits_for_person',
]

/** Also pauses by another run, and refused starts. */
const isFromOutside = (events: readonly RunEvent[], last: RunEvent, chain: ReadonlySet<string>): boolean => {
  if (last.type !== 'FlowRunEnded') return false
  if (last.data.reason !== 'possible_robot') return fromOutside.includes(last.data.reason)
  const pause = events.findLast(({ type, position }) => type === 'FlowsPaused' && position < last.position)
  return !(pause?.type === 'FlowsPaused' && pause.data.runId !== null && chain.has(pause.data.runId))
}

const countedBeside = (events: readonly RunEvent[], chain: ReadonlySet<string>): PastRun['beside'] =>
  events.flatMap((event): PastRun['beside'] => {
    const { type, data, metadata } = event
    const at = metadata.recordedAt
    if (type === 'FlowCountsTakenOver' || type === 'FlowsResumed') return [{ event, at }]
    const taken = (counted: { starts?: Counted[]; messages?: Counted[] }): PastRun['beside'] => [
      { event: { type: 'FlowCountsTakenOver', data: { from: '', starts: [], messages: [], ...counted } }, at },
    ]
    if (!('runId' in data) || data.runId === null || chain.has(data.runId)) return []
    if (type === 'FlowRunStarted' && data.startedBy !== 'flow' && data.startedAt)
      return taken({ starts: [{ id: data.runId, at: data.startedAt }] })
    if (type === 'FlowMessageRequested' && data.requestedAt)
      return taken({ messages: [{ id: data.messageId, at: data.requestedAt }] })
    return []
  })

/** The run and those following it. */
const chainOf = (events: readonly RunEvent[], runId: string): Set<string> => {
  const chain = new Set([runId])
  let wentOn = false
  for (const { type, data } of events) {
    if (type === 'FlowRunStarted' && data.startedBy === 'flow' && wentOn) chain.add(data.runId)
    wentOn = type === 'FlowRunEnded' && data.reason === 'went_on' && chain.has(data.runId)
  }
  return chain
}

type Received = readonly StoredOf<'MessageReceived'>[]

const receivedSince = (since: Instant): Reader<StoredOf<'MessageReceived'>, Received> => ({
  initial: [],
  evolve: {
    MessageReceived: (found, _, event) => (event.metadata.recordedAt >= since ? [...found, event] : found),
  },
})

interface Since {
  contactId: string
  tenant: string
  since: Instant
  maxEvents?: number
}

/** The oldest first; `isCut` where `maxEvents` left older ones out. */
export const messagesSince = async (
  ports: LogPorts,
  { contactId: id, tenant, since, maxEvents = Number.POSITIVE_INFINITY }: Since,
): Promise<{ messages: StoredOf<'MessageReceived'>[]; isCut: boolean }> => {
  let [read, isBefore] = [0, false]
  const isDone = (_: Received, page: readonly RecordedEvent[]) => {
    read += page.length
    isBefore = page.some(({ metadata }) => metadata.recordedAt < since)
    return isBefore
  }
  const found = await readFoldBack(ports, 'chat', receivedSince(since), { id, tenant, isDone, maxEvents })
  return { messages: found.toReversed(), isCut: read >= maxEvents && !isBefore }
}

/** When each message was consumed; omits other runs' messages. */
const uses = (events: readonly RunEvent[], chain: ReadonlySet<string>) => {
  const used = new Map<string, Instant>()
  const others = new Set<string>()
  for (const { type, data, metadata } of events) {
    const messageId =
      type === 'FlowAnswerReceived' || type === 'FlowInputKept'
        ? data.messageId
        : type === 'FlowRunStarted'
          ? data.startMessageId
          : null
    if (messageId === null || !('runId' in data) || data.runId === null) continue
    if (!chain.has(data.runId)) others.add(messageId)
    else if (!used.has(messageId)) used.set(messageId, metadata.recordedAt)
  }
  return { used, others }
}

const busyTimes = (events: readonly RunEvent[], chain: ReadonlySet<string>, now: Instant): PastRun['busy'] => {
  const ends = new Map<string, Instant>()
  for (const { type, data, metadata } of events)
    if (type === 'FlowRunEnded' && !ends.has(data.runId)) ends.set(data.runId, metadata.recordedAt)
  return events.flatMap(({ type, data, metadata }) => {
    if (type !== 'FlowRunStarted' || chain.has(data.runId)) return []
    return { flowId: data.flowId, from: metadata.recordedAt, to: ends.get(data.runId) ?? now }
  })
}

/** When attendants accepted the conversation. */
const acceptances: Reader<StoredOf<'ConversationAccepted' | 'ConversationResumed'>, readonly Instant[]> = {
  initial: [],
  evolve: {
    ConversationAccepted: (found, _, { metadata }) => [...found, metadata.recordedAt],
    ConversationResumed: (found, _, { metadata }) => [...found, metadata.recordedAt],
  },
}

/** Undefined if moved to another contact. */
export const pastRunOf = async (
  ports: LogPorts,
  { tenant, contactId, runId, now }: { tenant: string; contactId: string; runId: string; now: Instant },
  slice: TimeSlice,
): Promise<(Omit<PastRun, 'start'> & { isFirst: boolean }) | undefined> => {
  const events = await eventsOf(ports, contactId, tenant, slice)
  const chain = chainOf(events, runId)
  const own = events.filter(({ data }) => 'runId' in data && data.runId === runId)
  const first = events.find(({ type, data }) => type === 'FlowRunStarted' && data.runId === runId)
  const hasMoved = own.some(({ type }) => type === 'FlowRunMovedAway' || type === 'FlowRunTakenOver')
  if (first?.type !== 'FlowRunStarted' || hasMoved) return undefined

  const startedAt = first.metadata.recordedAt
  const last = events.findLast(({ type, data }) => type === 'FlowRunEnded' && chain.has(data.runId))
  const isOver = last?.type === 'FlowRunEnded' && last.data.reason !== 'went_on'
  // A later start of another flow begins another conversation.
  const next = events.find(
    ({ type, data, position }) =>
      isOver && type === 'FlowRunStarted' && position > last.position && !chain.has(data.runId),
  )
  const outside = isOver && isFromOutside(events, last, chain)
  const accepted = await readFold(ports, 'contact', acceptances).load(contactId, tenant)
  // Would have ended a longer run.
  const acceptedAt = accepted.find((at) => at > startedAt)
  const inside = acceptedAt === undefined ? null : ({ at: acceptedAt, reason: 'accepted' } as const)
  const end = outside ? { at: last.metadata.recordedAt, reason: last.data.reason } : inside

  const { used, others } = uses(events, chain)
  const earlier = new Date(Date.parse(startedAt) - maxLagMs).toISOString()
  if (slice.isDue()) await slice.turn()
  const { messages: received } = await messagesSince(ports, { contactId, tenant, since: earlier })
  const messages = received.flatMap(({ data, metadata }): PastMessage[] => {
    const { messageId, content } = data
    if (others.has(messageId) || messageId === first.data.startMessageId) return []
    const at = used.get(messageId) ?? metadata.recordedAt
    return at < startedAt ? [] : [{ messageId, text: spokenText(content), file: fileName(content), at }]
  })
  const history = own.map((event): PastEvent => ({ event, at: event.metadata.recordedAt }))
  const until = next && next.metadata.recordedAt < now ? next.metadata.recordedAt : now
  const isFirst = received.some(({ data, revision }) => data.messageId === first.data.startMessageId && revision === 0n)
  const busy = busyTimes(events, chain, now)
  const beside = countedBeside(events, chain)
  return { contactId, started: first.data, startedAt, history, messages, end, until, busy, beside, isFirst }
}
