import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'

export interface HourlyActivityRow {
  /** `<tenant> <hour>` */
  key: string
  tenant: string
  /** UTC, our clock: `2026-11-16T14`. */
  hour: string
  received: number
  /** Includes phone messages. */
  sent: number
  resolved: number
}

const hourlyActivityTable: Table<HourlyActivityRow> = {
  name: 'hourly_activity',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    tenant: 'text collate "C" not null',
    hour: 'text collate "C" not null',
    received: 'int not null',
    sent: 'int not null',
    resolved: 'int not null',
  },
  after: ['create index hourly_activity_owner on hourly_activity (owner, hour)'],
}

/** '2026-11-16T14:32:07.125Z' → '2026-11-16T14' */
const hourOf = ({ metadata }: Stored) => metadata.recordedAt.slice(0, 13)
const key = (event: Stored) => `${event.metadata.tenant ?? ''} ${hourOf(event)}`

type Row = HourlyActivityRow | undefined
type Counted = 'received' | 'sent' | 'resolved'

const oneMore = (row: Row, event: Stored, counted: Counted): Row => {
  const { tenant } = event.metadata
  if (tenant === null) return row
  const before = row ?? { key: key(event), tenant, hour: hourOf(event), received: 0, sent: 0, resolved: 0 }
  return { ...before, [counted]: before[counted] + 1 }
}

const counting = (counted: Counted) => ({ key, row: (row: Row, event: Stored): Row => oneMore(row, event, counted) })

/** Days are exact only in zones of whole hours. No personal data: survives a contact's erasure. */
export const hourlyActivity: Projection<HourlyActivityRow> = {
  name: 'hourly-activity',
  version: 1,
  categories: ['chat', 'contact', 'user'],
  table: hourlyActivityTable,
  on: {
    MessageReceived: counting('received'),
    MessageSentElsewhere: counting('sent'),
    // A retry counts only if it was refused before.
    MessageQueued: {
      key,
      row: (row, event) => {
        const { isRetry, isRefused, wasRefused } = event.data
        return isRefused || (isRetry && !wasRefused) ? row : oneMore(row, event, 'sent')
      },
    },
    ConversationResolved: counting('resolved'),
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
