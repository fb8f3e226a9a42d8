import type { Instant } from '@prosa/contracts/values/instant'
import type { Clock } from '@prosa/kernel/clock'
import { selectList } from '@prosa/kernel/consumers/projections/table'
import { type AccountFacts, entitlementOf, newAccount } from '@prosa/product/entitlements/entitlement-of'
import type { AccountRules } from '@prosa/product/entitlements/plan-rules'
import type { Entitlements } from '@prosa/product/entitlements/port'
import type { Pool } from 'pg'
import { type UsageRow, usageTable } from './table.ts'

interface FoundUsage extends UsageRow {
  /** Bought, with an unlimited plan. */
  unlimitedProducts: readonly string[]
  confirmBy: string | null
}

const confirmBySelect = '(select confirm_by from account where id = $1 and not is_email_confirmed) as "confirmBy"'

/** Unlimited by name (specification), even if deleted. */
const select = `select ${selectList(usageTable)}, array(
    select product_id from plan where plan_name ilike '%empresarial%'
      and product_id in (select value->>'productId' from jsonb_each(grants))
  ) as "unlimitedProducts", ${confirmBySelect}
  from account_usage where id = $1`

/** The best paid plan; else, as in grace, the one that lasted longest. */
const isUnlimited = ({ grants, unlimitedProducts }: FoundUsage, now: Instant): boolean => {
  if (unlimitedProducts.length === 0) return false
  const given = Object.values(grants).filter((grant) => grant.until !== null)
  const last = given.reduce((latest, { until }) => (until !== null && until > latest ? until : latest), '')
  return given.some(
    ({ until, productId }) =>
      until !== null && (until > now || until === last) && productId !== null && unlimitedProducts.includes(productId),
  )
}

/** Of a row, with the products of unlimited plans. */
export const factsOf = (found: FoundUsage, now: Instant): AccountFacts => ({
  endsAt: found.endsAt,
  hasGrace: found.hasGrace ?? true,
  isUnlimited: isUnlimited(found, now),
  sent: { since: found.sentSince, count: found.sent },
  connections: found.connections,
  isTrialWithheld: found.isTrialWithheld,
  confirmBy: found.confirmBy,
})

/** Not cached: every message changes it. */
export const usageEntitlements = (pool: Pool, rules: AccountRules, clock: Clock): Entitlements => ({
  async of(tenant) {
    const now = clock.now()
    const { rows } = await pool.query<FoundUsage>({ name: 'usage of an account', text: select, values: [tenant] })
    const [row] = rows
    return entitlementOf(row ? factsOf(row, now) : newAccount, rules, now)
  },
})

/** Accounts with at least so many messages in the month that began at `since`. */
export const findBusy = async (
  pool: Pool,
  { since, atLeast }: { since: Instant; atLeast: number },
): Promise<{ id: string; sent: number }[]> => {
  const { rows } = await pool.query<{ id: string; sent: number }>({
    name: 'accounts near a limit',
    text: 'select id, sent from account_usage where sent_since = $1 and sent >= $2',
    values: [since, atLeast],
  })
  return rows
}
