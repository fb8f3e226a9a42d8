import type { EventOf } from '@prosa/contracts/events/all-events'
import type { refusedDeliveryEvents } from '@prosa/contracts/events/billing'
import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import type { Decider } from '@prosa/kernel/domain/decider'
import { addressRetentionMs, hourMs, isAhead } from './hours.ts'
import type { Hour, RefusedCount } from './queries.ts'

export type RefusedDeliveriesEvent = EventOf<typeof refusedDeliveryEvents>
type DeliveriesRefused = Extract<RefusedDeliveriesEvent, { type: 'DeliveriesRefused' }>['data']

export type RefusedDeliveriesCommand =
  /** `at` is now; `counted` includes the last report's hour. */
  | {
      type: 'ReportRefused'
      data: {
        reportId: string
        at: Instant
        counted: readonly (RefusedCount & { hour: Hour })[]
      } & Pick<DeliveriesRefused, 'addresses' | 'lastAcceptedAt'>
    }
  | { type: 'ExpireAddresses'; data: { reportId: string } }

export interface RefusedDeliveries {
  /** Counted by the last report; null before the first. */
  counted: Pick<DeliveriesRefused, 'hour' | 'countedInHour'> | null
  /** No other report before this; null without refusals. */
  quietUntil: Instant | null
  /** Reports whose addresses are still readable. */
  reports: ReadonlySet<string>
}

const causeOf = ({ endpoint, reason }: Omit<RefusedCount, 'count'>) => `${endpoint} ${reason}`

/** More than an hour ahead: set by a wrong clock. */
export const isQuiet = (quietUntil: Instant | null, at: Instant): boolean => {
  const leftMs = quietUntil === null ? 0 : Date.parse(quietUntil) - Date.parse(at)
  return leftMs > 0 && leftMs <= hourMs
}

/** Unsigned requests are not Kiwify's: no reason to report. */
const unreported = (
  last: RefusedDeliveries['counted'],
  counted: readonly (RefusedCount & { hour: Hour })[],
): RefusedCount[] => {
  const before = new Map(last?.countedInHour.map((each) => [causeOf(each), each.count]))
  const causes = new Map<string, RefusedCount>()
  for (const { hour, endpoint, reason, count } of counted) {
    if (reason === 'unsigned' || (last !== null && hour < last.hour)) continue
    const known = hour === last?.hour ? (before.get(causeOf({ endpoint, reason })) ?? 0) : 0
    const cause = causes.get(causeOf({ endpoint, reason })) ?? { endpoint, reason, count: 0 }
    causes.set(causeOf(cause), { ...cause, count: cause.count + Math.max(0, count - known) })
  }
  return [...causes.values()].filter(({ count }) => count > 0)
}

const inLatestHour = (counted: readonly (RefusedCount & { hour: Hour })[]) => {
  const hour = counted.reduce((latest, each) => (each.hour > latest ? each.hour : latest), '')
  const countedInHour = counted.filter((each) => each.hour === hour).map(({ hour: _, ...cause }) => cause)
  return { hour, countedInHour }
}

/** At most one report an hour. */
export const refusedDeliveries: Decider<
  RefusedDeliveriesCommand,
  RefusedDeliveriesEvent,
  RefusedDeliveries,
  'unexpected'
> = {
  initial: { counted: null, quietUntil: null, reports: new Set() },
  decide: {
    ReportRefused: (state, { reportId, at, counted: all, addresses, lastAcceptedAt }) => {
      if (isQuiet(state.quietUntil, at)) return []
      // Counts in another process's next hour wait.
      const counted = all.filter(({ hour }) => !isAhead(hour, at))
      const causes = unreported(state.counted && isAhead(state.counted.hour, at) ? null : state.counted, counted)
      if (causes.length === 0) return state.quietUntil === null ? [] : [{ type: 'RefusalsCeased', data: {} }]
      const data: DeliveriesRefused = {
        reportId,
        count: causes.reduce((sum, { count }) => sum + count, 0),
        causes,
        ...inLatestHour(counted),
        addresses,
        lastAcceptedAt,
        nextReportAt: later(at, hourMs),
        expiresAt: later(at, addressRetentionMs),
      }
      return [{ type: 'DeliveriesRefused', data }]
    },
    ExpireAddresses: ({ reports }, { reportId }) =>
      reports.has(reportId) ? [{ type: 'RefusalAddressesExpired', data: { reportId } }] : [],
  },
  evolve: {
    DeliveriesRefused: ({ reports }, { reportId, hour, countedInHour, nextReportAt }) => ({
      counted: { hour, countedInHour },
      quietUntil: nextReportAt,
      reports: new Set([...reports, reportId]),
    }),
    RefusalsCeased: (state) => ({ ...state, quietUntil: null }),
    RefusalAddressesExpired: (state, { reportId }) => ({
      ...state,
      reports: new Set([...state.reports].filter((each) => each !== reportId)),
    }),
  },
}
