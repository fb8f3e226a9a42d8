import { unknownCompany } from '@prosa/contracts/http/accounts/company'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface CompanyRow {
  /** The tenant's id. */
  id: string
  tenant: string
  /** '' is unknown. */
  name: string
  email: string
  phone: string
  website: string
  address: string
  notifications: boolean
  analytics: boolean
}

const companyTable: Table<CompanyRow> = {
  name: 'company',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C" not null',
    name: 'text not null',
    email: 'text not null',
    phone: 'text not null',
    website: 'text not null',
    address: 'text not null',
    notifications: 'boolean not null',
    analytics: 'boolean not null',
  },
  after: ['create unique index company_owner on company (owner)'],
}

const key = ({ stream }: { stream: string }) => parseStream(stream).id

const changed = (row: CompanyRow | undefined, event: { stream: string; data: Partial<CompanyRow> }): CompanyRow => {
  const id = key(event)
  return { ...unknownCompany, ...row, ...event.data, id, tenant: id }
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
