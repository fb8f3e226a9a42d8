import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface HourlyActivityRow {
  /** `<owner> <hour>` */
  key: string
  owner: string
  /** UTC, our clock: `2026-11-16T14`. */
  hour: string
  received: number
  /** Includes phone messages. */
  sent: number
  resolved: number
}

export const hourlyActivityTable: Table<HourlyActivityRow> = {
  name: 'hourly_activity',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    owner: 'text collate "C" not null',
    hour: 'text collate "C" not null',
    received: 'int not null',
    sent: 'int not null',
    resolved: 'int not null',
  },
  after: ['create index hourly_activity_owner on hourly_activity (owner, hour)'],
}
