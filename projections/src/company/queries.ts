import { type Company, unknownCompany } from '@prosa/contracts/http/accounts/company'
import type { Pool } from 'pg'

export const findCompany = async (pool: Pool, owner: string): Promise<Company> => {
  const { rows } = await pool.query<Company>({
    name: 'company of owner',
    text: 'select name, email, phone, website, address, notifications, analytics from company where owner = $1',
    values: [owner],
  })
  return rows[0] ?? unknownCompany
}
