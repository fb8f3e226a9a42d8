import { type OpeningHoursShown, unsetOpeningHours } from '@prosa/contracts/http/opening-hours'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'
import type { Pool } from 'pg'
import type { OpeningHoursRow } from './table.ts'

/** Defaults until hours are set. */
export const shownOpeningHours = (row: Omit<OpeningHoursRow, 'id' | 'tenant'> | undefined): OpeningHoursShown => {
  if (!row) return unsetOpeningHours
  const { isSet, timeZone, week, holidays, isReplyOn: isOn, replyText: text } = row
  return { isSet, timeZone, week, holidays, reply: { isOn, text } }
}

export const findOpeningHours = async (pool: Pool, tenant: string): Promise<OpeningHoursShown> => {
  const { rows } = await pool.query<Omit<OpeningHoursRow, 'id' | 'tenant'>>({
    name: 'opening hours of tenant',
    text: `select is_set as "isSet", time_zone as "timeZone", week, holidays, is_reply_on as "isReplyOn",
                  reply_text as "replyText"
           from opening_hours where owner = $1`,
    values: [tenant],
  })
  return shownOpeningHours(rows[0])
}

/** IANA name, valid for `at time zone`. */
export const findTimeZone = async (pool: Pool, tenant: string): Promise<string> => {
  const { rows } = await pool.query<{ timeZone: string }>({
    name: 'time zone of tenant',
    text: 'select time_zone as "timeZone" from opening_hours where owner = $1',
    values: [tenant],
  })
  return rows[0]?.timeZone ?? defaultTimeZone
}
