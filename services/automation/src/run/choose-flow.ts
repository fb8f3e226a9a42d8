import type { FlowDocument, FlowNodeOf, FlowSettings } from '@prosa/contracts/flows/flow-document'
import type { Instant } from '@prosa/contracts/values/instant'
import { plainText } from '@prosa/contracts/values/text/plain-text'
import type { FlowRunEvent, FlowRuns } from './flow-run-state.ts'
import { type KeywordIndex, type Keywords, keywordIndex } from './keyword-index.ts'

/** The part of a document that decides when its flow starts. */
export type FlowBeginning = Pick<FlowDocument, 'nodes' | 'settings'>

/** A flow that is enabled. */
export interface Candidate {
  flowId: string
  version: number
  document: FlowBeginning
}

export interface StartFacts {
  now: Instant
  writtenAt: Instant
  connectionId: string
  /** In the tenant's order, then by first publication. */
  candidates: readonly Candidate[]
}

export interface StartingMessage extends StartFacts {
  text: string
  isFirst: boolean
  isOutOfHours: boolean
  /** This flow greets new contacts regardless of its trigger. */
  defaultFlowId: string | null
}

type StartedBy = Extract<FlowRunEvent, { type: 'FlowRunStarted' }>['data']['startedBy']

export interface Choice {
  flow: Candidate
  startedBy: StartedBy
}

type Trigger = FlowNodeOf<'trigger'>

interface Start {
  trigger: Trigger | undefined
  /** Normalized keywords; empty for other triggers. */
  words: readonly string[]
}

const starts = new WeakMap<FlowBeginning, Start>()

/** Cached per document. */
const startOf = (document: FlowBeginning): Start => {
  const known = starts.get(document)
  if (known) return known
  const trigger = document.nodes.find((node): node is Trigger => node.type === 'trigger')
  const start = trigger?.data.enabled ? trigger.data.start : undefined
  const words = start?.kind === 'keyword' ? start.words.map(plainText).filter((word) => word !== '') : []
  const found = { trigger, words }
  starts.set(document, found)
  return found
}

export const beginningOf = (document: FlowDocument): FlowBeginning => {
  const start = startOf(document)
  const beginning = { nodes: start.trigger ? [start.trigger] : [], settings: document.settings }
  starts.set(beginning, start)
  return beginning
}

/** The flow's weight in the cache. */
export const wordsOf = ({ document }: Candidate): number => startOf(document).words.length

const keywordsOf = ({ flowId, document }: Candidate): Keywords[] => {
  const { trigger, words } = startOf(document)
  const start = trigger?.data.start
  return start?.kind === 'keyword' && words.length > 0 ? [{ flowId, match: start.match, words }] : []
}

const indexes = new WeakMap<readonly Candidate[], KeywordIndex>()

/** Cached per list object. */
const indexOf = (candidates: readonly Candidate[]): KeywordIndex => {
  const known = indexes.get(candidates)
  if (known) return known
  const index = keywordIndex(candidates.flatMap(keywordsOf))
  indexes.set(candidates, index)
  return index
}

export const mayStartAgain = ({ again, againAfterHours }: FlowSettings, endedAt: Instant | undefined, now: Instant) => {
  if (endedAt === undefined || again === 'always') return true
  return again === 'after' && Date.parse(now) - Date.parse(endedAt) >= againAfterHours * 3_600_000
}

/** What keeps the flow from starting, whatever its trigger. */
export const obstacleTo = (
  { flowId, document: { settings } }: Candidate,
  { runs, endedAt }: FlowRuns,
  { now, connectionId }: StartFacts,
): 'running' | 'other_line' | 'ran_recently' | undefined => {
  if (runs.some((run) => run.flowId === flowId)) return 'running'
  if (settings.connectionIds.length > 0 && !settings.connectionIds.includes(connectionId)) return 'other_line'
  return mayStartAgain(settings, endedAt[flowId], now) ? undefined : 'ran_recently'
}

/** Input from before a resume starts none, even if redelivered. */
const isBefore = ({ resumedAt }: FlowRuns, { writtenAt }: StartFacts): boolean =>
  resumedAt !== null && writtenAt < resumedAt

const order = ['keyword', 'first_contact', 'out_of_hours', 'default_flow', 'any_message'] as const

const isSetOffBy = (
  { flowId, document }: Candidate,
  startedBy: (typeof order)[number],
  { isFirst, isOutOfHours, defaultFlowId }: StartingMessage,
  namedFlows: ReadonlySet<string>,
): boolean => {
  const { trigger } = startOf(document)
  if (!trigger?.data.enabled) return false
  if (startedBy === 'default_flow') return isFirst && flowId === defaultFlowId
  const { start } = trigger.data
  if (start.kind !== startedBy) return false
  if (start.kind === 'first_contact') return isFirst
  if (start.kind === 'out_of_hours') return isOutOfHours
  return start.kind !== 'keyword' || namedFlows.has(flowId)
}

/** Null: the trigger is off, or missing. */
export const startKindOf = ({ document }: Candidate) => {
  const { trigger } = startOf(document)
  return trigger?.data.enabled ? trigger.data.start.kind : null
}

/** For a candidate, the most specific of its triggers that the message sets off. */
export const triggersBy = (message: StartingMessage) => {
  const namedFlows = indexOf(message.candidates).flowsIn(plainText(message.text))
  return (candidate: Candidate) => order.find((startedBy) => isSetOffBy(candidate, startedBy, message, namedFlows))
}

/** The most specific trigger wins, then the first of the candidates. */
export const flowSetOffBy = (message: StartingMessage, state: FlowRuns): Choice | undefined => {
  if (isBefore(state, message)) return undefined
  const free = message.candidates.filter((each) => !obstacleTo(each, state, message))
  if (free.length === 0) return undefined
  const namedFlows = indexOf(message.candidates).flowsIn(plainText(message.text))
  for (const startedBy of order) {
    const flow = free.find((each) => isSetOffBy(each, startedBy, message, namedFlows))
    if (flow) return { flow, startedBy }
  }
  return undefined
}

export const flowSetOffByLabel = (labelId: string, facts: StartFacts, state: FlowRuns): Choice | undefined => {
  if (isBefore(state, facts)) return undefined
  const flow = facts.candidates.find((each) => {
    const { trigger } = startOf(each.document)
    const start = trigger?.data.start
    return (
      trigger?.data.enabled &&
      start?.kind === 'label_set' &&
      start.labelId === labelId &&
      !obstacleTo(each, state, facts)
    )
  })
  return flow && { flow, startedBy: 'label_set' }
}
