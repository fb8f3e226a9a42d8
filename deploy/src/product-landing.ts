import { join } from 'node:path'
import type { Ports } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { findOfferedPlans } from '@prosa/projections/plans/queries'
import { type Landing, landing } from './landing.ts'

type Shown = Pick<
  Config,
  | 'trustedOrigins'
  | 'supportEmail'
  | 'seller'
  | 'privacy'
  | 'termsVersion'
  | 'planRules'
  | 'deliveryRetentionDays'
  | 'production'
>

/** `webFolder` is `web/dist/<mode>`. */
export const productLanding = (
  { pool, log }: Pick<Ports, 'pool' | 'log'>,
  { trustedOrigins, supportEmail, seller, privacy, production, ...config }: Shown,
  webFolder: string,
): Promise<Landing> => {
  const missing = [...Object.entries(seller), ...Object.entries(privacy)].filter(([, value]) => value === undefined)
  if (production && missing.length > 0)
    log.warn(
      { missing: missing.map(([name]) => name) },
      'these are missing in /terms and /privacy: set PROSA_SELLER_… and PROSA_PRIVACY_… (docs/operating.md)',
    )
  return landing({
    folder: join(webFolder, '../landing'),
    assets: join(webFolder, 'assets'),
    origin: trustedOrigins[0] ?? null,
    read: async () => ({ plans: await findOfferedPlans(pool), supportEmail, sellerName: seller.name }),
    legal: {
      version: config.termsVersion,
      seller,
      privacy,
      afterEnd: config.planRules.afterEnd,
      deliveryDays: config.deliveryRetentionDays,
    },
    log,
  })
}
