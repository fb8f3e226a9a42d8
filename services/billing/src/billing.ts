import { hasShortToken, minTokenLength, webhookEndpoint } from '@prosa/contracts/values/kiwify'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Service } from '@prosa/kernel/ports'
import { accessRoutes } from './access-routes.ts'
import { applyOnDeliveryReceived } from './apply-on-delivery-received.ts'
import { assignOnEntitlementClaimed } from './assign-on-entitlement-claimed.ts'
import { assignOnSubscriberRemembered } from './assign-on-subscriber-remembered.ts'
import { attachAddressOnEntitlementClaimed } from './attach-address-on-entitlement-claimed.ts'
import { buyerRoutes } from './buyer-routes.ts'
import { claimOnEmailConfirmed } from './claim-on-email-confirmed.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { endAccessTimer } from './end-access-timer.ts'
import { eraseBuyer } from './erase-buyer.ts'
import { eraseOnBuyerErased } from './erase-on-buyer-erased.ts'
import { expireDeliveryTimer } from './expire-delivery-timer.ts'
import { forgetBuyerOnUserErased } from './forget-buyer-on-user-erased.ts'
import { forgetOnDeliveryExpired } from './forget-on-delivery-expired.ts'
import { billingHandlers } from './handlers.ts'
import { type KiwifyTokens, kiwifyRoutes } from './kiwify-routes.ts'
import { billingMigrations } from './migrations/billing-migrations.ts'
import { planDays, soldPlanOf } from './plan-days.ts'
import { planRoutes } from './plan-routes.ts'
import { receivedDeliveries } from './received-delivery.ts'
import { countRefused } from './refusals/count-refused.ts'
import { expireRefusalAddressesTimer } from './refusals/expire-refusal-addresses-timer.ts'
import { flushCounts } from './refusals/flush-counts.ts'
import { forgetOnRefusalAddressesExpired } from './refusals/forget-on-refusal-addresses-expired.ts'
import { refusalRoutes } from './refusals/refusal-routes.ts'
import { refusedCounter } from './refusals/refused-counter.ts'
import { type FindLastAccepted, refusalReports } from './refusals/report-refused.ts'
import { reportRefusedTimer } from './refusals/report-refused-timer.ts'
import { settleOnOrderReported } from './settle-on-order-reported.ts'
import { startTrialOnUserRegistered } from './start-trial-on-user-registered.ts'
import { type FindAccountId, transactionRoutes } from './transaction-routes.ts'

export interface BillingOptions {
  kiwifyTokens: KiwifyTokens
  /** Retention of raw bytes. */
  deliveryRetentionDays: number
  findAccountId: FindAccountId
  findLastAccepted?: FindLastAccepted
}

/** Only warns: may be in use already. */
const warnOfShortTokens = (log: Logger, tokens: KiwifyTokens) => {
  for (const endpoint of webhookEndpoint.options)
    if (hasShortToken(tokens[endpoint]))
      log.warn(
        { endpoint },
        `a Kiwify token has fewer than ${minTokenLength} characters and can be guessed: replace it`,
      )
}

export const billing = ({
  kiwifyTokens: tokens,
  deliveryRetentionDays: retentionDays,
  findAccountId,
  findLastAccepted = async () => new Map(),
}: BillingOptions): Service => ({
  name: 'billing',
  migrations: billingMigrations,
  async mount(ports) {
    const handlers = billingHandlers(ports)
    const readModels = await keepReadModels([readModel(planDays)], ports)
    const planOf = soldPlanOf(ports)
    const erase = eraseBuyer(handlers, ports.subjectKeys)
    const counter = refusedCounter(ports)
    const reports = refusalReports(handlers, ports, findLastAccepted)
    const onError = countRefused(ports, counter, reports)
    warnOfShortTokens(ports.log, tokens)
    return {
      async routes(app) {
        await app.register(
          kiwifyRoutes({ handlers, box: ports.box, clock: ports.clock, tokens, retentionDays, onError }),
        )
        await app.register(refusalRoutes(ports))
        await app.register(deliveryRoutes({ ...ports, handlers, soldPlanOf: planOf }))
        await app.register(planRoutes({ handlers, roles: ports.roles }))
        await app.register(accessRoutes({ handlers, clock: ports.clock, roles: ports.roles }))
        await app.register(transactionRoutes(ports, { handlers, findAccountId }))
        await app.register(buyerRoutes(ports, { handlers, findAccountId }))
      },
      reactors: [
        startTrialOnUserRegistered(handlers),
        applyOnDeliveryReceived(handlers, ports.box, planOf, receivedDeliveries(ports), erase),
        settleOnOrderReported(handlers, ports.box, erase),
        forgetBuyerOnUserErased(handlers, erase),
        assignOnSubscriberRemembered(handlers),
        assignOnEntitlementClaimed(handlers),
        attachAddressOnEntitlementClaimed(handlers, erase),
        claimOnEmailConfirmed(ports, handlers),
        forgetOnDeliveryExpired(ports.subjectKeys),
        eraseOnBuyerErased(ports, erase),
        forgetOnRefusalAddressesExpired(ports.subjectKeys),
      ],
      timers: [
        endAccessTimer(handlers, ports.clock),
        expireDeliveryTimer(handlers, ports.clock),
        reportRefusedTimer(reports),
        expireRefusalAddressesTimer(handlers),
      ],
      parkers: readModels.parkers,
      health: readModels.health,
      metrics: readModels.metrics,
      async run(signal) {
        await Promise.all([readModels.run(signal), flushCounts(ports, counter, signal)])
      },
    }
  },
})
