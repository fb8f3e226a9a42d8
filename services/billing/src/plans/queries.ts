import type { Ports } from '@prosa/kernel/ports'

export interface SoldPlan {
  planName: string | null
  accessDays: number
}

/** Prefers plans on offer, then most days: nobody gets less than paid for. */
export const findSoldPlan = async (pool: Ports['pool'], productId: string): Promise<SoldPlan | undefined> => {
  const { rows } = await pool.query<SoldPlan>({
    name: 'plan of a product',
    text: `select plan_name as "planName", access_days as "accessDays" from plan_days where product_id = $1
           order by is_offered desc, access_days desc limit 1`,
    values: [productId],
  })
  return rows[0]
}
