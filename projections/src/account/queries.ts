import type { User } from '@prosa/contracts/http/accounts/auth'
import { unknownCompany } from '@prosa/contracts/http/accounts/company'
import { photoAddress } from '@prosa/contracts/http/accounts/profile-photo'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Role } from '@prosa/contracts/values/role'
import { selectList } from '@prosa/kernel/consumers/projections/table'
import type { Roles } from '@prosa/kernel/http/roles'
import type { Pool } from 'pg'
import { type AccountRow, accountTable } from './table.ts'

interface Business {
  companyName: string | null
  notifications: boolean | null
  analytics: boolean | null
}

/** What the account's own rows tell of a user. */
export type FoundUser = Omit<User, 'terms'> & { acceptedTerms: User['terms']['accepted'] }

const userOf = (
  { companyName, notifications, analytics, photoId, confirmBy: _, ...found }: AccountRow & Business,
  now: Instant,
): FoundUser => {
  const { termsVersion, termsAcceptedAt, ...row } = found
  const { subscriptionStatus: status, subscriptionEnd: end } = row
  const isOver = end !== null && end <= now
  return {
    ...row,
    roles: [...row.roles],
    profileImageUrl: photoId && photoAddress(photoId),
    subscriptionStatus: isOver ? 'expired' : status,
    company: {
      name: companyName || null,
      notifications: notifications ?? unknownCompany.notifications,
      analytics: analytics ?? unknownCompany.analytics,
    },
    acceptedTerms: termsVersion && termsAcceptedAt ? { version: termsVersion, at: termsAcceptedAt } : null,
  }
}

/** Expired once its end has passed, whatever was recorded. */
export const findUser = async (pool: Pool, id: string, now: Instant): Promise<FoundUser | undefined> => {
  const { rows } = await pool.query<AccountRow & Business>(
    `select a.*, c.name as "companyName", c.notifications, c.analytics
     from (select ${selectList(accountTable)} from account where id = $1) a
     left join company c on c.owner = a.id`,
    [id],
  )
  return rows[0] && userOf(rows[0], now)
}

export const findPhotoId = async (pool: Pool, id: string): Promise<string | null> => {
  const { rows } = await pool.query<{ photoId: string | null }>({
    name: 'picture of an account',
    text: 'select photo_id as "photoId" from account where id = $1',
    values: [id],
  })
  return rows[0]?.photoId ?? null
}

export const findPhotoTenant = async (pool: Pool, photoId: string): Promise<string | undefined> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'whose picture',
    text: 'select id from account where photo_id = $1',
    values: [photoId],
  })
  return rows[0]?.id
}

/** Not cached: revocation counts at once. */
export const accountRoles = (pool: Pool): Roles => ({
  async of(userId) {
    const { rows } = await pool.query<{ roles: Role[] }>({
      name: 'roles of an account',
      text: 'select roles from account where id = $1',
      values: [userId],
    })
    return rows[0]?.roles ?? []
  },
})

export const readRoleHolders = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>("select id from account where roles <> '{}'")
  return rows.map(({ id }) => id)
}

/** Accounts whose address is unconfirmed and not demanded yet. */
export const findUnconfirmed = async (pool: Pool, limit: number): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    'select id from account where not is_email_confirmed and confirm_by is null order by id limit $1',
    [limit],
  )
  return rows.map(({ id }) => id)
}

/** Finds an account by id or lower-case address. No index: for manual work only. */
export const findAccountId = async (
  pool: Pool,
  { userId, email }: { userId?: string | undefined; email?: string | undefined },
): Promise<string | undefined> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'account by id or address',
    text: 'select id from account where id = $1 or email = $2 limit 1',
    values: [userId, email],
  })
  return rows[0]?.id
}
