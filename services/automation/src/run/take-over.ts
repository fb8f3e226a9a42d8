import type { Instant } from '@prosa/contracts/values/instant'
import {
  type BotPause,
  type FlowRunEvent,
  type FlowRuns,
  foldRuns,
  isBotPaused,
  type Pause,
  type Run,
} from './flow-run-state.ts'
import { type Counted, countNow, type FlowLimits, limitWindowSeconds, type RecentFlows } from './recent-flows.ts'
import { ofRun } from './scene.ts'

export interface TakenOver {
  from: string
  runs: readonly Run[]
  at: Instant
  recent: RecentFlows
  paused: Pause | null
  botPause: BotPause | null
  limits: FlowLimits
  /** Null if the other contact does not wait. */
  handedOverAt: Instant | null
}

/** Excludes what counts already or precedes a resume. */
const newTo = ({ recent, resumedAt }: FlowRuns, kind: keyof RecentFlows, found: readonly Counted[]): Counted[] => {
  const known = new Set(recent[kind].map(({ id }) => id))
  return found.filter(({ id, at }) => !known.has(id) && (resumedAt === null || at > resumedAt))
}

/** The caller checks in the log for a later end of the conversation: clocks differ. */
const waitFor = ({ handedOver }: FlowRuns, { handedOverAt }: TakenOver): { handedOverAt?: Instant } =>
  handedOverAt === null || (handedOver?.at ?? '') >= handedOverAt ? {} : { handedOverAt }

const countsFor = (state: FlowRuns, taken: TakenOver): FlowRunEvent[] => {
  const { from, recent } = taken
  const starts = newTo(state, 'starts', recent.starts)
  const messages = newTo(state, 'messages', recent.messages)
  const wait = waitFor(state, taken)
  if (starts.length + messages.length === 0 && wait.handedOverAt === undefined) return []
  return [{ type: 'FlowCountsTakenOver', data: { from, starts, messages, ...wait } }]
}

/** Continues the other's pause, or begins one if combined counts exceed a limit. */
const pauseFor = (state: FlowRuns, { paused, at, limits }: TakenOver): FlowRunEvent[] => {
  if (state.paused) return []
  const nobody = { runId: null, occasion: null }
  if (paused && (state.resumedAt === null || paused.pausedAt > state.resumedAt))
    return [{ type: 'FlowsPaused', data: { ...paused, ...nobody } }]
  const counts = countNow(state.recent, at)
  const reason = counts.starts > limits.starts ? 'starts' : counts.messages > limits.messages ? 'messages' : null
  if (reason === null) return []
  return [
    { type: 'FlowsPaused', data: { pausedAt: at, reason, ...counts, withinSeconds: limitWindowSeconds, ...nobody } },
  ]
}

/** Continues the other's pause, where it lasts longer. */
const botPauseFor = (state: FlowRuns, { botPause, at }: TakenOver): FlowRunEvent[] => {
  if (!botPause || !isBotPaused({ ...state, botPause }, at)) return []
  const own = isBotPaused(state, at) ? state.botPause : null
  if (own && (own.until === null || (botPause.until !== null && botPause.until <= own.until))) return []
  const { until, attendantId } = botPause
  return [{ type: 'BotPaused', data: { pausedAt: at, until, attendantId } }]
}

/** As JSON: one append of 1 MiB, and encryption adds a third. */
const maxBytes = 500_000

const emptied = (run: Run): Run => ({ ...run, variables: {}, types: {}, kept: [] })

const reasonToEnd = (state: FlowRuns, at: Instant) => {
  if (state.paused) return 'possible_robot'
  if (state.handedOver) return 'waits_for_person'
  return isBotPaused(state, at) ? 'stopped' : null
}

/** Both chats of a person share one limit. Runs of flows that already run here, or too large, end. */
export const takeOver = (before: FlowRuns, taken: TakenOver): readonly FlowRunEvent[] => {
  const { from, at } = taken
  const events: FlowRunEvent[] = []
  let state = before
  const record = (found: readonly FlowRunEvent[]) => {
    events.push(...found)
    state = foldRuns(state, found)
  }
  const moved = taken.runs.filter(({ runId }) => !before.takenOver.includes(runId))
  let bytes = 0
  for (const run of moved) {
    const size = Buffer.byteLength(JSON.stringify(run))
    const ends = before.isErased || bytes + size > maxBytes || before.runs.some(({ flowId }) => flowId === run.flowId)
    if (!ends) bytes += size
    const goesOn = ends ? emptied(run) : run
    record([{ type: 'FlowRunTakenOver', data: { ...ofRun(run), from, state: JSON.stringify(goesOn) } }])
    const reason = before.isErased ? 'contact_erased' : 'contact_merged'
    if (ends) record([{ type: 'FlowRunEnded', data: { ...ofRun(run), endedAt: at, reason } }])
  }
  if (before.isErased) return events
  record(countsFor(state, taken))
  record(pauseFor(state, taken))
  record(botPauseFor(state, taken))
  const reason = reasonToEnd(state, at)
  if (reason) record(state.runs.map((run) => ({ type: 'FlowRunEnded', data: { ...ofRun(run), endedAt: at, reason } })))
  return events
}
