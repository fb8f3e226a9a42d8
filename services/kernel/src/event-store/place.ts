import { beginning, type Position } from './port.ts'

/** How many digits the largest 64-bit place has: at this width decimal text sorts as the numbers do. */
const width = 19
const printed = /^\d{19}$/

/** Places count the events of the log: 1 is the first. As text they carry leading zeros, so that they sort as the log. */
export const positionOf = (place: number | string): Position => {
  const digits = String(place)
  return digits === '0' ? beginning : (digits.padStart(width, '0') as Position)
}

/** Throws on text that no numbered log has printed, such as a checkpoint taken from another kind of store. */
export const placeOf = (position: Position): number => {
  if (position === beginning) return 0
  const place = printed.test(position) ? Number(position) : Number.NaN
  if (!Number.isSafeInteger(place)) throw new Error('this position was not printed by this log')
  return place
}

/** A checkpoint beyond the end belongs to another log; going on from it would skip events in silence. */
export const requireWithin = (place: number, head: number) => {
  if (place > head) throw new Error(`position ${place} is beyond the end of this log, which stands at ${head}`)
}
