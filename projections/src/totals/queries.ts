import type { Month } from '@prosa/contracts/http/administration/admin-lists'
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

const nothing = {
  ...{ newAccounts: 0, erasedAccounts: 0, endedAccess: 0, messages: 0, linkedNumbers: 0, unlinkedNumbers: 0 },
  revenueCents: 0,
}

const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

/** Months without anything in between are zero. `months`: oldest first. */
export const withoutGaps = (months: readonly Month[]): Month[] => {
  const [first] = months
  const last = months.at(-1)
  if (!first || !last) return []
  const known = new Map(months.map((each) => [each.month, each]))
  const all: Month[] = []
  for (let month = first.month; month <= last.month; month = monthAfter(month))
    all.push(known.get(month) ?? { month, ...nothing })
  return all
}

/** From a month on: `2026-11`, and its first moment. Without months in which nothing was. */
export const readMonths = async (pool: Pool, from: string, since: string): Promise<Month[]> => {
  const { rows } = await pool.query<Month>({
    name: 'totals by month',
    text: `select month, coalesce(m.new_accounts, 0) as "newAccounts", coalesce(m.erased_accounts, 0) as "erasedAccounts",
                  coalesce(m.ended_access, 0) as "endedAccess", coalesce(m.messages, 0) as messages,
                  coalesce(m.linked_numbers, 0) as "linkedNumbers", coalesce(m.unlinked_numbers, 0) as "unlinkedNumbers",
                  coalesce(r.cents, 0)::float8 as "revenueCents"
           from (select * from monthly_totals where month >= $1) m
           full join (
             select to_char(created_at::timestamptz at time zone 'America/Sao_Paulo', 'YYYY-MM') collate "C" as month,
                    sum(amount_cents) as cents
             from kiwify_transaction where not is_hidden and status = 'approved' and created_at >= $2 group by 1
           ) r using (month)
           order by month`,
    values: [from, since],
  })
  return rows
}
