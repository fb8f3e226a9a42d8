import type { FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { Candidate } from '../choose-flow.ts'
import type { FlowFacts, FlowLibrary } from '../flow-facts.ts'
import type { EndReason, FlowRunEvent, FlowRuns, Run } from '../flow-run-state.ts'
import type { FlowRunCommand } from '../flow-runs.ts'
import type { RequestReply } from '../requests/request-step.ts'
import { runsPlayedIn } from './played-runs.ts'
import { stepsOf } from './steps-of.ts'

/** `at`: when it was decided. */
export interface PastEvent {
  event: FlowRunEvent
  at: Instant
}

export interface PastMessage {
  messageId: string
  text: string
  file?: string | undefined
  at: Instant
}

type Started = Extract<FlowRunEvent, { type: 'FlowRunStarted' }>['data']

export interface PastRun {
  contactId: string
  started: Started
  startedAt: Instant
  history: readonly PastEvent[]
  /** In order, including messages after its end. */
  messages: readonly PastMessage[]
  /** By an attendant or a removed line. */
  end: { at: Instant; reason: EndReason } | null
  until: Instant
  /** Flows that no run could go on into then. */
  busy: readonly { flowId: string; from: Instant; to: Instant }[]
  /** Other runs' starts and messages that count. */
  beside: readonly PastEvent[]
  start: { isFirst: boolean; isOutOfHours: boolean; labelId: string | null }
  /** What was before its start; nothing where `beside` has it all. */
  state?: FlowRuns
  /** Other flows that the same message may start, before and after this one. */
  rivals?: { earlier: readonly Candidate[]; later: readonly Candidate[] }
}

const never: Instant = '9999-12-31T23:59:59.999Z'

const isOverOtherwise = ({ type, data }: FlowRunEvent): boolean =>
  type === 'FlowAnswerReceived' || (type === 'FlowRunEnded' && data.reason !== 'silence')

/** Actual ends of timed waits, which may be late. */
const endsOfWaits = (history: readonly PastEvent[]): ReadonlyMap<Instant, Instant> => {
  const ends = new Map<Instant, Instant>()
  let waiting: Instant | undefined
  for (const { event, at } of history) {
    if (event.type === 'FlowDelayStarted' || event.type === 'FlowAnswerAwaited') waiting = event.data.until
    else if (waiting !== undefined && isOverOtherwise(event)) {
      // The timer came first, though perhaps late.
      if (at >= waiting) ends.set(waiting, new Date(Date.parse(at) + 1).toISOString())
      waiting = undefined
    } else if (waiting !== undefined && (event.type === 'FlowStepTaken' || event.type === 'FlowRunEnded')) {
      ends.set(waiting, at > waiting ? at : waiting)
      waiting = undefined
    }
  }
  if (waiting !== undefined) ends.set(waiting, never)
  return ends
}

type Replied = Extract<FlowRunEvent, { type: 'FlowRequestAnswered' }>['data']

/** The replies of then, one after the other for each node. Nothing is sent. */
const recordedReplies = (history: readonly PastEvent[]) => {
  const left = history.flatMap(({ event, at }) =>
    event.type === 'FlowRequestAnswered' ? [{ at, answered: event.data as Replied }] : [],
  )
  const isFor = ({ flowId, standing }: Run) => {
    if (standing?.waitsFor !== 'reply') return undefined
    return left.find(({ answered }) => answered.nodeId === standing.nodeId && answered.flowId === flowId)
  }
  return {
    find: isFor,
    take(run: Run): RequestReply | undefined {
      const found = isFor(run)
      if (!found) return undefined
      left.splice(left.indexOf(found), 1)
      const { status, failure, durationMs, attempts, values, types } = found.answered
      return { status, failure, durationMs, attempts, values, ...(types && { types }) }
    },
  }
}

/** What began it then. */
const startOf = (past: PastRun, flow: Candidate, facts: FlowFacts, library: FlowLibrary): FlowRunCommand => {
  const { contactId, started, startedAt: writtenAt, start } = past
  const { runId, connectionId, startMessageId, text } = started
  const known = { contactId, facts, library }
  const { earlier, later } = past.rivals ?? { earlier: [], later: [] }
  const by = { connectionId, candidates: [...earlier, flow, ...later], writtenAt }
  if (started.startedBy === 'flow') {
    const { flowId, version } = flow
    return { type: 'BeginFlow', data: { runId, flowId, version, connectionId, text, facts, library } }
  }
  if (startMessageId === null) {
    const data = { ...known, labelId: start.labelId ?? '', occasion: runId, start: by }
    return { type: 'ReceiveLabel', data }
  }
  const defaultFlowId = started.startedBy === 'default_flow' ? flow.flowId : null
  const { isFirst, isOutOfHours } = start
  const data = { ...known, messageId: startMessageId, text, start: { ...by, isFirst, isOutOfHours, defaultFlowId } }
  return { type: 'ReceiveInput', data }
}

/** Stores nothing. */
export const replayRun = async (
  past: PastRun,
  flow: Candidate,
  given: { library: FlowLibrary; factsAt: (now: Instant) => FlowFacts },
  slice: TimeSlice,
): Promise<FlowRunEvent[]> => {
  const { factsAt } = given
  const { contactId, startedAt, end, until } = past
  const runs = runsPlayedIn(slice, past.state)
  const ends = endsOfWaits(past.history)
  const replies = recordedReplies(past.history)
  const events: FlowRunEvent[] = []
  let noted = 0
  const give = async (at: Instant, command: FlowRunCommand) => {
    const due = past.beside.slice(noted).findIndex((each) => each.at > at)
    const passed = past.beside.slice(noted, due < 0 ? undefined : noted + due)
    noted += passed.length
    runs.note(passed.map(({ event }) => event))
    events.push(...(await runs.give(command)))
  }

  let now = startedAt
  const isBusy = (flowId: string) =>
    past.busy.some((each) => each.flowId === flowId && each.from <= now && now <= each.to)
  const library: FlowLibrary = {
    version: given.library.version,
    published: (flowId) => (isBusy(flowId) ? null : given.library.published(flowId)),
  }
  const facts = factsAt(startedAt)
  const known = { contactId, facts, library }
  await give(startedAt, startOf(past, flow, facts, library))

  const runId = events.flatMap(({ type, data }) => (type === 'FlowRunStarted' ? data.runId : []))[0]
  if (runId === undefined) return []
  let read = 0
  for (;;) {
    const message = past.messages[read]
    const wait = runs.nextWait((moment, run) => {
      const replied = replies.find(run)?.at
      return replied === undefined ? (ends.get(moment) ?? moment) : replied > now ? replied : now
    })
    const at = [wait?.at, message?.at, end?.at].filter((each) => each !== undefined).toSorted()[0]
    if (at === undefined || at > until) break
    now = at
    if (end && end.at === at) {
      await give(at, { type: 'EndRuns', data: end })
      break
    }
    if (wait && wait.at === at) {
      const before = events.length
      const waiting = runs.state().runs.find(({ runId: id }) => id === wait.runId)
      const reply = waiting && replies.take(waiting)
      const data = { runId: wait.runId, facts: factsAt(at), library }
      if (waiting && reply) await give(at, { type: 'ReceiveReply', data: { ...data, step: waiting.step, reply } })
      else await give(at, { type: 'ReachTime', data })
      if (events.length === before) break
      continue
    }
    read += 1
    if (!message) continue
    const { messageId, text, file } = message
    const data = { ...known, facts: factsAt(at), messageId, text, file, start: null }
    await give(at, { type: 'ReceiveInput', data })
  }
  return events.filter(
    (event, index) => ('runId' in event.data && event.data.runId === runId) || isNextOf(events, index, runId),
  )
}

const isNextOf = (events: readonly FlowRunEvent[], index: number, runId: string) => {
  const before = events[index - 1]
  return before?.type === 'FlowRunEnded' && before.data.reason === 'went_on' && before.data.runId === runId
}

const signOf = (step: FlowStepTaken): string => JSON.stringify('until' in step ? { ...step, until: undefined } : step)

interface Comparison {
  before: FlowStepTaken[]
  after: FlowStepTaken[]
  /** First differing step; undefined if equal. */
  difference: { nodeId: string | null } | undefined
}

export const compareRuns = (before: readonly FlowRunEvent[], after: readonly FlowRunEvent[]): Comparison => {
  const [old, now] = [stepsOf(before), stepsOf(after)]
  const length = Math.max(old.length, now.length)
  for (let index = 0; index < length; index++) {
    const [one, other] = [old[index], now[index]]
    if (one && other && signOf(one) === signOf(other)) continue
    const nodeAt = (step: FlowStepTaken | undefined) => (step && 'nodeId' in step ? step.nodeId : undefined)
    // An end has no node: uses the last.
    const last = old.slice(0, index).findLast((step) => 'nodeId' in step)
    const nodeId = now.length === 0 ? null : (nodeAt(other) ?? nodeAt(one) ?? nodeAt(last) ?? null)
    return { before: old, after: now, difference: { nodeId } }
  }
  return { before: old, after: now, difference: undefined }
}
