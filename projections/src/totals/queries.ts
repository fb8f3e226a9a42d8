import type { Pool } from 'pg'

interface Totals {
  users: number
  active: number
  expired: number
  cancelled: number
  /** Null while merged contacts are unknown. */
  contacts: number | null
  messages: number
  grossCents: number
  netCents: number
}

/** At most 4,096 rows of each kind. */
export const readTotals = async (pool: Pool): Promise<Totals> => {
  const { rows } = await pool.query<Totals>({
    name: 'platform totals',
    text: `select * from
             (select coalesce(sum(total), 0)::float8 as users, coalesce(sum(active), 0)::float8 as active,
                     coalesce(sum(expired), 0)::float8 as expired,
                     coalesce(sum(total - active - expired), 0)::float8 as cancelled from user_totals) as of_users,
             (select case when count(*) = count(absorbed) then coalesce(sum(contacts), 0)::float8 end as contacts,
                     coalesce(sum(messages), 0)::float8 as messages
              from tenant_totals) as of_tenants,
             (select coalesce(sum(gross_cents), 0) as "grossCents", coalesce(sum(net_cents), 0) as "netCents"
              from order_totals) as of_orders`,
  })
  const [totals] = rows
  if (!totals) throw new Error('sums of no rows are a row')
  return totals
}
