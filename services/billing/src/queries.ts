import type { Ports } from '@prosa/kernel/ports'

/**
 * The days of a product's plan. Of several plans, those on offer count before those that were, and the one with most days:
 * nobody gets less than was paid for.
 */
export const findPlanDays = async (pool: Ports['pool'], productId: string): Promise<number | undefined> => {
  const { rows } = await pool.query<{ accessDays: number }>({
    name: 'days of a product',
    text: `select access_days as "accessDays" from plan_days where product_id = $1
           order by is_offered desc, access_days desc limit 1`,
    values: [productId],
  })
  return rows[0]?.accessDays
}
