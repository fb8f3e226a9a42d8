import { prepareReadModel } from '@prosa/kernel/consumers/projections/prepare-read-model'
import type { ReadSide } from '@prosa/product/process/open-ports'
import { account } from './account/projection.ts'
import { accountRoles } from './account/queries.ts'
import { connections } from './connections/projection.ts'
import { plans } from './plans/projection.ts'
import { usage } from './usage/projection.ts'
import { usageEntitlements } from './usage/queries.ts'

export const readSide: ReadSide = {
  async prepare(pool) {
    await prepareReadModel(pool, account)
    await prepareReadModel(pool, connections)
    await prepareReadModel(pool, plans)
    await prepareReadModel(pool, usage)
  },
  roles: accountRoles,
  entitlements: usageEntitlements,
}
