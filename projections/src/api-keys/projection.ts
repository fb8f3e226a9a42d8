import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { type ApiKeyRow, apiKeyTable } from './table.ts'

/** `apiKey-<user id>:<key id>`, `streamExport-<user id>:<key id>:<day>` */
const key = ({ stream }: { stream: string }): string => parseStream(stream).id.split(':')[1] ?? ''

const created = ({ stream, metadata, data }: StoredOf<'ApiKeyCreated'>): ApiKeyRow => ({
  id: key({ stream }),
  owner: parseStream(stream).id.split(':')[0] ?? '',
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
    UserErased: { purge: { column: 'owner', value: ({ stream }) => parseStream(stream).id } },
  },
}
