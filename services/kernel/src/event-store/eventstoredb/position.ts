import { beginning, type Position } from '../port.ts'

/** Fixed width, so that text sorts like numbers. */
const width = 20
const printed = /^\d{20}$/
const maxPlace = 2n ** 63n - 1n

export const beforeAll = -1n

/** Byte offsets with gaps. */
export const positionOf = (place: bigint): Position =>
  place === beforeAll ? beginning : (String(place).padStart(width, '0') as Position)

/** Throws on positions of another kind of store. */
export const placeOf = (position: Position): bigint => {
  if (position === beginning) return beforeAll
  const place = printed.test(position) ? BigInt(position) : undefined
  if (place === undefined || place > maxPlace) throw new Error('this position was not printed by this log')
  return place
}

/** Beyond the end of another log the server silently goes on. */
export const requireWithin = (place: bigint, head: bigint) => {
  if (place > head) throw new Error(`position ${place} is beyond the end of this log, which stands at ${head}`)
}
