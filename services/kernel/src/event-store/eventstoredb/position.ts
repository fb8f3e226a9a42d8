import { beginning, type Position } from '../port.ts'

/** How many digits the largest place has: at this width decimal text sorts as the numbers do. */
const width = 20
const printed = /^\d{20}$/
const maxPlace = 2n ** 63n - 1n

/** Before every event: what a reader starts after who has read nothing. */
export const beforeAll = -1n

/** Places are byte offsets in the server's log: they grow, with gaps. As text they carry leading zeros. */
export const positionOf = (place: bigint): Position =>
  place === beforeAll ? beginning : (String(place).padStart(width, '0') as Position)

/** Throws on text that no EventStoreDB has printed, such as a checkpoint taken from another kind of store. */
export const placeOf = (position: Position): bigint => {
  if (position === beginning) return beforeAll
  const place = printed.test(position) ? BigInt(position) : undefined
  if (place === undefined || place > maxPlace) throw new Error('this position was not printed by this log')
  return place
}

/** A checkpoint beyond the end belongs to another log; the server would go on from it in silence, with whatever comes. */
export const requireWithin = (place: bigint, head: bigint) => {
  if (place > head) throw new Error(`position ${place} is beyond the end of this log, which stands at ${head}`)
}
