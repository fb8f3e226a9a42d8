import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { shardOf } from './shard.ts'

export interface TenantTotalsRow {
  shard: string
  contacts: number
  messages: number
}

const key = ({ metadata }: Stored) => shardOf(metadata.owner ?? '')

const counted = (contacts: number, messages: number) => ({
  key,
  row: (row: TenantTotalsRow | undefined, event: Stored): TenantTotalsRow => ({
    shard: key(event),
    contacts: (row?.contacts ?? 0) + contacts,
    messages: (row?.messages ?? 0) + messages,
  }),
})

const message = counted(0, 1)

/** How many contacts all accounts have, and how many messages were ever written to and by them. */
export const tenantTotals: Projection<TenantTotalsRow> = {
  name: 'tenant-totals',
  version: 1,
  categories: ['contact', 'chat'],
  table: {
    name: 'tenant_totals',
    key: 'shard',
    columns: { shard: 'text collate "C"', contacts: 'int not null', messages: 'int not null' },
  },
  on: {
    ContactAdded: counted(1, 0),
    ContactErased: counted(-1, 0),
    MessageReceived: message,
    MessageSentElsewhere: message,
    MessageQueued: {
      key,
      row: (row, event) => (event.data.isRetry && row ? row : message.row(row, event)),
    },
  },
}
