import { unknownCompany } from '@prosa/contracts/http/accounts/company'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { type CompanyRow, companyTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

const changed = (row: CompanyRow | undefined, event: { stream: string; data: Partial<CompanyRow> }): CompanyRow => {
  const id = key(event)
  return { ...unknownCompany, ...row, ...event.data, id, owner: id }
}

export const company: Projection<CompanyRow> = {
  name: 'company',
  version: 1,
  categories: ['company', 'user'],
  table: companyTable,
  on: {
    CompanyDescribed: { key, row: changed },
    CompanyChoicesMade: { key, row: changed },
    UserErased: { key, row: () => undefined },
  },
}
