import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { foldInto } from '@prosa/kernel/consumers/projections/writing/fold-batch'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { entitlementOf, newAccount } from '@prosa/product/entitlements/entitlement-of'
import { planObstacle } from '@prosa/product/entitlements/plan-obstacle'
import type { AccountRules } from '@prosa/product/entitlements/plan-rules'
import { usage } from '../usage/projection.ts'
import { factsOf } from '../usage/queries.ts'
import type { UsageRow } from '../usage/table.ts'
import type { Period } from './changed-access.ts'

interface Reached {
  messages: Instant | null
  connections: Instant | null
}

/** One account by one set of rules, folded by the read model's own handlers. */
const account = (tenant: string, rules: AccountRules, unlimitedProducts: readonly string[]) => {
  const rows = new Map<string, UsageRow>()
  const usageAt = (at: Instant) => {
    const row = rows.get(tenant)
    return entitlementOf(row ? factsOf({ ...row, unlimitedProducts, confirmBy: null }, at) : newAccount, rules, at)
  }
  const reached: Reached = { messages: null, connections: null }
  return {
    reached,
    usageAt,
    fold: (event: Stored) => foldInto(usage, rows, event),
    /** Notes which limits are used up. */
    look(at: Instant) {
      const { messages, connections } = usageAt(at)
      if (messages.limit !== null && messages.used >= messages.limit) reached.messages ??= at
      if (connections.limit !== null && connections.used >= connections.limit) reached.connections ??= at
    },
  }
}

export interface UsageCompared {
  was: Reached
  would: Reached
  blockedSends: number
  allowedSends: number
  blockedConnections: number
}

interface Compared {
  tenant: string
  /** In the order of the log: of the subscription, of connections, and of what the account sent since the period's first month. */
  events: readonly Stored[]
  /** The subscription's as they would have been, by event id. */
  changed: ReadonlyMap<string, Stored>
  rules: AccountRules
  otherRules: AccountRules
  unlimitedProducts: readonly string[]
  period: Period
}

const isFull = ({ used, limit }: { used: number; limit: number | null }) => limit !== null && used >= limit

/** What other rules would have refused, and what they would have let go. What really was sent was not in the way of today's rules. */
export const compareUsage = async (
  { tenant, events, changed, rules, otherRules, unlimitedProducts, period: { from, until } }: Compared,
  slice: TimeSlice,
): Promise<UsageCompared> => {
  const then = account(tenant, rules, unlimitedProducts)
  const other = account(tenant, otherRules, unlimitedProducts)
  const compared = { blockedSends: 0, allowedSends: 0, blockedConnections: 0 }
  const neverAdded = new Set<string>()
  let hasBegun = false

  /** The event as it would have been; undefined: it would not have happened. */
  const otherEvent = (event: Stored, isCounted: boolean): Stored | undefined => {
    const at = event.metadata.recordedAt
    if (event.type === 'MessageQueued') {
      const { isRetry, isRefused, wasRefused } = event.data
      if (isRetry && !wasRefused) return event
      const [was, would] = [planObstacle(then.usageAt(at)), planObstacle(other.usageAt(at))]
      if (isRefused && was !== undefined && would === undefined) {
        if (isCounted) compared.allowedSends += 1
        return { ...event, data: { ...event.data, isRefused: undefined } } as unknown as Stored
      }
      if (isRefused || would === undefined || was !== undefined) return event
      if (isCounted) compared.blockedSends += 1
      return undefined
    }
    const connectionId = parseStream(event.stream).id
    if (event.type === 'ConnectionAdded') {
      if (!isFull(other.usageAt(at).connections) || isFull(then.usageAt(at).connections)) return event
      neverAdded.add(connectionId)
      if (isCounted) compared.blockedConnections += 1
      return undefined
    }
    if (event.type === 'ConnectionRemoved' && neverAdded.has(connectionId)) return undefined
    return changed.get(event.id) ?? event
  }

  for (const event of events) {
    if (slice.isDue()) await slice.turn()
    const at = event.metadata.recordedAt
    if (at >= until) break
    if (at >= from && !hasBegun) {
      hasBegun = true
      for (const each of [then, other]) each.look(from)
    }
    const instead = otherEvent(event, at >= from)
    then.fold(event)
    if (instead) other.fold(instead)
    if (at >= from) for (const each of [then, other]) each.look(at)
  }
  if (!hasBegun) for (const each of [then, other]) each.look(from)
  return { was: then.reached, would: other.reached, ...compared }
}
