import { beginning, type Position } from './port.ts'

/** Fixed width, so that text sorts like numbers. */
const width = 19
const printed = /^\d{19}$/

/** The first event is 1. */
export const positionOf = (place: number | string): Position => {
  const digits = String(place)
  return digits === '0' ? beginning : (digits.padStart(width, '0') as Position)
}

/** Throws on text of another kind of store. */
export const placeOf = (position: Position): number => {
  if (position === beginning) return 0
  const place = printed.test(position) ? Number(position) : Number.NaN
  if (!Number.isSafeInteger(place)) throw new Error('this position was not printed by this log')
  return place
}

/** A checkpoint beyond the end would silently skip events. */
export const requireWithin = (place: number, head: number) => {
  if (place > head) throw new Error(`position ${place} is beyond the end of this log, which stands at ${head}`)
}
