import type { Service } from '@prosa/kernel/ports'
import type { Config } from '@prosa/product/process/config'
import { findAccountId } from '@prosa/projections/account/queries'
import { findLastReceived } from '@prosa/projections/webhook-deliveries/queries'
import { billing } from './billing.ts'

export const wireBilling = ({ kiwifyTokens, deliveryRetentionDays }: Config): Service =>
  billing({ kiwifyTokens, deliveryRetentionDays, findAccountId, findLastAccepted: findLastReceived })
