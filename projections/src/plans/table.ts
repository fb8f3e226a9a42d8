import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface PlanRow {
  /** The stream's id. */
  id: string
  planId: string
  planName: string
  productId: string
  productName: string
  accessDays: number
  price: string
  description: string
  purchaseUrl: string | null
  /** Log position: the order. */
  place: string
  /** Deleted plans still give access. */
  isOffered: boolean
}

export const planTable: Table<PlanRow> = {
  name: 'plan',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    planId: 'text not null',
    planName: 'text not null',
    productId: 'text collate "C" not null',
    productName: 'text not null',
    accessDays: 'integer not null',
    price: 'text not null',
    description: 'text not null',
    purchaseUrl: 'text',
    place: 'text collate "C" not null',
    isOffered: 'boolean not null',
  },
  after: [
    'create index plan_offered on plan (place) where is_offered',
    'create index plan_product on plan (product_id)',
  ],
}
