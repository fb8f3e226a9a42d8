import { beginning, type Position, PositionOfAnotherLog } from '../port.ts'

/** Fixed width, so that text sorts like numbers. */
const width = 20
const printed = /^\d{20}$/
const maxPosition = 2n ** 63n - 1n

export const beforeAll = -1n

/** Byte offsets with gaps. */
export const positionOf = (numericPosition: bigint): Position =>
  numericPosition === beforeAll ? beginning : (String(numericPosition).padStart(width, '0') as Position)

/** Throws on positions of another kind of store. */
export const numericPositionOf = (position: Position): bigint => {
  if (position === beginning) return beforeAll
  const numericPosition = printed.test(position) ? BigInt(position) : undefined
  if (numericPosition === undefined || numericPosition > maxPosition)
    throw new PositionOfAnotherLog('this position was not printed by this log')
  return numericPosition
}

/** Beyond the end of another log the server silently goes on. */
export const requireWithin = (numericPosition: bigint, head: bigint) => {
  if (numericPosition > head)
    throw new PositionOfAnotherLog(`position ${numericPosition} is beyond the end of this log at ${head}`)
}
