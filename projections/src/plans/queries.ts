import type { Plan } from '@prosa/contracts/http/accounts/plans'
import type { Pool } from 'pg'

const maxListed = 500

/** Oldest first, at most 500. */
export const findOfferedPlans = async (pool: Pool): Promise<Plan[]> => {
  const { rows } = await pool.query<Plan>({
    name: 'plans on offer',
    text: `select id, plan_id as "planId", plan_name as "planName", product_id as "productId",
             product_name as "productName", access_days as "accessDays", price, description,
             purchase_url as "purchaseUrl"
           from plan where is_offered order by place limit $1`,
    values: [maxListed],
  })
  return rows
}
