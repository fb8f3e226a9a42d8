import { photoAddress } from '@prosa/contracts/http/accounts/profile-photo'
import type { ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import type { Instant } from '@prosa/contracts/values/instant'
import { selectList } from '@prosa/kernel/consumers/projections/table'
import { build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { beginningWith, wordsIn } from '../word-index.ts'
import { type UserRow, userTable } from './table.ts'

const columns = selectList(userTable)

export interface UsersAsked {
  search?: string | undefined
  after?: Pick<UserRow, 'createdAt' | 'id'> | undefined
  limit: number
}

/** Latest first. Search is materialized: otherwise the planner may scan all rows. */
export const findUsers = async (pool: Pool, { search, after, limit }: UsersAsked): Promise<UserRow[]> => {
  const words = beginningWith(search)
  if (search?.trim() && !words) return []
  const found = words
    ? build.withMaterialized('found', build('listed_user').whereRaw(`${wordsIn('words')} @@ ?::tsquery`, [words]))
    : build
  const list = found.select(build.raw(columns)).from(words ? 'found' : 'listed_user')
  if (after) list.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id])
  list.orderByRaw('created_at desc, id desc').limit(limit)
  const name = `users ${words ? 'found' : 'all'} ${after ? 'after' : 'first'}`
  return (await pool.query<UserRow>({ name, ...built(list) })).rows
}

/** Expired once its end has passed. */
export const shownUser = ({ words, photoId, ...row }: UserRow, now: Instant): ListedUser => {
  const isOver = row.subscriptionEnd !== null && row.subscriptionEnd <= now
  const profileImageUrl = photoId && photoAddress(photoId)
  return {
    ...row,
    roles: [...row.roles],
    profileImageUrl,
    subscriptionStatus: isOver ? 'expired' : row.subscriptionStatus,
  }
}

/** Active, ending in this period. */
export const countEnding = async (pool: Pool, after: Instant, upTo: Instant): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>({
    name: 'users ending soon',
    text: `select count(*)::int as count from listed_user
           where subscription_status = 'active' and subscription_end > $1 and subscription_end <= $2`,
    values: [after, upTo],
  })
  return rows[0]?.count ?? 0
}
