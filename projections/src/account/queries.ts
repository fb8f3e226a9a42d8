import type { User } from '@prosa/contracts/http/auth'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Pool } from 'pg'
import { selectList } from '../runner/table.ts'
import { type AccountRow, accountTable } from './table.ts'

const userOf = (row: AccountRow, now: Instant): User => {
  const { subscriptionStatus: status, subscriptionEnd: end } = row
  const isOver = status === 'active' && end !== null && end <= now
  return { ...row, profileImageUrl: null, subscriptionStatus: isOver ? 'expired' : status }
}

/** One user; a subscription whose end has passed is expired, whatever was last recorded. */
export const findUser = async (pool: Pool, id: string, now: Instant): Promise<User | undefined> => {
  const { rows } = await pool.query<AccountRow>(`select ${selectList(accountTable)} from account where id = $1`, [id])
  return rows[0] && userOf(rows[0], now)
}
