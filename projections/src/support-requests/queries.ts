import type { ListedSupportRequest } from '@prosa/contracts/http/accounts/support'
import { build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { type AccountShown, accountOf } from '../users/account-of.ts'
import type { SupportRequestRow } from './table.ts'

export type FoundSupportRequest = Omit<SupportRequestRow, 'tenant'> & AccountShown

export interface SupportRequestsAsked {
  onlyOpen: boolean
  /** Log position. */
  before?: string | undefined
  limit: number
}

/** All tenants, latest first. Administrators only. */
export const findSupportRequests = async (
  pool: Pool,
  { onlyOpen, before, limit }: SupportRequestsAsked,
): Promise<FoundSupportRequest[]> => {
  const list = build('support_request as r')
    .select('r.id', 'r.place', 'r.subject', 'r.message', 'r.priority')
    .select({ createdAt: 'r.created_at', answeredAt: 'r.answered_at' })
    .select({ accountId: 'u.id', firstName: 'u.first_name', lastName: 'u.last_name', email: 'u.email' })
    .leftJoin('listed_user as u', 'u.id', 'r.owner')
  if (onlyOpen) list.whereNull('r.answered_at')
  if (before !== undefined) list.whereRaw('r.place < ? collate "C"', [before])
  list.orderBy('r.place', 'desc').limit(limit)
  return (await pool.query<FoundSupportRequest>(built(list))).rows
}

export const shownSupportRequest = (row: FoundSupportRequest): ListedSupportRequest => {
  const { id, subject, message, priority, createdAt, answeredAt } = row
  return { id, subject, message, priority, createdAt, answeredAt, account: accountOf(row) }
}

export const findSupportTenant = async (pool: Pool, id: string): Promise<string | undefined> => {
  const { rows } = await pool.query<{ tenant: string | null }>({
    name: 'who wrote to support',
    text: 'select owner as tenant from support_request where id = $1',
    values: [id],
  })
  return rows[0]?.tenant ?? undefined
}
