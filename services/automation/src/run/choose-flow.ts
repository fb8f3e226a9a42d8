import type { FlowDocument, FlowNodeOf, FlowSettings } from '@prosa/contracts/flows/flow-document'
import type { Instant } from '@prosa/contracts/values/instant'
import type { FlowRunEvent, FlowRuns } from './flow-run-state.ts'
import { hasWord, plainText } from './plain-text.ts'

/** A flow that is on. */
export interface Candidate {
  flowId: string
  version: number
  document: FlowDocument
}

export interface StartFacts {
  now: Instant
  connectionId: string
  /** In the order in which they were published first. */
  candidates: readonly Candidate[]
}

/** A message, as it may set a flow off. */
export interface StartingMessage extends StartFacts {
  text: string
  /** The first thing that was ever written in this chat. */
  isFirst: boolean
  /** It was written while the business was closed. */
  isOutOfHours: boolean
  /** The flow that greets new contacts, whatever starts it otherwise. */
  defaultFlowId: string | null
}

type StartedBy = Extract<FlowRunEvent, { type: 'FlowRunStarted' }>['data']['startedBy']

export interface Choice {
  flow: Candidate
  startedBy: StartedBy
}

const triggerOf = ({ nodes }: FlowDocument): FlowNodeOf<'trigger'> | undefined =>
  nodes.find((node): node is FlowNodeOf<'trigger'> => node.type === 'trigger')

const isOver = ({ again, againAfterHours }: FlowSettings, endedAt: Instant | undefined, now: Instant) => {
  if (endedAt === undefined || again === 'always') return true
  return again === 'after' && Date.parse(now) - Date.parse(endedAt) >= againAfterHours * 3_600_000
}

/** Whether nothing but its trigger keeps a flow from starting. */
const isFree = (
  { flowId, document: { settings } }: Candidate,
  { runs, endedAt }: FlowRuns,
  { now, connectionId }: StartFacts,
): boolean =>
  !runs.some((run) => run.flowId === flowId) &&
  (settings.connectionIds.length === 0 || settings.connectionIds.includes(connectionId)) &&
  isOver(settings, endedAt[flowId], now)

const order = ['keyword', 'first_contact', 'out_of_hours', 'default_flow', 'any_message'] as const

const isSetOffBy = (
  { flowId, document }: Candidate,
  startedBy: (typeof order)[number],
  { text, isFirst, isOutOfHours, defaultFlowId }: StartingMessage,
): boolean => {
  const trigger = triggerOf(document)
  if (!trigger?.data.enabled) return false
  if (startedBy === 'default_flow') return isFirst && flowId === defaultFlowId
  const { start } = trigger.data
  if (start.kind !== startedBy) return false
  if (start.kind === 'first_contact') return isFirst
  if (start.kind === 'out_of_hours') return isOutOfHours
  if (start.kind !== 'keyword') return true
  const plain = plainText(text)
  const words = start.words.map(plainText).filter((word) => word !== '')
  return words.some((word) => (start.match === 'equals' ? plain === word : hasWord(plain, word)))
}

/** The one flow that a message sets off: the most particular reason first, and among equals what was published first. */
export const flowSetOffBy = (message: StartingMessage, state: FlowRuns): Choice | undefined => {
  const free = message.candidates.filter((each) => isFree(each, state, message))
  for (const startedBy of order) {
    const flow = free.find((each) => isSetOffBy(each, startedBy, message))
    if (flow) return { flow, startedBy }
  }
  return undefined
}

/** The one flow that starts because this label was put on the contact. */
export const flowSetOffByLabel = (labelId: string, facts: StartFacts, state: FlowRuns): Choice | undefined => {
  const flow = facts.candidates.find((each) => {
    const trigger = triggerOf(each.document)
    const start = trigger?.data.start
    return (
      trigger?.data.enabled && start?.kind === 'label_set' && start.labelId === labelId && isFree(each, state, facts)
    )
  })
  return flow && { flow, startedBy: 'label_set' }
}
