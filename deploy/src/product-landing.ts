import { join } from 'node:path'
import type { Ports } from '@prosa/kernel/ports'
import type { Config } from '@prosa/kernel/process/config'
import { findOfferedPlans } from '@prosa/projections/plans/queries'
import { type Landing, landing } from './landing.ts'

/** The landing page of a product whose web app is built in `webFolder` (`web/dist/<mode>`), with the plans that are on offer now. */
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
