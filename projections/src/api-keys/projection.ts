import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { StoredOf } from '@prosa/kernel/event-store/codec'

interface ApiKeyRow {
  id: string
  tenant: string
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

const apiKeyTable: Table<ApiKeyRow> = {
  name: 'api_key',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    tenant: 'text collate "C" not null',
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

/** `apiKey-<user id>:<key id>`, `streamExport-<user id>:<key id>:<day>` */
const key = ({ stream }: { stream: string }): string => parseStream(stream).id.split(':')[1] ?? ''

const created = ({ stream, metadata, data }: StoredOf<'ApiKeyCreated'>): ApiKeyRow => ({
  id: key({ stream }),
  tenant: parseStream(stream).id.split(':')[0] ?? '',
  name: data.name,
  reach: data.reach,
  scopes: data.scopes.join(' '),
  withPersonal: data.withPersonal,
  createdAt: metadata.recordedAt,
  expiresAt: data.expiresAt,
  revokedAt: null,
  lastUsedAt: null,
})

export const apiKeyList: Projection<ApiKeyRow> = {
  name: 'api-keys',
  version: 1,
  categories: ['apiKey', 'streamExport', 'user'],
  table: apiKeyTable,
  on: {
    ApiKeyCreated: { key, row: (_, event) => created(event) },
    ApiKeyRevoked: { key, row: (row, { metadata }) => row && { ...row, revokedAt: metadata.recordedAt } },
    StreamExported: { key, row: (row, { data }) => row && { ...row, lastUsedAt: data.at } },
    ApiKeyUsed: { key, row: (row, { data }) => row && { ...row, lastUsedAt: data.at } },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
