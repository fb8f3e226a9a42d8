import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'

/** Names are personal data: only fingerprints are stored. */
export interface ConnectionNameRow {
  connectionId: string
  tenant: string
  nameFingerprint: string
  position: string
}

const connectionNameTable: Table<ConnectionNameRow> = {
  name: 'connection_name',
  key: 'connectionId',
  columns: {
    connectionId: 'text collate "C"',
    tenant: 'text collate "C" not null',
    nameFingerprint: 'text collate "C" not null',
    position: 'text collate "C" not null',
  },
  after: ['create index connection_name_name on connection_name (owner, name_fingerprint, position)'],
}

const key = ({ stream }: Pick<Stored, 'stream'>) => parseStream(stream).id

export const connectionNameProjection = (
  fingerprint: (tenant: string, name: string) => string,
): Projection<ConnectionNameRow> => ({
  name: 'connection-names',
  version: 1,
  categories: ['connection'],
  table: connectionNameTable,
  on: {
    ConnectionAdded: {
      key,
      makes: true,
      row: (row, { stream, data: { name }, metadata: { tenant }, position }) =>
        row ??
        (tenant
          ? { connectionId: parseStream(stream).id, tenant, nameFingerprint: fingerprint(tenant, name), position }
          : undefined),
    },
    ConnectionRemoved: { key, row: () => undefined },
  },
})
