import { parseStream } from '@prosa/contracts/streams'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { findPlanDays } from './queries.ts'

interface PlanDaysRow {
  id: string
  productId: string
  accessDays: number
  isOffered: boolean
}

const planDaysTable: Table<PlanDaysRow> = {
  name: 'plan_days',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    productId: 'text collate "C" not null',
    accessDays: 'integer not null',
    isOffered: 'boolean not null',
  },
  after: ['create index plan_days_product on plan_days (product_id)'],
}

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** For how many days the product of each plan gives access, also of plans that are not on offer any more: they are renewed. */
export const planDays: Projection<PlanDaysRow> = {
  name: 'plan-days',
  version: 1,
  categories: ['plan'],
  table: planDaysTable,
  on: {
    PlanCreated: {
      key,
      row: (_, { stream, data: { productId, accessDays } }) => ({
        id: parseStream(stream).id,
        productId,
        accessDays,
        isOffered: true,
      }),
    },
    PlanRevised: { key, row: (row, { data: { productId, accessDays } }) => row && { ...row, productId, accessDays } },
    PlanDeleted: { key, row: (row) => row && { ...row, isOffered: false } },
  },
}

/** Where no plan says otherwise. */
const defaultDays = 30
const patienceMilliseconds = 2000

/** For how many days the product gives access, as known no earlier than at this place of the log. */
export type AccessDaysOf = (productId: string | null, asOf: Position) => Promise<number>

/**
 * Throws while plans before that place are not known yet: the reactor then tries again, as when the database is away, and an
 * order never gets the days of a plan as it was before it was sold.
 */
export const accessDaysOf =
  ({ pool, readModels }: Pick<Ports, 'pool' | 'readModels'>): AccessDaysOf =>
  async (productId, asOf) => {
    if (productId === null) return defaultDays
    if (!(await readModels.reached([planDays.name], asOf, patienceMilliseconds)))
      throw new StoreUnavailable('the plans are not known up to this place of the log yet')
    return (await findPlanDays(pool, productId)) ?? defaultDays
  }
