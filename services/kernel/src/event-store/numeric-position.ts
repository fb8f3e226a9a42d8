import { beginning, type Position, PositionOfAnotherLog } from './port.ts'

/** Fixed width, so that text sorts like numbers. */
const width = 19
const printed = /^\d{19}$/

/** The first event is 1. */
export const positionOf = (numericPosition: number | string): Position => {
  const digits = String(numericPosition)
  return digits === '0' ? beginning : (digits.padStart(width, '0') as Position)
}

/** Throws on text of another kind of store. */
export const numericPositionOf = (position: Position): number => {
  if (position === beginning) return 0
  const numericPosition = printed.test(position) ? Number(position) : Number.NaN
  if (!Number.isSafeInteger(numericPosition))
    throw new PositionOfAnotherLog('this position was not printed by this log')
  return numericPosition
}

/** A checkpoint beyond the end would silently skip events. */
export const requireWithin = (numericPosition: number, head: number) => {
  if (numericPosition > head)
    throw new PositionOfAnotherLog(`position ${numericPosition} is beyond the end of this log at ${head}`)
}
