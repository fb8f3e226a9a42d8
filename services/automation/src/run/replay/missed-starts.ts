import type { Instant } from '@prosa/contracts/values/instant'
import { isOpen } from '@prosa/contracts/values/time/is-open'
import type { OpeningHours } from '@prosa/contracts/values/time/opening-hours'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { decide, type Reader } from '@prosa/kernel/domain/decider'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import type { KnownContact } from '../../others/known-contact.ts'
import type { Candidate } from '../choose-flow.ts'
import type { FlowFacts, FlowLibrary } from '../flow-facts.ts'
import { type FlowRunEvent, type FlowRuns, foldRuns, noRuns } from '../flow-run-state.ts'
import { flowRuns } from '../flow-runs.ts'
import { fileName, spokenText } from '../text/spoken-text.ts'
import { isStartable } from '../what-may-start.ts'
import { eventsOf, type LogPorts, type RunEvent } from './past-run.ts'
import { type PastMessage, replayRun } from './replay-run.ts'

const never: Instant = '9999-12-31T23:59:59.999Z'

/** What the replayed draft and the business were at any moment. */
export interface ReplayScene {
  tenant: string
  flow: Candidate
  library: FlowLibrary
  /** `until` is exclusive. */
  from: Instant
  until: Instant
  now: Instant
  /** It greets new contacts whatever its trigger. */
  isDefault: boolean
  hoursAt: (at: Instant) => OpeningHours | null
  /** Those that began, in the order in which they were first published, as the draft would be among them. */
  rivalsOf: (flowId: string, version: number) => Promise<{ earlier: readonly Candidate[]; later: readonly Candidate[] }>
}

export interface MissedStart {
  runId: string
  startedAt: Instant
  /** The flow that began instead. */
  other: string | null
  events: FlowRunEvent[]
}

/** A message, or a label that a person put on. */
interface Occasion {
  at: Instant
  position: Position
  messageId: string | null
  /** Of the label's event. */
  occasion: string
  text: string
  file?: string | undefined
  labelId: string | null
  connectionId: string
  sentAt: Instant
  isFirst: boolean
}

interface Moments {
  accepted: readonly Instant[]
  resolved: readonly Instant[]
  labelled: readonly StoredOf<'ContactLabelled'>[]
}

type Looked = StoredOf<'ConversationAccepted' | 'ConversationResumed' | 'ConversationResolved' | 'ContactLabelled'>

const moments: Reader<Looked, Moments> = {
  initial: { accepted: [], resolved: [], labelled: [] },
  evolve: {
    ConversationAccepted: (found, _, { metadata }) => ({
      ...found,
      accepted: [...found.accepted, metadata.recordedAt],
    }),
    ConversationResumed: (found, _, { metadata }) => ({ ...found, accepted: [...found.accepted, metadata.recordedAt] }),
    ConversationResolved: (found, { flowId }, { metadata }) =>
      flowId === undefined ? { ...found, resolved: [...found.resolved, metadata.recordedAt] } : found,
    ContactLabelled: (found, _, event) =>
      event.metadata.actor.kind === 'user' ? { ...found, labelled: [...found.labelled, event] } : found,
  },
}

type Taken = { flowId: string; version: number; isStart: boolean }

/** By message, or by the label's event: the run that it began or answered. */
const takenBy = (events: readonly RunEvent[]): ReadonlyMap<string, Taken> => {
  const found = new Map<string, Taken>()
  for (const { type, data, metadata } of events) {
    if (type === 'FlowRunStarted') {
      const { flowId, version, startMessageId } = data
      if (data.startedBy !== 'flow')
        found.set(startMessageId ?? metadata.causationId, { flowId, version, isStart: true })
    } else if (type === 'FlowAnswerReceived' || type === 'FlowInputKept' || type === 'FlowThanked') {
      const { flowId, version } = data
      if (!found.has(data.messageId)) found.set(data.messageId, { flowId, version, isStart: false })
    }
  }
  return found
}

const labelOf = ({ document }: Candidate): string | null => {
  const start = document.nodes.flatMap((node) => (node.type === 'trigger' ? node.data.start : []))[0]
  return start?.kind === 'label_set' ? start.labelId : null
}

const occasionsOf = (
  received: readonly StoredOf<'MessageReceived'>[],
  labelled: readonly StoredOf<'ContactLabelled'>[],
): Occasion[] => {
  const messages = received.map(({ id, data, metadata, position, revision }): Occasion => {
    const { messageId, connectionId, content, sentAt } = data
    const about = { at: metadata.recordedAt, position, occasion: id, labelId: null, connectionId, sentAt }
    return { ...about, messageId, text: spokenText(content), file: fileName(content), isFirst: revision === 0n }
  })
  const labels = labelled.flatMap(({ id, data, metadata, position }): Occasion | [] => {
    // Over the line that the person wrote to last.
    const last = messages.findLast((each) => each.position < position)
    if (!last) return []
    const { recordedAt: at } = metadata
    const about = { at, position, occasion: id, labelId: data.labelId, connectionId: last.connectionId, sentAt: at }
    return { ...about, messageId: null, text: '', isFirst: false }
  })
  return [...messages, ...labels].toSorted((one, other) => (one.position < other.position ? -1 : 1))
}

