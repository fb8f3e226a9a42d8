import { unknownPage } from '@prosa/contracts/http/cursor'
import { refuse } from '@prosa/kernel/http/problem'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import { z } from 'zod'

/** The sort key of rows in the order of the log, one position: for administrators, who see the log. Tenants have `logCursors`. */
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

export interface LogCursors {
  /** A position of the log as text in which only the server reads it, and only for the same reader. */
  encode(reader: string, position: string): string
  /**
   * The position that `encode` was given; undefined where there is no cursor, and for one of a release before, in which the position could be
   * read: from it a list begins anew. Anything else refuses the field that it came in.
   */
  decode(reader: string, cursor: string | undefined, field?: string): string | undefined
}

/** Cursors of a tenant's lists in the order of the log (docs/decisions/0055-opaque-positions.md). */
export const logCursors = (box: Pick<SecretBox, 'token' | 'readToken'>): LogCursors => {
  const contextOf = (reader: string) => `cursor ${reader}`
  return {
    encode: (reader, position) => box.token(position, contextOf(reader)),
    decode(reader, cursor, field) {
      if (cursor === undefined) return undefined
      const position = box.readToken(cursor, contextOf(reader))
      if (position === undefined) decodeCursor(cursor, logPlace, field)
      return position
    },
  }
}
