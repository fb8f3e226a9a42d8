import { unsetOpeningHours } from '@prosa/contracts/http/opening-hours'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { type OpeningHoursRow, openingHoursTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

const changed = (
  row: OpeningHoursRow | undefined,
  event: { stream: string },
  change: Partial<OpeningHoursRow>,
): OpeningHoursRow => {
  const id = key(event)
  const { reply, ...hours } = unsetOpeningHours
  return { id, tenant: id, ...hours, isReplyOn: reply.isOn, replyText: reply.text, ...row, ...change }
}

export const openingHours: Projection<OpeningHoursRow> = {
  name: 'opening-hours',
  version: 1,
  categories: ['openingHours', 'user'],
  table: openingHoursTable,
  on: {
    OpeningHoursSet: { key, row: (row, event) => changed(row, event, { isSet: true, ...event.data }) },
    OutOfHoursReplyWritten: { key, row: (row, event) => changed(row, event, { replyText: event.data.text }) },
    OutOfHoursReplyTurnedOn: { key, row: (row, event) => changed(row, event, { isReplyOn: true }) },
    OutOfHoursReplyTurnedOff: { key, row: (row) => row && { ...row, isReplyOn: false } },
    UserErased: { key, row: () => undefined },
  },
}
