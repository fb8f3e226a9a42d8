import type { Pool } from 'pg'

export interface Spent {
  tenant: string
  kind: string
  /** '2026-11-25', or '' for permanent sums. */
  day: string
  amount: number
}

/** Returns false beyond `max`. Locks one row. */
export const addSpending = async (pool: Pool, { tenant, kind, day, amount }: Spent, max: number): Promise<boolean> => {
  const { rowCount } = await pool.query({
    name: 'add spending',
    text: `insert into tenant_spending as s (owner, kind, day, amount)
             select $1, $2, $3, $4::bigint where $4::bigint <= $5::bigint
           on conflict (owner, kind, day) do update set amount = s.amount + excluded.amount
             where s.amount + excluded.amount <= $5::bigint`,
    values: [tenant, kind, day, amount, max],
  })
  return rowCount === 1
}

export const takeBackSpending = async (pool: Pool, { tenant, kind, day, amount }: Spent): Promise<void> => {
  await pool.query(
    'update tenant_spending set amount = greatest(0, amount - $4) where owner = $1 and kind = $2 and day = $3',
    [tenant, kind, day, amount],
  )
}

export const forgetSpending = async (pool: Pool, tenant: string): Promise<void> => {
  await pool.query('delete from tenant_spending where owner = $1', [tenant])
}
