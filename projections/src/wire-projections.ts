import { hasShortToken } from '@prosa/contracts/values/kiwify'
import type { Config } from '@prosa/product/process/config'
import { networkNames, networksOf } from '@prosa/product/process/networks'
import { type Projections, projections } from './projections.ts'

const settingOf = (tokens: readonly string[]) => ({
  isConfigured: tokens.length > 0,
  hasShortToken: hasShortToken(tokens),
})

export const wireProjections = ({
  webSocketUrl,
  simulatorUrl,
  kiwifyTokens: { approved, refunded },
  upgradeUrl,
  seller,
  termsVersion,
  supportEmail,
  supportPhone,
  supportChatUrl,
  planRules,
  headsFile,
}: Config): Projections =>
  projections({
    networks: networkNames(networksOf(webSocketUrl, simulatorUrl)),
    webhooks: { approved: settingOf(approved), refunded: settingOf(refunded) },
    selling: { upgradeUrl, seller: { ...seller, name: seller.name ?? 'Prosa' } },
    termsVersion,
    support: { email: supportEmail, phone: supportPhone, chatUrl: supportChatUrl },
    planRules,
    headsFile,
  })
