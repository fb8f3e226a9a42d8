import type { Config } from '@prosa/kernel/process/config'
import { networkNames, networksOf } from '@prosa/kernel/process/networks'
import { type Projections, projections } from './projections.ts'

/** The read models as a process hosts them. */
export const wireProjections = ({
  webSocketUrl,
  simulatorUrl,
  kiwifyTokens: { approved, refunded },
  upgradeUrl,
  seller,
  supportEmail,
  supportPhone,
  supportChatUrl,
}: Config): Projections =>
  projections({
    networks: networkNames(networksOf(webSocketUrl, simulatorUrl)),
    webhooks: { approved: approved.length > 0, refunded: refunded.length > 0 },
    selling: { upgradeUrl, seller },
    support: { email: supportEmail, phone: supportPhone, chatUrl: supportChatUrl },
  })
