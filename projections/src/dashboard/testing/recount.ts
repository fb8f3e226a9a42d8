import type { Activity } from '@prosa/contracts/http/dashboard'
import type { Recorded } from './random-days.ts'

/** UTC−3 since 2019. */
const local = (at: string) => new Date(Date.parse(at) - 3 * 3_600_000).toISOString()
const dayOf = (at: string) => local(at).slice(0, 10)
const hourOf = (at: string) => Number(local(at).slice(11, 13))

const median = (numbers: readonly number[]): number | null => {
  const sorted = numbers.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

const waitsOf = (log: readonly Recorded[]): { at: string; tenant: string; seconds: number }[] => {
  const waiting = new Map<string, string | null>()
  return log.flatMap(({ contactId, at, tenant, event }) => {
    const since = waiting.get(contactId)
    if (event.type === 'ContactAdded') waiting.set(contactId, event.data.origin === 'message' ? at : null)
    if (event.type === 'ConversationReopened') waiting.set(contactId, at)
    if (event.type === 'MessageReceived' && since === null) waiting.set(contactId, at)
    if (event.type === 'MessageSentElsewhere') waiting.set(contactId, null)
    if (event.type !== 'ConversationAccepted' || !since) return []
    return [{ at, tenant, seconds: (Date.parse(at) - Date.parse(since)) / 1000 }]
  })
}

/** Reference implementation; `hour` counts that hour of each day only. */
export const recount = (
  log: readonly Recorded[],
  tenant: string,
  from: string,
  to: string,
  hour?: number,
): Activity => {
  const isInside = (each: { at: string; tenant: string }) =>
    each.tenant === tenant &&
    dayOf(each.at) >= from &&
    dayOf(each.at) <= to &&
    (hour === undefined || hourOf(each.at) === hour)
  const inside = log.filter(isInside)
  const count = (counts: (event: Recorded['event']) => boolean) => inside.filter(({ event }) => counts(event)).length
  const waits = waitsOf(log).filter(isInside)
  return {
    received: count(({ type }) => type === 'MessageReceived'),
    sent: count(
      (event) => event.type === 'MessageSentElsewhere' || (event.type === 'MessageQueued' && !event.data.isRetry),
    ),
    resolved: count(({ type }) => type === 'ConversationResolved'),
    contacts: count(({ type }) => type === 'ContactAdded'),
    accepted: waits.length,
    medianWaitSeconds: median(waits.map(({ seconds }) => seconds)),
  }
}
