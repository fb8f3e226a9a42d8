import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface CompanyRow {
  /** The tenant's id. */
  id: string
  owner: string
  /** '' is unknown. */
  name: string
  email: string
  phone: string
  website: string
  address: string
  notifications: boolean
  analytics: boolean
}

export const companyTable: Table<CompanyRow> = {
  name: 'company',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C" not null',
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
