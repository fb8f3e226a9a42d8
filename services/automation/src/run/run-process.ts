import { parseStream, streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { isOpen } from '@prosa/contracts/values/time/is-open'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFoldBack } from '@prosa/kernel/domain/read-fold'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import { conversationConnection } from '../others/conversation-connection.ts'
import { flowSetOffBy, flowSetOffByLabel } from './choose-flow.ts'
import type { EndReason, FlowRuns } from './flow-run-state.ts'
import { type FlowOn, findContactsInFlow, findContactsOnConnection, type RunContact } from './queries.ts'
import { noRecentFlows } from './recent-flows.ts'
import { runContacts } from './run-contacts.ts'
import type { FlowRunHandlers } from './run-handlers.ts'
import { fileName, spokenText } from './text/spoken-text.ts'
import { isLongAgo } from './what-may-start.ts'

/** What wakes the process. */
export interface Cause<E extends Stored = Stored> {
  event: E
  tenant: string
  context: CommandContext
}

/*
 * The runs of flows with a contact, from start to end. They are one stream a contact, on which `flow-runs.ts` decides: a command takes each
 * run through its flow until it waits or ends. What happens in other streams comes to them here; each step is a command that may be
 * repeated. `run-reactors.ts` and `continue-run-timer.ts` wake the process.
 *
 *   none, waiting     1 receiveMessage, receiveLabel → FlowRunStarted, or FlowAnswerReceived for the run that asks
 *                                                                               → waiting, handed over, paused or ended
 *   waiting           2 reachTime     → the delay is over, or nobody answered   → waiting, handed over, paused or ended
 *   handed over       3 resumeFlows   → FlowsResumed, as a person finished the conversation                → none
 *   paused            3 resumeFlows   → FlowsResumed, as a person looked after it                          → none
 *   all of these      4 moveRuns      → FlowRunMovedAway on the merged contact, then on the survivor FlowRunTakenOver and
 *                                       FlowCountsTakenOver                                                → the same there
 *   waiting           5 endRuns, endRunsInFlow, endRunsOnConnection, endLateRun → FlowRunEnded             → ended
 */

// 1. A message or a label

/** The reply out of hours, where it is on and this message came while the business was closed. */
const replyTo = async (
  { replyHoursOf, clock }: Pick<FlowRunHandlers, 'replyHoursOf' | 'clock'>,
  tenant: string,
  { data: { connectionId, sentAt } }: StoredOf<'MessageReceived'>,
) => {
  if (isLongAgo(sentAt, clock.now())) return null
  const { hours, isReplyOn } = await replyHoursOf(tenant)
  return isReplyOn && hours !== null && !isOpen(hours, sentAt) ? { connectionId, sentAt } : null
}

/** Answers the run that asks, else may start one of `flows`, else leaves it to the reply out of hours. */
export const receiveMessage = async (
  handlers: FlowRunHandlers,
  { event, tenant, context }: Cause<StoredOf<'MessageReceived'>>,
  flows: readonly FlowOn[],
): Promise<void> => {
  const { giveWithDocuments, personAt, candidatesFor, factsOf, hoursOf, defaultOf } = handlers
  const reply = await replyTo(handlers, tenant, event)
  if (flows.length === 0 && !reply) return
  const person = await personAt(tenant, parseStream(event.stream).id)
  if (person.state.status === 'erased' || person.state.status === 'absent') return
  const { messageId, connectionId, content, sentAt } = event.data
  const isAttended = person.state.status === 'attending'
  const candidates = await candidatesFor(tenant, person.state, sentAt, flows)
  const hours = await hoursOf(tenant)
  const start = candidates.length > 0 && {
    connectionId,
    candidates,
    writtenAt: event.metadata.recordedAt,
    isFirst: event.revision === 0n,
    isOutOfHours: hours !== null && !isOpen(hours, sentAt),
    defaultFlowId: await defaultOf(tenant),
  }
  const facts = await factsOf(tenant, person.state)
  const text = spokenText(content)
  const input = {
    ...{ contactId: person.id, messageId, text, file: fileName(content) },
    ...{ start: start || null, facts, reply: isAttended ? null : reply },
  }
  await giveWithDocuments(
    tenant,
    person.id,
    (library) => ({ type: 'ReceiveInput', data: { ...input, library } }),
    context,
    {
      startsBy: (state) => (start ? flowSetOffBy({ ...start, text, now: facts.now }, state) : undefined),
      ...(start && { settle: finishedWaitEnds(handlers, event, person.id, context) }),
    },
  )
}

