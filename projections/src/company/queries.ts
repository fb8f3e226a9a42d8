import { type Company, unknownCompany } from '@prosa/contracts/http/accounts/company'
import type { Pool } from 'pg'

export const findCompany = async (pool: Pool, tenant: string): Promise<Company> => {
  const { rows } = await pool.query<Company>({
    name: 'company of tenant',
    text: 'select name, email, phone, website, address, notifications, analytics from company where owner = $1',
    values: [tenant],
  })
  return rows[0] ?? unknownCompany
}
