import type { AdminTransaction, Transaction, TransactionSort } from '@prosa/contracts/http/accounts/transactions'
import type { TransactionStatus } from '@prosa/contracts/values/kiwify'
import { columnName, fieldsOf } from '@prosa/kernel/consumers/projections/table'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { accountTable } from '../account/table.ts'
import { type Sort, type SortColumn, type SortKey, sorted } from '../sorting.ts'
import { type TransactionRow, transactionTable } from './table.ts'

/** Sort key, newest first. */
export interface TransactionCursor {
  createdAt: string
  id: string
}

const { name: table } = transactionTable
/** Older orders use a plan with their product. */
const planNameOf = (row: string) => `case when ${row}.lacks_plan then null else coalesce(${row}.plan_name, (
    select plan_name from plan where product_id = ${row}.product_id order by is_offered desc, access_days desc limit 1
  )) end as "planName"`
const columnsOf = (row: string) =>
  fieldsOf(transactionTable)
    .map((field) => (field === 'planName' ? planNameOf(row) : `${row}.${columnName(field)} as "${field}"`))
    .join(', ')

const shown = ({ amountCents: amount, ...row }: TransactionRow): Transaction => {
  const { id, transactionId, createdAt, event, productName, planName, status, paymentMethod } = row
  return { id, transactionId, createdAt, event, amount, productName, planName, status, paymentMethod }
}

export interface OwnTransactionsAsked {
  tenant: string
  after?: TransactionCursor | undefined
  limit: number
}

/** Without hidden ones. */
export const findOwnTransactions = async (
  pool: Pool,
  { tenant, after, limit }: OwnTransactionsAsked,
): Promise<Transaction[]> => {
  const list = build(table)
    .select(build.raw(columnsOf(table)))
    .where({ owner: tenant })
    .whereRaw('not is_hidden')
  if (after) list.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id])
  list.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
  const { rows } = await pool.query<TransactionRow>(built(list))
  return rows.map(shown)
}

export interface TransactionsAsked {
  /** In the form of `plain`. */
  search?: string | undefined
  unclaimed: boolean
  withoutPlan: boolean
  status?: TransactionStatus | undefined
  /** Only hidden ones. */
  hidden: boolean
  /** Instants; `to` is exclusive. */
  from?: string | undefined
  to?: string | undefined
  sort: Sort<TransactionSort>
  after?: SortKey | undefined
  limit: number
}

export const sortColumns = {
  date: { expression: 'created_at', inJoin: 't.created_at', type: 'text' },
  amount: { expression: 'coalesce(amount_cents, -1)', inJoin: 'coalesce(t.amount_cents, -1)', type: 'float8' },
} as const satisfies Record<TransactionSort, SortColumn & { inJoin: string }>

type Account = { accountName: string | null; accountEmail: string | null }

const withAccount = ({
  accountName: name,
  accountEmail: email,
  ...row
}: TransactionRow & Account): AdminTransaction => ({
  ...shown(row),
  owner: row.tenant === null ? null : { id: row.tenant, name, email },
  lacksPlan: row.lacksPlan,
  buyerName: row.buyerName,
  buyerEmail: row.buyerEmail,
  isErasedBuyerCharged: row.isErasedBuyerCharged,
  isHidden: row.isHidden,
})

const rowsWithAccount = (page: BuiltQuery) =>
  build
    .select(
      build.raw(`${columnsOf('t')}, a.first_name || ' ' || a.last_name as "accountName", a.email as "accountEmail"`),
    )
    .from(page.as('t'))
    .leftJoin(`${accountTable.name} as a`, 'a.id', 't.owner')

/** Undefined also if hidden. */
export const findTransaction = async (
  pool: Pool,
  { id, tenant }: { id: string; tenant?: string | undefined },
): Promise<AdminTransaction | undefined> => {
  const one = build(table).select('*').where({ id }).whereRaw('not is_hidden')
  if (tenant !== undefined) one.where({ owner: tenant })
  const { rows } = await pool.query<TransactionRow & Account>(built(rowsWithAccount(one)))
  return rows.map(withAccount)[0]
}

/** All tenants. Administrators only. */
export const findTransactions = async (
  pool: Pool,
  asked: TransactionsAsked,
): Promise<(AdminTransaction & SortKey)[]> => {
  const { search, unclaimed, withoutPlan, status, hidden, from, to, sort, after, limit } = asked
  const column = sortColumns[sort.by]
  const page = build(table)
    .select('*')
    .select(build.raw(`${column.expression}::text as sort_key`))
    .whereRaw(hidden ? 'is_hidden' : 'not is_hidden')
  if (search) page.whereRaw('position(? in search) > 0', [search])
  if (unclaimed) page.whereNull('owner')
  if (withoutPlan) page.whereRaw('lacks_plan')
  if (status) page.where({ status })
  if (from) page.where('created_at', '>=', from)
  if (to) page.where('created_at', '<', to)
  sorted(page, column, sort.descending, after).limit(limit)
  const list = rowsWithAccount(page).select({ sortKey: 't.sort_key' })
  list.orderByRaw(`${column.inJoin} ${sort.descending ? 'desc' : 'asc'}, t.id ${sort.descending ? 'desc' : 'asc'}`)
  const { rows } = await pool.query<TransactionRow & Account & { sortKey: string }>(built(list))
  return rows.map((row) => ({ ...withAccount(row), sortKey: row.sortKey }))
}
