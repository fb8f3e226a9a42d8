import { parseStream } from '@prosa/contracts/streams'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { findSoldPlan, type SoldPlan } from './queries.ts'

interface PlanDaysRow {
  id: string
  productId: string
  /** Null in rows of earlier versions. */
  planName: string | null
  accessDays: number
  isOffered: boolean
}

const planDaysTable: Table<PlanDaysRow> = {
  name: 'plan_days',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    productId: 'text collate "C" not null',
    planName: 'text',
    accessDays: 'integer not null',
    isOffered: 'boolean not null',
  },
  added: { planName: { notKnownYet: true } },
  after: ['create index plan_days_product on plan_days (product_id)'],
}

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** Access days by product, including plans off offer, which renew. */
export const planDays: Projection<PlanDaysRow> = {
  name: 'plan-days',
  version: 2,
  categories: ['plan'],
  table: planDaysTable,
  on: {
    PlanCreated: {
      key,
      row: (_, { stream, data: { productId, planName, accessDays } }) => ({
        id: parseStream(stream).id,
        productId,
        planName,
        accessDays,
        isOffered: true,
      }),
    },
    PlanRevised: {
      key,
      row: (row, { data: { productId, planName, accessDays } }) => row && { ...row, productId, planName, accessDays },
    },
    PlanDeleted: { key, row: (row) => row && { ...row, isOffered: false } },
  },
}

const patienceMs = 2000

/** As of at least this log position; null for none. */
export type SoldPlanOf = (productId: string | null, asOf: Position) => Promise<SoldPlan | null>

/** Throws if the read model lags, and the reactor retries: an order must never get an older version of its plan. */
export const soldPlanOf =
  ({ pool, readModels }: Pick<Ports, 'pool' | 'readModels'>): SoldPlanOf =>
  async (productId, asOf) => {
    if (productId === null) return null
    if (!(await readModels.reached([planDays.name], asOf, patienceMs)))
      throw new StoreUnavailable('the read model of plans has not reached this position of the log')
    return (await findSoldPlan(pool, productId)) ?? null
  }