export const receiveLabel = async (
  handlers: FlowRunHandlers,
  { event, tenant, context }: Cause<StoredOf<'ContactLabelled'>>,
  flows: readonly FlowOn[],
): Promise<void> => {
  const { giveWithDocuments, personAt, candidatesFor, factsOf } = handlers
  const person = await personAt(tenant, parseStream(event.stream).id)
  if (person.state.status === 'erased') return
  const candidates = await candidatesFor(tenant, person.state, event.metadata.recordedAt, flows)
  const connectionId = candidates.length > 0 ? await conversationConnection(handlers, tenant, person.id) : undefined
  if (connectionId === undefined) return
  const facts = await factsOf(tenant, person.state)
  const { labelId } = event.data
  const start = { connectionId, candidates, writtenAt: event.metadata.recordedAt }
  const given = { contactId: person.id, labelId, occasion: event.id, start, facts }
  await giveWithDocuments(
    tenant,
    person.id,
    (library) => ({ type: 'ReceiveLabel', data: { ...given, library } }),
    context,
    {
      startsBy: (state) => flowSetOffByLabel(labelId, { ...start, now: facts.now }, state),
      settle: finishedWaitEnds(handlers, event, person.id, context),
    },
  )
}

// 2. The time

export interface DueRun {
  runId: string
  contactId: string
  flowId: string
  version: number
  dueAt: Instant
}

/** Of a delay, an answer's limit or silence: a run waits for one at a time. */
export const reachTime = async (
  { giveWithDocuments, personAt, factsOf }: FlowRunHandlers,
  tenant: string,
  { runId, contactId, flowId, version, dueAt }: DueRun,
  context: CommandContext,
): Promise<void> => {
  const { state: contact } = await personAt(tenant, contactId)
  const known = await factsOf(tenant, contact)
  // Another process's clock may be ahead.
  const facts = { ...known, now: known.now > dueAt ? known.now : dueAt }
  await giveWithDocuments(
    tenant,
    contactId,
    (library) => ({ type: 'ReachTime', data: { runId, facts, library } }),
    context,
    { named: [{ flowId, version }] },
  )
}

// 3. Handed over or paused

const isTransfer = ({ type, data }: RecordedEvent): boolean =>
  (type === 'FlowRunEnded' && data.reason === 'handed_over') ||
  (type === 'FlowCountsTakenOver' && data.handedOverAt !== undefined)

/** Transfer and end of conversation are in different streams: log positions decide, as clocks differ. */
const transferOf = async ({ store }: FlowRunHandlers, contactId: string): Promise<Position | undefined> => {
  for await (const page of store.readBack(streamName('flowRun', contactId)))
    for (const event of page) if (isTransfer(event)) return event.position
  return undefined
}

const finishedBetween = (after: Position, before?: Position): Reader<StoredOf<'ConversationResolved'>, boolean> => ({
  initial: false,
  evolve: {
    ConversationResolved: (isFinished, { flowId }, { position }) =>
      isFinished || (flowId === undefined && position > after && (before === undefined || position < before)),
  },
})

/** `before` undefined: until now. */
const isFinishedBetween = (
  { store, codec }: FlowRunHandlers,
  { id, tenant }: { id: string; tenant: string | null },
  after: Position,
  before?: Position,
): Promise<boolean> =>
  readFoldBack({ store, codec }, 'contact', finishedBetween(after, before), {
    id,
    tenant,
    isDone: (isFinished, page) => isFinished || page.some(({ position }) => position <= after),
  })

