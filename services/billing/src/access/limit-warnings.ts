import type { Instant } from '@prosa/contracts/values/instant'
import { nextWarningAt, warnedPercentOf } from '@prosa/contracts/values/plan'
import { saoPauloMonth } from '@prosa/contracts/values/time/sao-paulo'
import { repeat } from '@prosa/kernel/async/retry'
import { later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { PlanRules } from '@prosa/product/entitlements/plan-rules'
import type { Ports } from '@prosa/product/ports'
import { accepted, type BillingHandlers } from '../handlers.ts'

/** Accounts with at least so many messages in the month that began at `since`. */
export type FindBusy = (
  pool: Ports['pool'],
  asked: { since: Instant; atLeast: number },
) => Promise<readonly { id: string; sent: number }[]>

const pauseMs = 60_000
/** A plan may change meanwhile. */
const lookAgainMs = 600_000

const contextOf = (tenant: string, ...about: (string | number)[]): CommandContext => {
  const commandId = deriveId('limit warning', tenant, ...about.map(String))
  const actor = { kind: 'system', id: 'limit-warnings' } as const
  return { commandId, actor, tenant, causationId: commandId, correlationId: commandId }
}

/** From where on anybody may have to be warned; undefined where no plan has a limit. */
const leastWarningOf = ({ limits }: PlanRules): number | undefined => {
  const least = Object.values(limits).map(({ messages }) => nextWarningAt({ used: 0, limit: messages || null }))
  const first = Math.min(...least)
  return Number.isFinite(first) ? first : undefined
}

/** Looks once a minute whose month is nearly used up. Beside sending, which it never delays; each warning is one event, whoever gives it. */
export const limitWarnings = (
  { subscriptions }: Pick<BillingHandlers, 'subscriptions'>,
  { pool, clock, log, entitlements }: Pick<Ports, 'pool' | 'clock' | 'log' | 'entitlements'>,
  { findBusy, planRules }: { findBusy: FindBusy; planRules: PlanRules },
) => {
  const atLeast = leastWarningOf(planRules)
  /** Until when, and up to how many messages, an account gets no warning. */
  let settled = new Map<string, { until: Instant; below: number }>()
  let period = ''

  const look = async (id: string, now: Instant) => {
    const { access, messages, periodStart } = await entitlements.of(id)
    const { used, limit } = messages
    const percent = warnedPercentOf(messages)
    if (percent !== undefined && limit !== null && access !== 'ended') {
      const data = { percent, used, limit, periodStart }
      accepted(await subscriptions(id, { type: 'WarnOfLimit', data }, contextOf(id, periodStart, limit, percent)))
    }
    settled.set(id, { until: later(now, lookAgainMs), below: nextWarningAt(messages) })
  }

  const sweep = async (): Promise<void> => {
    if (atLeast === undefined) return
    const now = clock.now()
    const { from: since } = saoPauloMonth(now)
    if (since !== period) settled = new Map()
    period = since
    for (const { id, sent } of await findBusy(pool, { since, atLeast })) {
      const known = settled.get(id)
      if (known && now < known.until && sent < known.below) continue
      // One account that fails must not keep the others waiting.
      await look(id, now).catch((error: unknown) => log.warn({ err: error, tenant: id }, 'a limit was not warned of'))
    }
  }

  return {
    sweep,
    run: (signal: AbortSignal) =>
      repeat(sweep, {
        signal,
        pauseAfter: () => pauseMs,
        onFailure: (error) => log.warn({ err: error }, 'limits could not be looked at'),
      }),
  }
}
