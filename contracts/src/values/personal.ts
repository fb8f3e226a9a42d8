import { z } from 'zod'

declare const mark: unique symbol

/** The codec encrypts such fields with the person's key. */
export interface Personal {
  readonly [mark]: true
}

const marks = z.registry<{ erased: unknown }>()

export const erasedText = '[apagado]'
/** `.invalid` never exists (RFC 2606). */
export const erasedEmail = 'apagado@apagado.invalid'
export const erasedContent = { kind: 'text', text: erasedText } as const

/** Only for top-level fields of events. `erased` replaces it; other uses of the schema are unaffected. */
export const personal = <S extends z.ZodType>(schema: S, erased: z.infer<S>): S & Personal => {
  const marked = schema.clone()
  marks.add(marked, { erased })
  return marked as S & Personal
}

/** With values after erasure. */
export const personalFields = ({ shape }: z.ZodObject): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(shape).flatMap(([field, schema]) => {
      const found = marks.get(schema as z.ZodType)
      return found ? [[field, found.erased] as const] : []
    }),
  )
