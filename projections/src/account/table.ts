import type { Role } from '@prosa/contracts/values/role'
import type { Table } from '../runner/table.ts'

export interface AccountRow {
  id: string
  firstName: string
  lastName: string
  email: string
  createdAt: string
  subscriptionStatus: 'active' | 'expired' | 'cancelled'
  subscriptionEnd: string | null
  roles: readonly Role[]
}

export const accountTable: Table<AccountRow> = {
  name: 'account',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    firstName: 'text not null',
    lastName: 'text not null',
    email: 'text not null',
    createdAt: 'text not null',
    subscriptionStatus: 'text not null',
    subscriptionEnd: 'text',
    roles: 'text[] not null',
  },
  after: ["create index account_with_roles on account (id) where roles <> '{}'"],
}
