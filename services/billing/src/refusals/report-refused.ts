import type { Instant } from '@prosa/contracts/values/instant'
import type { WebhookEndpoint } from '@prosa/contracts/values/kiwify'
import type { Clock } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import { accepted, type BillingHandlers } from '../handlers.ts'
import { firstHourOfDay, hourOf, isAhead } from './hours.ts'
import { findRefused, findRefusedAddresses } from './queries.ts'
import { isQuiet } from './refused-deliveries.ts'

export type FindLastAccepted = (pool: Ports['pool']) => Promise<ReadonlyMap<WebhookEndpoint, Instant>>

export interface RefusalReports {
  report(context: CommandContext): Promise<void>
}

/** All webhooks belong to Kiwify. */
export const refusedDeliveriesId = 'kiwify'

const maxAddresses = 10

export const refusalReports = (
  { refusedDeliveries }: Pick<BillingHandlers, 'refusedDeliveries'>,
  { pool, clock }: { pool: Ports['pool']; clock: Clock },
  findLastAccepted: FindLastAccepted,
): RefusalReports => {
  /** Saves a read while no report is due. */
  let quietUntil: Instant | null = null

  /** Concurrent refusals share one report. */
  let reporting: Promise<void> | undefined

  const reportNow = async (at: Instant, context: CommandContext) => {
    const { counted: last } = await refusedDeliveries.load(refusedDeliveriesId, null)
    const from = last && !isAhead(last.hour, at) ? last.hour : firstHourOfDay(at)
    const hours = { from, to: hourOf(at) }
    const lastAccepted = [...(await findLastAccepted(pool)).values()].sort()
    const data = {
      reportId: deriveId('report of refused deliveries', at),
      at,
      counted: await findRefused(pool, hours),
      addresses: await findRefusedAddresses(pool, hours, maxAddresses),
      lastAcceptedAt: lastAccepted.at(-1) ?? null,
    }
    const reported = await refusedDeliveries(refusedDeliveriesId, { type: 'ReportRefused', data }, context)
    quietUntil = accepted(reported).quietUntil
  }

  return {
    report(context) {
      const at = clock.now()
      if (isQuiet(quietUntil, at)) return Promise.resolve()
      reporting ??= reportNow(at, context).finally(() => {
        reporting = undefined
      })
      return reporting
    },
  }
}
