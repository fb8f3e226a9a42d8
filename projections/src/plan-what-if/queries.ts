import type { Instant } from '@prosa/contracts/values/instant'
import { listRecords } from '@prosa/product/what-if/list-records'
import type { Pool } from 'pg'

export interface NamedUser {
  name: string
  email: string
}

export const findNamedUser = async (pool: Pool, id: string): Promise<NamedUser | undefined> => {
  const { rows } = await pool.query<NamedUser>({
    name: 'user by name',
    text: `select first_name || ' ' || last_name as name, email from listed_user where id = $1`,
    values: [id],
  })
  return rows[0]
}

/** Also of a plan that is off offer, which renews. */
export const findProduct = async (pool: Pool, planId: string): Promise<string | undefined> => {
  const { rows } = await pool.query<{ productId: string }>({
    name: 'product of a plan',
    text: 'select product_id as "productId" from plan where id = $1',
    values: [planId],
  })
  return rows[0]?.productId
}

/** Unlimited by name (specification). */
export const findUnlimitedProducts = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ productId: string }>({
    name: 'unlimited products',
    text: `select distinct product_id as "productId" from plan where plan_name ilike '%empresarial%'`,
  })
  return rows.map(({ productId }) => productId)
}

/** Chats with own messages that were sent, or changed, since then. */
export const findChatsWithSends = async (
  pool: Pool,
  tenant: string,
  since: Instant,
  limit: number,
): Promise<string[]> => {
  const { rows } = await pool.query<{ contactId: string }>({
    name: 'chats with sends',
    text: `select distinct contact_id as "contactId" from analytic_message
           where owner = $1 and updated_at >= $2 and author not in ('contact', 'phone')
           order by 1 limit $3`,
    values: [tenant, since, limit],
  })
  return rows.map(({ contactId }) => contactId)
}

export const findConnectionIds = async (pool: Pool, tenant: string): Promise<string[]> => {
  const { rows } = await pool.query<{ connectionId: string }>({
    name: 'connections of an account ever',
    text: `select connection_id as "connectionId" from analytic_connection where owner = $1 and online_until is null`,
    values: [tenant],
  })
  return rows.map(({ connectionId }) => connectionId)
}

export const listUsers = (pool: Pool, after: string, limit: number) =>
  listRecords(pool, { table: 'listed_user', id: 'id', tenant: undefined }, after, limit)
