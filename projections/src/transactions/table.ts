import type { OrderEventKind, TransactionStatus } from '@prosa/contracts/values/kiwify'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import { wordsIn } from '../word-index.ts'

export interface Report {
  kind: OrderEventKind
  occurredAt: string
  orderRef: string | null
  amountCents: number | null
  productId: string | null
  /** Null: none (`isWithoutPlan`), or an older report. */
  planName: string | null
  isWithoutPlan: boolean
  productName: string | null
  paymentMethod: string | null
  buyerName: string | null
  buyerEmail: string | null
}

export interface TransactionRow {
  /** Kiwify's order id. */
  id: string
  /** Null while unclaimed. */
  tenant: string | null
  transactionId: string
  createdAt: string
  /** Decisive report in Kiwify's panel. */
  event: string
  amountCents: number | null
  productName: string | null
  /** First report or assigned plan; null in older rows. */
  productId: string | null
  planName: string | null
  /** No plan names the product, and none was assigned. */
  lacksPlan: boolean
  /** An administrator's decision overrides reports. */
  assigned: { planName: string | null; productId: string | null } | null
  status: TransactionStatus
  paymentMethod: string | null
  /** Administrators only. */
  buyerName: string | null
  buyerEmail: string | null
  isBuyerErased: boolean
  isHidden: boolean
  isErasedBuyerCharged: boolean
  /** In the form of `searchText`. */
  search: string
  /** In the form of `indexedText`, without whom was erased; null in older rows. */
  words: string | null
  /** Distinct, sorted: source of all columns above but tenant and flags. */
  reports: readonly Report[]
}

export const transactionTable: Table<TransactionRow> = {
  name: 'kiwify_transaction',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C"',
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
    words: 'text collate "C"',
    reports: 'jsonb not null',
    isErasedBuyerCharged: 'boolean not null',
  },
  // Earlier releases recorded no charge of an erased buyer.
  added: {
    productId: { notKnownYet: true },
    planName: { notKnownYet: true },
    lacksPlan: { was: 'false' },
    assigned: { was: 'null' },
    isErasedBuyerCharged: { was: 'false' },
    words: { notKnownYet: true },
  },
  after: [
    'create index kiwify_transaction_all on kiwify_transaction (created_at desc, id desc) where not is_hidden',
    'create index kiwify_transaction_owner on kiwify_transaction (owner, created_at desc, id desc) where not is_hidden',
    'create index kiwify_transaction_unclaimed on kiwify_transaction (created_at desc, id desc) where owner is null and not is_hidden',
    'create index kiwify_transaction_lacks_plan on kiwify_transaction (created_at desc, id desc) where lacks_plan and not is_hidden',
    'create index kiwify_transaction_hidden on kiwify_transaction (created_at desc, id desc) where is_hidden',
    'create index kiwify_transaction_status on kiwify_transaction (status, created_at desc, id desc)',
    'create index kiwify_transaction_amount on kiwify_transaction ((coalesce(amount_cents, -1)), id)',
    `create index kiwify_transaction_words on kiwify_transaction using gin ((${wordsIn('words')}))`,
  ],
}
