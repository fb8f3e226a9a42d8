import type { Instant } from '@prosa/contracts/values/instant'

/** Per contact within `limitWindowSeconds`. */
export interface FlowLimits {
  starts: number
  messages: number
}

/** The clock of dry runs stands still between messages. */
export const noFlowLimits: FlowLimits = { starts: Number.POSITIVE_INFINITY, messages: Number.POSITIVE_INFINITY }

export const limitWindowSeconds = 600
const windowMs = limitWindowSeconds * 1000

/** By id, so duplicates count once. */
export interface Counted {
  id: string
  at: Instant
}

export interface RecentFlows {
  starts: readonly Counted[]
  messages: readonly Counted[]
}

export const noRecentFlows: RecentFlows = { starts: [], messages: [] }

const isWithin = (at: Instant, now: Instant) => Date.parse(now) - Date.parse(at) < windowMs

/** Drops entries outside the latest window. */
export const countedWith = (known: readonly Counted[], added: readonly Counted[]): readonly Counted[] => {
  const ids = new Set(known.map(({ id }) => id))
  const all = [...known, ...added.filter(({ id }) => !ids.has(id))]
  const latest = added.reduce((last, { at }) => (at > last ? at : last), '')
  return latest === '' ? known : all.filter(({ at }) => isWithin(at, latest))
}

/** Excludes an entry exactly one window old. */
export const countNow = ({ starts, messages }: RecentFlows, now: Instant): FlowLimits => ({
  starts: starts.filter(({ at }) => isWithin(at, now)).length,
  messages: messages.filter(({ at }) => isWithin(at, now)).length,
})
