import type { Instant } from '@prosa/contracts/values/instant'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface ApiKeyRow {
  id: string
  owner: string
  name: string
  reach: string
  /** Separated by spaces. */
  scopes: string
  withPersonal: boolean
  createdAt: Instant
  expiresAt: Instant
  revokedAt: Instant | null
  lastUsedAt: Instant | null
}

export const apiKeyTable: Table<ApiKeyRow> = {
  name: 'api_key',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C" not null',
    name: 'text not null',
    reach: 'text not null',
    scopes: 'text not null',
    withPersonal: 'boolean not null',
    createdAt: 'text collate "C" not null',
    expiresAt: 'text collate "C" not null',
    revokedAt: 'text collate "C"',
    lastUsedAt: 'text collate "C"',
  },
  after: ['create index api_key_owner on api_key (owner, created_at, id)'],
}