/** A person who finished or resumed the conversation ends the draft's wait for one. */
const settled = (state: FlowRuns, resolved: readonly Instant[], now: Instant): FlowRuns => {
  const since = state.handedOver?.at ?? state.paused?.pausedAt
  const at = since === undefined ? undefined : resolved.findLast((each) => each > since && each <= now)
  if (at === undefined) return state
  const resumed = decide(flowRuns, state, { type: 'ResumeFlows', data: { at, isFinished: true } })
  return 'rejected' in resumed ? state : foldRuns(state, resumed)
}

/** Until when the draft's run goes on. */
const endOf = (events: readonly FlowRunEvent[]): Instant => {
  const last = events.at(-1)
  return last?.type === 'FlowRunEnded' ? last.data.endedAt : never
}

interface With {
  contactId: string
  contactAt: (at: Instant) => KnownContact
  factsAt: (at: Instant) => FlowFacts
  /** Of the days, the oldest first. */
  received: readonly StoredOf<'MessageReceived'>[]
}

/** Where the draft would have begun and its flow did not, in their order. */
export const missedStarts = async (
  ports: LogPorts,
  scene: ReplayScene,
  { contactId, contactAt, factsAt, received }: With,
  slice: TimeSlice,
): Promise<MissedStart[]> => {
  const { tenant, flow, library, from, until, now, isDefault, hoursAt, rivalsOf } = scene
  if (received.length === 0) return []
  const events = await eventsOf(ports, contactId, tenant, slice)
  const { accepted, resolved, labelled } = await readFold(ports, 'contact', moments).load(contactId, tenant)
  const taken = takenBy(events)
  const label = labelOf(flow)
  const ofLabel = labelled.filter(
    ({ data, metadata: { recordedAt: at } }) => data.labelId === label && at >= from && at < until,
  )
  const occasions = occasionsOf(received, ofLabel)

  const starts: MissedStart[] = []
  const consumed = new Set<string>()
  let [state, read, busyUntil] = [noRuns, 0, '']
  for (const [index, occasion] of occasions.entries()) {
    if (slice.isDue()) await slice.turn()
    const { at, position, messageId, text, labelId, connectionId, sentAt, isFirst } = occasion
    for (let event = events[read]; event && event.position < position; event = events[++read])
      state = foldRuns(state, [event])
    state = settled(state, resolved, at)
    const by = taken.get(messageId ?? occasion.occasion)
    const isInDialogue = at <= busyUntil || (messageId !== null && consumed.has(messageId)) || (by && !by.isStart)
    if (isInDialogue || by?.flowId === flow.flowId || !isStartable(contactAt(at), sentAt, at)) continue
    if (state.runs.some(({ flowId }) => flowId === flow.flowId)) continue

    const hours = hoursAt(at)
    const end = accepted.find((each) => each > at)
    const later = occasions.slice(index + 1).flatMap((each): PastMessage | [] => {
      if (each.messageId === null || taken.get(each.messageId)?.isStart === false) return []
      return { messageId: each.messageId, text: each.text, file: each.file, at: each.at }
    })
    const run = { flowId: flow.flowId, version: flow.version, connectionId, text }
    const played = await replayRun(
      {
        contactId,
        started: {
          ...run,
          runId: occasion.occasion,
          startedBy: isDefault ? 'default_flow' : 'any_message',
          startMessageId: messageId,
        },
        startedAt: at,
        history: [],
        messages: later,
        end: end === undefined ? null : { at: end, reason: 'accepted' },
        until: now,
        busy: [],
        beside: [],
        start: { isFirst, isOutOfHours: hours !== null && !isOpen(hours, sentAt), labelId },
        // Runs of other flows are not played again.
        state: { ...state, runs: [] },
        ...(by && { rivals: await rivalsOf(by.flowId, by.version) }),
      },
      flow,
      { library, factsAt },
      slice,
    )
    const [begun] = played
    if (begun?.type !== 'FlowRunStarted' || begun.data.flowId !== flow.flowId) continue
    starts.push({ runId: begun.data.runId, startedAt: at, other: by?.flowId ?? null, events: played })
    for (const { data } of played) if ('messageId' in data && data.messageId !== null) consumed.add(data.messageId)
    state = foldRuns(state, played)
    busyUntil = endOf(played)
  }
  return starts
}
