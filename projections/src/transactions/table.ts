import type { OrderEventKind, TransactionStatus } from '@prosa/contracts/values/kiwify'
import type { Table } from '@prosa/kernel/consumers/projections/table'

/** What one report states of an order. */
export interface Report {
  kind: OrderEventKind
  occurredAt: string
  orderRef: string | null
  amountCents: number | null
  productId: string | null
  /** Of the plan that named the product by then; null where none did, which `isWithoutPlan` tells from what was not kept. */
  planName: string | null
  isWithoutPlan: boolean
  productName: string | null
  paymentMethod: string | null
  buyerName: string | null
  buyerEmail: string | null
}

export interface TransactionRow {
  /** Kiwify's id of the order. */
  id: string
  /** The account whose purchase it is; null while nobody has claimed it. */
  owner: string | null
  transactionId: string
  createdAt: string
  /** As Kiwify's panel names the decisive report. */
  event: string
  amountCents: number | null
  productName: string | null
  /** As it was reported first, or as the plan has it that the order was assigned to; null in rows of a version that did not keep it. */
  productId: string | null
  planName: string | null
  /** No plan names the product, and nobody has decided which it is. */
  lacksPlan: boolean
  /** What was decided: an order of this plan, whatever is reported. */
  assigned: { planName: string | null; productId: string | null } | null
  status: TransactionStatus
  paymentMethod: string | null
  /** Of the person who bought, for administrators only. */
  buyerName: string | null
  buyerEmail: string | null
  isBuyerErased: boolean
  /** An administrator took it out of lists and sums. */
  isHidden: boolean
  isErasedBuyerCharged: boolean
  /** Reference, buyer and product in the form that `searchText` compares. */
  search: string
  /** Everything that was reported, each once and in one order: all columns above but owner and flags follow from it. */
  reports: readonly Report[]
}

export const transactionTable: Table<TransactionRow> = {
  name: 'kiwify_transaction',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C"',
    transactionId: 'text not null',
    createdAt: 'text collate "C" not null',
    event: 'text not null',
    amountCents: 'double precision',
    productName: 'text',
    productId: 'text collate "C"',
    planName: 'text',
    lacksPlan: 'boolean not null',
    assigned: 'jsonb',
    status: 'text collate "C" not null',
    paymentMethod: 'text',
    buyerName: 'text',
    buyerEmail: 'text',
    isBuyerErased: 'boolean not null',
    isHidden: 'boolean not null',
    search: 'text collate "C" not null',
    reports: 'jsonb not null',
    isErasedBuyerCharged: 'boolean not null',
  },
  // No release before recorded a charge of who was erased.
  added: {
    productId: { notKnownYet: true },
    planName: { notKnownYet: true },
    lacksPlan: { was: 'false' },
    assigned: { was: 'null' },
    isErasedBuyerCharged: { was: 'false' },
  },
  after: [
    'create index kiwify_transaction_all on kiwify_transaction (created_at desc, id desc) where not is_hidden',
    'create index kiwify_transaction_owner on kiwify_transaction (owner, created_at desc, id desc) where not is_hidden',
    'create index kiwify_transaction_unclaimed on kiwify_transaction (created_at desc, id desc) where owner is null and not is_hidden',
    'create index kiwify_transaction_lacks_plan on kiwify_transaction (created_at desc, id desc) where lacks_plan and not is_hidden',
  ],
}