/** False if a flow transferred the contact again since. */
const endsWait = async (handlers: FlowRunHandlers, { event, tenant }: Cause): Promise<boolean> => {
  const { id } = parseStream(event.stream)
  if (event.type !== 'ConversationResolved') return false
  const { handedOver } = await handlers.runs.load(id, tenant)
  const transfer = handedOver && (await transferOf(handlers, id))
  return !!transfer && transfer < event.position
}

/** A merged contact's state moves, and nobody finishes its conversation. */
export const resumeFlows = async (handlers: FlowRunHandlers, cause: Cause): Promise<void> => {
  const { event, context } = cause
  const { id } = parseStream(event.stream)
  const data = { at: event.metadata.recordedAt, isFinished: await endsWait(handlers, cause) }
  await handlers.give(id, { type: 'ResumeFlows', data }, context)
}

/** Before 25 November 2026 nothing recorded that finishing ended a wait: made up for when something would start. */
const finishedWaitEnds =
  (handlers: FlowRunHandlers, event: Stored, contactId: string, context: CommandContext) =>
  async ({ handedOver }: FlowRuns): Promise<void> => {
    const transfer = handedOver && (await transferOf(handlers, contactId))
    const conversation = { id: contactId, tenant: event.metadata.tenant }
    if (!transfer || !(await isFinishedBetween(handlers, conversation, transfer, event.position))) return
    const step = { ...context, commandId: deriveId(context.commandId, 'finished') }
    // So later messages may start a flow.
    await handlers.give(contactId, { type: 'ResumeFlows', data: { at: handedOver.at, isFinished: true } }, step)
  }

// 4. Merged

/** Moves runs, counts and wait to the present survivor. After a separation they stay. */
export const moveRuns = async (
  handlers: FlowRunHandlers,
  { event, tenant, context }: Cause<StoredOf<'ContactAbsorbed'>>,
): Promise<void> => {
  const { give, runs: flowRuns, personAt, clock, limits } = handlers
  const from = parseStream(event.stream).id
  const { asOf: _, ...rest } = context
  const stepTo = (to: string) => ({ ...rest, commandId: deriveId(context.commandId, to) })
  const survivor = await personAt(tenant, from)
  if (survivor.id === from) {
    await completeMoves(handlers, await flowRuns.load(from, tenant), { from, except: from }, stepTo)
    return
  }
  const moved = await give(from, { type: 'MoveRunsAway', data: { to: survivor.id } }, context)
  if (!moved.ok) throw new Error('the runs belong to another tenant')
  await completeMoves(handlers, moved.state, { from, except: survivor.id }, stepTo)
  const runs = moved.state.moved.filter(({ to }) => to === survivor.id).map(({ run }) => run)
  const { recent, paused, handedOver, botPause } = moved.state
  const conversation = { id: survivor.id, tenant }
  const waits = handedOver !== null && !(await isFinishedBetween(handlers, conversation, event.position))
  if (runs.length + recent.starts.length + recent.messages.length === 0 && !paused && !waits && !botPause) return
  const at = clock.now()
  const step = stepTo(survivor.id)
  const handedOverAt = waits ? event.metadata.recordedAt : null
  const data = { from, runs, at, recent, paused, botPause, limits, handedOverAt }
  await give(survivor.id, { type: 'TakeRunsOver', data }, step)
  // Finished between read and append: no event follows, as nobody waited.
  if (waits && (await isFinishedBetween(handlers, conversation, event.position))) {
    const finished = { ...step, commandId: deriveId(step.commandId, 'finished') }
    await give(survivor.id, { type: 'ResumeFlows', data: { at: clock.now(), isFinished: true } }, finished)
  }
  if (survivor.state.status !== 'attending') return
  const last = { ...step, commandId: deriveId(step.commandId, 'attended') }
  await give(survivor.id, { type: 'EndRuns', data: { at, reason: 'accepted' } }, last)
}

