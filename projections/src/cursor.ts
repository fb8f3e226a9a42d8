import { unknownPage } from '@prosa/contracts/http/cursor'
import { refuse } from '@prosa/kernel/http/problem'
import { z } from 'zod'

/** The sort key of rows in the order of the log: one position. */
export const logPlace = z.tuple([
  z
    .string()
    .min(1)
    .regex(/^[\x21-\x7e]+$/),
])

/** A row's sort key as opaque text for `prosa-next-cursor`. */
export const encodeCursor = (place: readonly string[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** The sort key that `encodeCursor` was given; anything that does not fit refuses the field that it came in. */
export const decodeCursor = <Place>(text: string, place: z.ZodType<Place>, field = 'cursor'): Place => {
  const checked = place.safeParse(parsed(text))
  if (checked.success) return checked.data
  throw refuse('invalid_request', [{ field, message: unknownPage }])
}
