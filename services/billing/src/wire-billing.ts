import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { findAccountId } from '@prosa/projections/account/queries'
import { findBusy } from '@prosa/projections/usage/queries'
import { findLastReceived } from '@prosa/projections/webhook-deliveries/queries'
import { billing } from './billing.ts'

export const wireBilling = ({ kiwifyTokens, deliveryRetentionDays, planRules }: Config): Service =>
  billing({
    kiwifyTokens,
    deliveryRetentionDays,
    findAccountId,
    findLastAccepted: findLastReceived,
    findBusy,
    planRules,
  })
