import { type OpeningHoursShown, unsetOpeningHours } from '@prosa/contracts/http/opening-hours'
import { defaultTimeZone } from '@prosa/contracts/values/time-zone'
import type { Pool } from 'pg'
import type { OpeningHoursRow } from './table.ts'

/** The hours of a subscriber's business; those that are shown before any are set, where there are none. */
export const findOpeningHours = async (pool: Pool, owner: string): Promise<OpeningHoursShown> => {
  const { rows } = await pool.query<Omit<OpeningHoursRow, 'id' | 'owner'>>({
    name: 'opening hours of owner',
    text: `select is_set as "isSet", time_zone as "timeZone", week, holidays, is_reply_on as "isReplyOn",
                  reply_text as "replyText"
           from opening_hours where owner = $1`,
    values: [owner],
  })
  const [row] = rows
  if (!row) return unsetOpeningHours
  const { isReplyOn: isOn, replyText: text, ...hours } = row
  return { ...hours, reply: { isOn, text } }
}

/** By whose clocks a subscriber's days and hours count: IANA's name, which `at time zone` takes too. */
export const findTimeZone = async (pool: Pool, owner: string): Promise<string> => {
  const { rows } = await pool.query<{ timeZone: string }>({
    name: 'time zone of owner',
    text: 'select time_zone as "timeZone" from opening_hours where owner = $1',
    values: [owner],
  })
  return rows[0]?.timeZone ?? defaultTimeZone
}
