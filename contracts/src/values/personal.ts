import { z } from 'zod'

declare const mark: unique symbol

/** A field of an event's data that is about a person: the codec locks it with that person's key. */
export interface Personal {
  readonly [mark]: true
}

const marks = z.registry<{ erased: unknown }>()

/** What stands where a text was whose subject has been erased. */
export const erasedText = '[apagado]'
/** The same where an e-mail address has to be; `.invalid` never exists (RFC 2606). */
export const erasedEmail = 'apagado@apagado.invalid'
export const erasedContent = { kind: 'text', text: erasedText } as const

/**
 * Marks a field at the top level of an event's data as personal, with the value that stands there once its subject was erased:
 * something that the schema accepts. The schema itself stays as it is where it is used elsewhere.
 */
export const personal = <S extends z.ZodType>(schema: S, erased: z.infer<S>): S & Personal => {
  const marked = schema.clone()
  marks.add(marked, { erased })
  return marked as S & Personal
}

/** The personal fields of an event's data, each with what stands there after an erasure. */
export const personalFields = ({ shape }: z.ZodObject): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(shape).flatMap(([field, schema]) => {
      const found = marks.get(schema as z.ZodType)
      return found ? [[field, found.erased] as const] : []
    }),
  )
