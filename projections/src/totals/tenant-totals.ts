import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { shardOf } from './shard.ts'

export interface TenantTotalsRow {
  shard: string
  contacts: number
  messages: number
  /** Merged contacts, not counted. Null in older rows. */
  absorbed: Readonly<Record<string, true>> | null
}

type Key = (event: Stored) => string

const ofTenant: Key = ({ metadata }) => shardOf(metadata.tenant ?? '')
/** Bounds the row size. */
const ofContact: Key = ({ stream }) => shardOf(parseStream(stream).id)

type Row = TenantTotalsRow | undefined

const more = (row: Row, shard: string, by: { contacts?: number; messages?: number }): TenantTotalsRow => ({
  shard,
  contacts: (row?.contacts ?? 0) + (by.contacts ?? 0),
  messages: (row?.messages ?? 0) + (by.messages ?? 0),
  absorbed: row?.absorbed ?? {},
})

const message = { key: ofTenant, row: (row: Row, event: Stored) => more(row, ofTenant(event), { messages: 1 }) }

const isAbsorbed = (row: Row, { stream }: Stored) => row?.absorbed?.[parseStream(stream).id] === true

const withAbsorbed = (row: TenantTotalsRow, { stream }: Stored): TenantTotalsRow => ({
  ...row,
  absorbed: { ...row.absorbed, [parseStream(stream).id]: true },
})

const withoutAbsorbed = (row: TenantTotalsRow, { stream }: Stored): TenantTotalsRow => {
  const { [parseStream(stream).id]: _, ...absorbed } = row.absorbed ?? {}
  return { ...row, absorbed }
}

/** Merged contacts count once. */
export const tenantTotals: Projection<TenantTotalsRow> = {
  name: 'tenant-totals',
  version: 2,
  categories: ['contact', 'chat'],
  table: {
    name: 'tenant_totals',
    key: 'shard',
    columns: {
      shard: 'text collate "C"',
      contacts: 'int not null',
      messages: 'int not null',
      absorbed: 'jsonb',
    },
    added: { absorbed: { notKnownYet: true } },
  },
  on: {
    ContactAdded: { key: ofContact, row: (row, event) => more(row, ofContact(event), { contacts: 1 }) },
    ContactAbsorbed: {
      key: ofContact,
      row: (row, event) =>
        isAbsorbed(row, event) ? row : withAbsorbed(more(row, ofContact(event), { contacts: -1 }), event),
    },
    ContactRestored: {
      key: ofContact,
      row: (row, event) =>
        isAbsorbed(row, event) ? withoutAbsorbed(more(row, ofContact(event), { contacts: 1 }), event) : row,
    },
    ContactErased: {
      key: ofContact,
      row: (row, event) =>
        row && isAbsorbed(row, event) ? withoutAbsorbed(row, event) : more(row, ofContact(event), { contacts: -1 }),
    },
    MessageReceived: message,
    MessageSentElsewhere: message,
    MessageQueued: {
      key: ofTenant,
      row: (row, event) => (event.data.isRetry && row ? row : message.row(row, event)),
    },
  },
}
