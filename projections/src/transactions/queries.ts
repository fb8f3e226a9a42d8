import type { AdminTransaction, Transaction } from '@prosa/contracts/http/transactions'
import { columnName, fieldsOf, selectList } from '@prosa/kernel/consumers/projections/table'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { accountTable } from '../account/table.ts'
import { type TransactionRow, transactionTable } from './table.ts'

/** Where a transaction stands in every list: the newest first. */
export interface TransactionPlace {
  createdAt: string
  id: string
}

const { name: table } = transactionTable
const columns = selectList(transactionTable)

const shown = ({ amountCents, ...row }: TransactionRow): Transaction => {
  const { id, transactionId, createdAt, event, productName, status, paymentMethod } = row
  return { id, transactionId, createdAt, event, amount: amountCents, productName, status, paymentMethod }
}

export interface OwnTransactionsAsked {
  owner: string
  after?: TransactionPlace | undefined
  limit: number
}

/** What one account bought, or tried to; what an administrator deleted is not among it. */
export const findOwnTransactions = async (
  pool: Pool,
  { owner, after, limit }: OwnTransactionsAsked,
): Promise<Transaction[]> => {
  const list = build(table).select(build.raw(columns)).where({ owner }).whereRaw('not is_hidden')
  if (after) list.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id])
  list.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
  const { rows } = await pool.query<TransactionRow>(built(list))
  return rows.map(shown)
}

export interface TransactionsAsked {
  /** In the form of `plain`. */
  search?: string | undefined
  /** Only purchases that no account has claimed. */
  unclaimed: boolean
  after?: TransactionPlace | undefined
  limit: number
}

type Account = { accountName: string | null; accountEmail: string | null }

const ofTransaction = fieldsOf(transactionTable)
  .map((field) => `t.${columnName(field)} as "${field}"`)
  .join(', ')

const withAccount = ({
  accountName: name,
  accountEmail: email,
  ...row
}: TransactionRow & Account): AdminTransaction => ({
  ...shown(row),
  owner: row.owner === null ? null : { id: row.owner, name, email },
  buyerName: row.buyerName,
  buyerEmail: row.buyerEmail,
  isErasedBuyerCharged: row.isErasedBuyerCharged,
})

const rowsWithAccount = (page: BuiltQuery) =>
  build
    .select(
      build.raw(`${ofTransaction}, a.first_name || ' ' || a.last_name as "accountName", a.email as "accountEmail"`),
    )
    .from(page.as('t'))
    .leftJoin(`${accountTable.name} as a`, 'a.id', 't.owner')

/** One transaction, of one account where `owner` is given; undefined also where an administrator deleted it. */
export const findTransaction = async (
  pool: Pool,
  { id, owner }: { id: string; owner?: string | undefined },
): Promise<AdminTransaction | undefined> => {
  const one = build(table).select('*').where({ id }).whereRaw('not is_hidden')
  if (owner !== undefined) one.where({ owner })
  const { rows } = await pool.query<TransactionRow & Account>(built(rowsWithAccount(one)))
  return rows.map(withAccount)[0]
}

/** Transactions of everybody, for administrators, with the account that each belongs to. */
export const findTransactions = async (
  pool: Pool,
  { search, unclaimed, after, limit }: TransactionsAsked,
): Promise<AdminTransaction[]> => {
  const page = build(table).select('*').whereRaw('not is_hidden')
  if (search) page.whereRaw('position(? in search) > 0', [search])
  if (unclaimed) page.whereNull('owner')
  if (after) page.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id])
  page.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
  const list = rowsWithAccount(page).orderBy('t.created_at', 'desc').orderBy('t.id', 'desc')
  const { rows } = await pool.query<TransactionRow & Account>(built(list))
  return rows.map(withAccount)
}
