import { unknownPage } from '@prosa/contracts/http/cursor'
import { refuse } from '@prosa/kernel/http/problem'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import { z } from 'zod'

/** Log position, for administrators only. Tenants use `logCursors`. */
export const logPosition = z.tuple([
  z
    .string()
    .min(1)
    .regex(/^[\x21-\x7e]+$/),
])

/** For `prosa-next-cursor`. */
export const encodeCursor = (values: readonly string[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Refuses `field` on a mismatch. */
export const decodeCursor = <Values>(text: string, schema: z.ZodType<Values>, field = 'cursor'): Values => {
  const checked = schema.safeParse(parsed(text))
  if (checked.success) return checked.data
  throw refuse('invalid_request', [{ field, message: unknownPage }])
}

export interface LogCursors {
  /** Encrypted for one reader. */
  encode(reader: string, position: string): string
  /** Undefined for no cursor, or a plain one of an earlier release. Else refuses `field`. */
  decode(reader: string, cursor: string | undefined, field?: string): string | undefined
}

/** See docs/decisions/0055-opaque-positions.md. */
export const logCursors = (box: Pick<SecretBox, 'token' | 'readToken'>): LogCursors => {
  const contextOf = (reader: string) => `cursor ${reader}`
  return {
    encode: (reader, position) => box.token(position, contextOf(reader)),
    decode(reader, cursor, field) {
      if (cursor === undefined) return undefined
      const position = box.readToken(cursor, contextOf(reader))
      if (position === undefined) decodeCursor(cursor, logPosition, field)
      return position
    },
  }
}
