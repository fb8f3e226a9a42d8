import type { Holiday, OpenInterval } from '@prosa/contracts/values/time/opening-hours'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface OpeningHoursRow {
  /** The tenant's id. */
  id: string
  tenant: string
  /** False: only the reply was set, default zone. */
  isSet: boolean
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
    tenant: 'text collate "C" not null',
    isSet: 'boolean not null',
    timeZone: 'text not null',
    week: 'jsonb not null',
    holidays: 'jsonb not null',
    isReplyOn: 'boolean not null',
    replyText: 'text not null',
  },
  after: ['create unique index opening_hours_owner on opening_hours (owner)'],
}
