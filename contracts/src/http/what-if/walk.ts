import { z } from 'zod'
import { periodDay } from '../../values/time/period.ts'
import { unknownPage } from '../cursor.ts'

export const maxWhatIfDays = 31
/** In one part. */
export const maxDifferences = 200

/** `after`: the former part's `next`. */
export const walkAsked = {
  from: periodDay,
  to: periodDay,
  after: z
    .string()
    .regex(/^[\w-]{0,64}$/, unknownPage)
    .default(''),
}

/** Of all records, how many are done; the following part begins after `next`. */
export const walkPart = {
  done: z.int().nonnegative(),
  total: z.int().nonnegative(),
  next: z.string().nullable(),
  /** A record was too large to be looked at whole. */
  isCut: z.boolean(),
}

const part = z.object(walkPart)
export type WalkPart = z.infer<typeof part>
