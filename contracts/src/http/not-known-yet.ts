import type { z } from 'zod'

/** Marks a field in the description of the API. */
export const notKnownYetMark = 'x-not-known-yet'

/**
 * A field of which rows that an earlier release built hold nothing: null until they are built anew, which takes minutes where the
 * log is long. Whoever shows it then shows nothing in its place, and concludes nothing from it.
 */
export const notKnownYet = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().meta({ [notKnownYetMark]: true })
