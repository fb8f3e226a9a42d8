import type { Instant } from '@prosa/contracts/values/instant'

/** How often flows may start and speak with one contact within `limitWindowSeconds`. */
export interface FlowLimits {
  starts: number
  messages: number
}

/** For trying a draft out: its clock stands still between the messages that somebody writes there. */
export const noFlowLimits: FlowLimits = { starts: Number.POSITIVE_INFINITY, messages: Number.POSITIVE_INFINITY }

export const limitWindowSeconds = 600
const windowMs = limitWindowSeconds * 1000

/** A start or a message, by the id of the run or of the message: what is counted twice counts once. */
export interface Counted {
  id: string
  at: Instant
}

/** What flows did with one contact within the window: more than that is not kept. */
export interface RecentFlows {
  starts: readonly Counted[]
  messages: readonly Counted[]
}

export const noRecentFlows: RecentFlows = { starts: [], messages: [] }

const isWithin = (at: Instant, now: Instant) => Date.parse(now) - Date.parse(at) < windowMs

/** With more of them, and without those that are over by the latest of these. */
export const countedWith = (known: readonly Counted[], added: readonly Counted[]): readonly Counted[] => {
  const ids = new Set(known.map(({ id }) => id))
  const all = [...known, ...added.filter(({ id }) => !ids.has(id))]
  const latest = added.reduce((last, { at }) => (at > last ? at : last), '')
  return latest === '' ? known : all.filter(({ at }) => isWithin(at, latest))
}

/** How many there were in the window that ends now: what was exactly that long ago counts no more. */
export const countNow = ({ starts, messages }: RecentFlows, now: Instant): FlowLimits => ({
  starts: starts.filter(({ at }) => isWithin(at, now)).length,
  messages: messages.filter(({ at }) => isWithin(at, now)).length,
})
