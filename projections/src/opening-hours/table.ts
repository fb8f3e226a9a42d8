import type { Holiday, OpenInterval } from '@prosa/contracts/values/opening-hours'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface OpeningHoursRow {
  /** The account's, which is the tenant. */
  id: string
  owner: string
  /** False while only the reply was written or turned on: then the zone is the usual one. */
  isSet: boolean
  /** IANA's name, as PostgreSQL's `at time zone` takes it. */
  timeZone: string
  week: OpenInterval[][]
  holidays: Holiday[]
  isReplyOn: boolean
  replyText: string
}

export const openingHoursTable: Table<OpeningHoursRow> = {
  name: 'opening_hours',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    owner: 'text collate "C" not null',
    isSet: 'boolean not null',
    timeZone: 'text not null',
    week: 'jsonb not null',
    holidays: 'jsonb not null',
    isReplyOn: 'boolean not null',
    replyText: 'text not null',
  },
  after: ['create unique index opening_hours_owner on opening_hours (owner)'],
}