/** Runs that an interrupted attempt moved away to another, before a separation: that one takes them over. */
const completeMoves = async (
  { give, clock, limits }: FlowRunHandlers,
  { moved }: FlowRuns,
  { from, except }: { from: string; except: string },
  stepTo: (to: string) => CommandContext,
): Promise<void> => {
  for (const to of new Set(moved.map((each) => each.to))) {
    if (to === except) continue
    const runs = moved.filter((each) => each.to === to).map(({ run }) => run)
    const nothingElse = { recent: noRecentFlows, paused: null, botPause: null, handedOverAt: null }
    const data = { from, runs, at: clock.now(), limits, ...nothingElse }
    await give(to, { type: 'TakeRunsOver', data }, stepTo(to))
  }
}

// 5. Ended from outside

/** An attendant accepted the conversation, or the contact was erased. */
export const endRuns = async (
  { give, personAt, clock }: FlowRunHandlers,
  { event, tenant, context }: Cause,
  reason: EndReason,
): Promise<void> => {
  const { id } = await personAt(tenant, parseStream(event.stream).id)
  await give(id, { type: 'EndRuns', data: { at: clock.now(), reason } }, context)
}

const maxWaitMs = 2000
const maxConcurrent = 8

const endAll = async (
  { give, clock, readModels }: FlowRunHandlers,
  { event, context }: Omit<Cause, 'tenant'>,
  find: () => Promise<RunContact[]>,
  about: { reason: EndReason; flowId?: string; connectionId?: string },
  isLeft: (run: RunContact) => Promise<boolean> = async () => false,
): Promise<void> => {
  if (!(await readModels.reached([runContacts.name], event.position, maxWaitMs)))
    throw new StoreUnavailable('the runs are not known up to this position of the log yet')
  const left = [...new Map((await find()).map((run) => [run.contactId, run])).values()]
  const work = async () => {
    for (let each = left.pop(); each; each = left.pop()) {
      if (await isLeft(each)) continue
      const step = { ...context, tenant: each.tenant, commandId: deriveId(context.commandId, each.contactId) }
      await give(each.contactId, { type: 'EndRuns', data: { ...about, at: clock.now() } }, step)
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
}

export const endRunsInFlow = (
  handlers: FlowRunHandlers,
  cause: Omit<Cause<StoredOf<'FlowDeleted'>>, 'tenant'>,
): Promise<void> => {
  const flowId = parseStream(cause.event.stream).id
  const find = () => findContactsInFlow(handlers.pool, flowId)
  return endAll(handlers, cause, find, { reason: 'flow_deleted', flowId })
}

/** Only runs of conversations still on the removed connection: others go on over the new number (docs/decisions/0054). */
export const endRunsOnConnection = (
  handlers: FlowRunHandlers,
  cause: Omit<Cause<StoredOf<'ConnectionRemoved'>>, 'tenant'>,
): Promise<void> => {
  const connectionId = parseStream(cause.event.stream).id
  const find = () => findContactsOnConnection(handlers.pool, connectionId)
  const hasMoved = async ({ contactId, tenant }: RunContact): Promise<boolean> => {
    const current = await conversationConnection(handlers, tenant, contactId)
    if (current === undefined || current === connectionId) return false
    return !(await handlers.isConnectionRemoved(tenant, current))
  }
  return endAll(handlers, cause, find, { reason: 'connection_removed', connectionId }, hasMoved)
}

/** A run may start while its flow is deleted or its connection removed. */
export const endLateRun = async (
  { give, documents, isConnectionRemoved, clock }: FlowRunHandlers,
  { event, tenant, context }: Cause<StoredOf<'FlowRunStarted'>>,
): Promise<void> => {
  const { runId, flowId, connectionId } = event.data
  const isDeleted = await documents.isDeleted(tenant, flowId)
  if (!isDeleted && !(await isConnectionRemoved(tenant, connectionId))) return
  const reason = isDeleted ? 'flow_deleted' : 'connection_removed'
  const contactId = parseStream(event.stream).id
  await give(contactId, { type: 'EndRuns', data: { at: clock.now(), reason, runId } }, context)
}
