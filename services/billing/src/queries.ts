import type { Ports } from '@prosa/kernel/ports'

/** What an order of a product is of. */
export interface SoldPlan {
  planName: string | null
  accessDays: number
}

/**
 * A product's plan. Of several plans, those on offer count before those that were, and the one with most days:
 * nobody gets less than was paid for.
 */
export const findSoldPlan = async (pool: Ports['pool'], productId: string): Promise<SoldPlan | undefined> => {
  const { rows } = await pool.query<SoldPlan>({
    name: 'plan of a product',
    text: `select plan_name as "planName", access_days as "accessDays" from plan_days where product_id = $1
           order by is_offered desc, access_days desc limit 1`,
    values: [productId],
  })
  return rows[0]
}
