import type { z } from 'zod'

/** In the API description. */
export const notKnownYetMark = 'x-not-known-yet'

/** Null in rows of an earlier release until the rebuild ends. Clients show and conclude nothing then. */
export const notKnownYet = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().meta({ [notKnownYetMark]: true })
