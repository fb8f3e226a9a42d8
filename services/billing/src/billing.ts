import { hasShortToken, minTokenLength, webhookEndpoint } from '@prosa/contracts/values/kiwify'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Logger } from '@prosa/kernel/observability/log'
import { noPlanRules, type PlanRules } from '@prosa/product/entitlements/plan-rules'
import type { Service } from '@prosa/product/ports'
import { accessRoutes } from './access/access-routes.ts'
import { endAccessTimer } from './access/end-access-timer.ts'
import { type FindBusy, limitWarnings } from './access/limit-warnings.ts'
import { startTrialOnUserRegistered } from './access/start-trial-on-user-registered.ts'
import { buyerRoutes } from './buyers/buyer-routes.ts'
import { eraseBuyer } from './buyers/erase-buyer.ts'
import { eraseOnBuyerErased } from './buyers/erase-on-buyer-erased.ts'
import { forgetBuyerOnUserErased } from './buyers/forget-buyer-on-user-erased.ts'
import { deliveryRoutes } from './deliveries/delivery-routes.ts'
import { expireDeliveryTimer } from './deliveries/expire-delivery-timer.ts'
import { forgetOnDeliveryExpired } from './deliveries/forget-on-delivery-expired.ts'
import { type KiwifyTokens, kiwifyRoutes } from './deliveries/kiwify-routes.ts'
import { receivedDeliveries } from './deliveries/received-delivery.ts'
import { billingHandlers } from './handlers.ts'
import { billingMigrations } from './migrations/billing-migrations.ts'
import { planDays, soldPlanOf } from './plans/plan-days.ts'
import { planRoutes } from './plans/plan-routes.ts'
import { claimOnEmailConfirmed } from './purchases/claim-on-email-confirmed.ts'
import { purchaseReactors } from './purchases/purchase-reactors.ts'
import { type FindAccountId, transactionRoutes } from './purchases/transaction-routes.ts'
import { countRefused } from './refusals/count-refused.ts'
import { expireRefusalAddressesTimer } from './refusals/expire-refusal-addresses-timer.ts'
import { flushCounts } from './refusals/flush-counts.ts'
import { forgetOnRefusalAddressesExpired } from './refusals/forget-on-refusal-addresses-expired.ts'
import { refusalRoutes } from './refusals/refusal-routes.ts'
import { refusedCounter } from './refusals/refused-counter.ts'
import { type FindLastAccepted, refusalReports } from './refusals/report-refused.ts'
import { reportRefusedTimer } from './refusals/report-refused-timer.ts'

export interface BillingOptions {
  kiwifyTokens: KiwifyTokens
  /** Retention of raw bytes. */
  deliveryRetentionDays: number
  findAccountId: FindAccountId
  findLastAccepted?: FindLastAccepted
  /** Default: nobody is warned. */
  findBusy?: FindBusy
  planRules?: PlanRules
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
  findBusy = async () => [],
  planRules = noPlanRules,
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
    const warnings = limitWarnings(handlers, ports, { findBusy, planRules })
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
        ...purchaseReactors({
          ...{ handlers, box: ports.box, erase },
          soldPlanOf: planOf,
          findReceived: receivedDeliveries(ports),
        }),
        forgetBuyerOnUserErased(handlers, erase),
        claimOnEmailConfirmed(ports, handlers, erase),
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
        await Promise.all([readModels.run(signal), flushCounts(ports, counter, signal), warnings.run(signal)])
      },
    }
  },
})
