import { photoAddress } from '@prosa/contracts/http/accounts/profile-photo'
import type { ListedUser, UserSort, UserStatus } from '@prosa/contracts/http/administration/admin-lists'
import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import { selectList } from '@prosa/kernel/consumers/projections/table'
import { type BuiltQuery, build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { type Sort, type SortColumn, type SortKey, sorted } from '../sorting.ts'
import { beginningWith, wordsIn } from '../word-index.ts'
import { type UserRow, userTable } from './table.ts'

const columns = selectList(userTable)

export interface UsersAsked {
  search?: string | undefined
  status?: { is: UserStatus; now: Instant } | undefined
  /** Of the registration; `to` is exclusive. */
  from?: Instant | undefined
  to?: Instant | undefined
  /** Default: latest first. */
  sort?: Sort<UserSort> | undefined
  after?: SortKey | undefined
  limit: number
}

export const sortColumns = {
  created: { expression: 'created_at', type: 'text' },
  // Names without accents come first in it; a cursor has 300 characters.
  name: { expression: 'left(words, 40)', type: 'text' },
  end: { expression: "coalesce(subscription_end, '')", type: 'text' },
} as const satisfies Record<UserSort, SortColumn>

export const soonMs = 7 * 24 * 3600 * 1000

const withStatus = (list: BuiltQuery, is: UserStatus, now: Instant): void => {
  const lasts = '(subscription_end is null or subscription_end > ?)'
  if (is === 'expired') list.whereRaw(`(subscription_status = 'expired' or subscription_end <= ?)`, [now])
  else if (is === 'ending')
    list.whereRaw(`subscription_status = 'active' and subscription_end > ? and subscription_end <= ?`, [
      now,
      later(now, soonMs),
    ])
  else list.where('subscription_status', is).whereRaw(lasts, [now])
}

/** Search is materialized: otherwise the planner may scan all rows. */
export const findUsers = async (
  pool: Pool,
  { search, status, from, to, sort = { by: 'created', descending: true }, after, limit }: UsersAsked,
): Promise<(UserRow & SortKey)[]> => {
  const words = beginningWith(search)
  if (search?.trim() && !words) return []
  const found = words
    ? build.withMaterialized('found', build('listed_user').whereRaw(`${wordsIn('words')} @@ ?::tsquery`, [words]))
    : build
  const column = sortColumns[sort.by]
  const list = found
    .select(build.raw(`${columns}, ${column.expression} as "sortKey"`))
    .from(words ? 'found' : 'listed_user')
  if (status) withStatus(list, status.is, status.now)
  if (from) list.where('created_at', '>=', from)
  if (to) list.where('created_at', '<', to)
  sorted(list, column, sort.descending, after).limit(limit)
  return (await pool.query<UserRow & SortKey>(built(list))).rows
}

/** Expired once its end has passed. */
export const shownUser = ({ words, photoId, sortKey: _, ...row }: UserRow & SortKey, now: Instant): ListedUser => {
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
