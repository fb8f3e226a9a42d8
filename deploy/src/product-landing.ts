import { join } from 'node:path'
import type { Ports } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { findOfferedPlans } from '@prosa/projections/plans/queries'
import { type Landing, landing } from './landing.ts'

/** `webFolder` is `web/dist/<mode>`. */
export const productLanding = (
  { pool, log }: Pick<Ports, 'pool' | 'log'>,
  { trustedOrigins, supportEmail }: Pick<Config, 'trustedOrigins' | 'supportEmail'>,
  webFolder: string,
): Promise<Landing> =>
  landing({
    folder: join(webFolder, '../landing'),
    assets: join(webFolder, 'assets'),
    origin: trustedOrigins[0] ?? null,
    read: async () => ({ plans: await findOfferedPlans(pool), supportEmail }),
    log,
  })
