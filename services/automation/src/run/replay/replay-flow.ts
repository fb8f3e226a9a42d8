import type { FlowReplayDifference, FlowReplayPart, FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { isOpen } from '@prosa/contracts/values/time/is-open'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { readTimeline } from '@prosa/kernel/domain/read-timeline'
import type { Ports } from '@prosa/kernel/ports'
import { maxListed, requireBuilt, walkPart } from '@prosa/product/what-if/walk-part'
import { inOrder } from '../../order/flow-order.ts'
import { companyName, knownHours } from '../../others/known-business.ts'
import { firstNameIn, knownContact } from '../../others/known-contact.ts'
import { type KnownFields, knownFields } from '../../others/known-fields.ts'
import { knownLabels } from '../../others/known-labels.ts'
import type { Candidate } from '../choose-flow.ts'
import { type FlowFacts, type FlowLibrary, labelFacts } from '../flow-facts.ts'
import { findFlowsOn, findRunsBetween, listFlowContacts } from '../queries.ts'
import { flowContacts, runContacts } from '../run-contacts.ts'
import { type FlowRunHandlers, timeFacts } from '../run-handlers.ts'
import { missedStarts, type ReplayScene } from './missed-starts.ts'
import { messagesSince, pastRunOf } from './past-run.ts'
import { compareRuns, replayRun } from './replay-run.ts'

/** Of a flow with one contact. */
const maxRuns = 200
const maxMsOfContact = 4000
/** Of one chat. */
const maxEvents = 5000
/** Of the differences of a part, which then ends; and of those with one contact. */
const maxCharacters = 1_000_000
const maxOfContact = 500_000
/** A step's size without its text. */
const charactersOfStep = 150

type ReplayPorts = Pick<Ports, 'pool' | 'store' | 'codec' | 'clock' | 'readModels'>

interface Replayed {
  tenant: string
  flow: Candidate
  library: FlowLibrary
  from: Instant
  /** Exclusive. */
  until: Instant
  /** The contact after which this part begins; '' for the first. */
  after: string
}

interface Conversation {
  isOne: boolean
  runs: number
  different: number
  begun: number
  differences: FlowReplayDifference[]
  characters: number
  isCut: boolean
}

const nothing: Conversation = {
  ...{ isOne: false, runs: 0, different: 0, begun: 0, characters: 0, isCut: false },
  differences: [],
}

const charactersOf = (steps: readonly FlowStepTaken[]): number =>
  steps.reduce((sum, step) => sum + charactersOfStep + ('text' in step ? step.text.length : 0), 0)

/** Which of two flows that the same message starts comes first: the draft takes the place of its flow, and a new one is last. */
const rivalsAmong =
  (
    { documents }: FlowRunHandlers,
    tenant: string,
    draftId: string,
    order: readonly string[],
  ): ReplayScene['rivalsOf'] =>
  async (flowId, version) => {
    const rival = await documents.candidateOf(tenant, flowId, version)
    if (!rival) return { earlier: [], later: [] }
    const isEarlier = !order.includes(draftId) || order.indexOf(flowId) < order.indexOf(draftId)
    return isEarlier ? { earlier: [rival], later: [] } : { earlier: [], later: [rival] }
  }

interface Business {
  scene: ReplayScene
  labelsAt: (at: Instant) => ReadonlySet<string>
  companyAt: (at: Instant) => string
  fieldsAt: (at: Instant) => KnownFields
}

/** What the business was at any moment of the days. */
const businessOf = async (
  handlers: FlowRunHandlers,
  ports: ReplayPorts,
  { tenant, flow, library, from, until }: Replayed,
  slice: TimeSlice,
): Promise<Business> => {
  const order = inOrder(await findFlowsOn(ports.pool, tenant), await handlers.orderOf(tenant)).map(
    ({ flowId }) => flowId,
  )
  const knownAt = await readTimeline(ports, streamName('openingHours', tenant), tenant, knownHours, slice)
  const hoursAt = (at: Instant) => knownAt(at).hours
  const scene: ReplayScene = {
    ...{ tenant, flow, library, from, until, hoursAt, now: ports.clock.now() },
    isDefault: (await handlers.defaultOf(tenant)) === flow.flowId,
    rivalsOf: rivalsAmong(handlers, tenant, flow.flowId, order),
  }
  return {
    scene,
    labelsAt: await readTimeline(ports, streamName('label', tenant), tenant, knownLabels, slice),
    fieldsAt: await readTimeline(ports, streamName('contactField', tenant), tenant, knownFields, slice),
    companyAt: await readTimeline(ports, streamName('company', tenant), tenant, companyName, slice),
  }
}

interface PlayedAgain {
  runId: string
  contactId: string
  factsAt: (at: Instant) => FlowFacts
}

const compareRun = async (
  { documents }: FlowRunHandlers,
  ports: ReplayPorts,
  { tenant, flow, library, now, hoursAt }: ReplayScene,
  { runId, contactId, factsAt }: PlayedAgain,
  slice: TimeSlice,
) => {
  const past = await pastRunOf(ports, { tenant, contactId, runId, now }, slice)
  if (!past) return undefined
  const { started, startedAt } = past
  const hours = hoursAt(startedAt)
  const document = await documents.documentOf(tenant, started.flowId, started.version)
  const trigger = document?.nodes.flatMap((node) => (node.type === 'trigger' ? node.data.start : []))[0]
  const labelId = trigger?.kind === 'label_set' ? trigger.labelId : null
  const start = { isFirst: past.isFirst, isOutOfHours: hours !== null && !isOpen(hours, startedAt), labelId }
  const played = await replayRun({ ...past, start }, flow, { library, factsAt }, slice)
  const history = past.history.map(({ event }) => event)
  return { runId, startedAt, other: null, ...compareRuns(history, played) }
}

/** With the inputs, times and facts of then: the flow's runs with one contact again, and where it would have begun besides. */
const replayConversation = async (
  handlers: FlowRunHandlers,
  ports: ReplayPorts,
  { scene, labelsAt, companyAt, fieldsAt }: Business,
  contactId: string,
  slice: TimeSlice,
): Promise<Conversation> => {
  const began = performance.now()
  const { tenant, flow, from, until, now, hoursAt } = scene
  const asked = { tenant, flowId: flow.flowId, contactId, from, until, max: maxRuns + 1 }
  const runIds = await findRunsBetween(ports.pool, asked)
  const written = await messagesSince(ports, { contactId, tenant, since: from, maxEvents })
  const received = written.messages.filter(({ metadata }) => metadata.recordedAt < until)
  if (runIds.length + received.length === 0) return nothing
  const contactAt = await readTimeline(ports, streamName('contact', contactId), tenant, knownContact, slice)
  const contact = contactAt(now)
  if (contact.status === 'erased') return nothing
  const factsAt = (at: Instant): FlowFacts => {
    const known = contactAt(at)
    return {
      now: at,
      ...timeFacts(hoursAt(at), at),
      ...labelFacts(known.labelIds, labelsAt(at)),
      fields: fieldsAt(at),
      fieldValues: known.fieldValues,
      firstName: firstNameIn(known),
      company: companyAt(at),
      limits: handlers.limits,
    }
  }
  const runs = []
  for (const runId of runIds.slice(0, maxRuns)) {
    if (performance.now() - began > maxMsOfContact) break
    runs.push((await compareRun(handlers, ports, scene, { runId, contactId, factsAt }, slice)) ?? [])
  }
  const missed = await missedStarts(ports, scene, { contactId, contactAt, factsAt, received }, slice)
  const begun = missed.map(({ events, ...start }) => ({ ...start, ...compareRuns([], events) }))
  const all = [...runs.flat(), ...begun]
  const contactName = contact.givenName ?? contact.name
  const found = all.flatMap(({ difference, ...about }): FlowReplayDifference[] =>
    difference ? [{ ...about, contactId, contactName, nodeId: difference.nodeId }] : [],
  )
  let characters = 0
  const differences = found.filter(({ before, after: would }) => {
    characters += charactersOf(before) + charactersOf(would)
    return characters <= maxOfContact
  })
  return {
    isOne: true,
    ...{ runs: all.length, different: found.length, begun: begun.length, differences },
    characters: Math.min(characters, maxOfContact),
    isCut: runs.length < runIds.length || written.isCut || differences.length < found.length,
  }
}

/** One part of the conversations of the days. */
export const replayFlow = async (
  handlers: FlowRunHandlers,
  ports: ReplayPorts,
  replayed: Replayed,
  slice: TimeSlice,
): Promise<FlowReplayPart> => {
  const { tenant, from, after } = replayed
  requireBuilt(ports.readModels, [flowContacts.name, runContacts.name], tenant)
  const business = await businessOf(handlers, ports, replayed, slice)
  let characters = 0
  const replay = async (contactId: string) => {
    const conversation = await replayConversation(handlers, ports, business, contactId, slice)
    characters += conversation.characters
    return conversation
  }
  const listed = await listFlowContacts(ports.pool, tenant, after, maxListed)
  const { found, ...part } = await walkPart(listed, slice, replay, () => characters > maxCharacters)
  const sum = (of: (each: Conversation) => number) => found.reduce((total, each) => total + of(each), 0)
  const [runs, different] = [sum((each) => each.runs), sum((each) => each.different)]
  return {
    ...part,
    from,
    conversations: sum((each) => Number(each.isOne)),
    ...{ runs, different, same: runs - different, begun: sum((each) => each.begun) },
    differences: found
      .flatMap(({ differences }) => differences)
      .toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1)),
    isCut: found.some(({ isCut }) => isCut),
  }
}
