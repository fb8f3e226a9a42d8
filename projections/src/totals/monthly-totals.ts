import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'

export interface MonthlyTotalsRow {
  /** In São Paulo: `2026-11`. */
  month: string
  newAccounts: number
  erasedAccounts: number
  /** Paid access that ended, or was taken away. */
  endedAccess: number
  /** Sent and received. */
  messages: number
  /** Numbers that were linked, and unlinked. */
  linkedNumbers: number
  unlinkedNumbers: number
}

type Counted = Exclude<keyof MonthlyTotalsRow, 'month'>
type Row = MonthlyTotalsRow | undefined

const threeHoursMs = 3 * 3600 * 1000

/** UTC−3 since 2019. */
const monthOf = ({ metadata }: Stored): string =>
  new Date(Date.parse(metadata.recordedAt) - threeHoursMs).toISOString().slice(0, 7)

const none = { newAccounts: 0, erasedAccounts: 0, endedAccess: 0, messages: 0, linkedNumbers: 0, unlinkedNumbers: 0 }

const oneMore = (row: Row, event: Stored, counted: Counted): MonthlyTotalsRow => {
  const before = row ?? { month: monthOf(event), ...none }
  return { ...before, [counted]: before[counted] + 1 }
}

const counting = (counted: Counted) => ({
  key: monthOf,
  row: (row: Row, event: Stored): Row => oneMore(row, event, counted),
})

/** Of all tenants; no personal data. A row for each month. */
export const monthlyTotals: Projection<MonthlyTotalsRow> = {
  name: 'monthly-totals',
  version: 1,
  categories: ['user', 'subscription', 'chat', 'connection'],
  table: {
    name: 'monthly_totals',
    key: 'month',
    columns: {
      month: 'text collate "C"',
      newAccounts: 'int not null',
      erasedAccounts: 'int not null',
      endedAccess: 'int not null',
      messages: 'int not null',
      linkedNumbers: 'int not null',
      unlinkedNumbers: 'int not null',
    },
  },
  on: {
    UserRegistered: counting('newAccounts'),
    UserErased: counting('erasedAccounts'),
    AccessEnded: counting('endedAccess'),
    AccessRevoked: {
      key: monthOf,
      row: (row, event) => (event.data.endsAt === null ? oneMore(row, event, 'endedAccess') : row),
    },
    MessageReceived: counting('messages'),
    MessageSentElsewhere: counting('messages'),
    MessageQueued: {
      key: monthOf,
      row: (row, event) => (event.data.isRetry ? row : oneMore(row, event, 'messages')),
    },
    NumberLinked: counting('linkedNumbers'),
    NumberUnlinked: counting('unlinkedNumbers'),
  },
}
