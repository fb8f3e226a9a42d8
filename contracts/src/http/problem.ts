import { z } from 'zod'

/** The body of every reply that is not a success (RFC 9457, `application/problem+json`). */
export const problem = z.object({
  /** A name of `refusals.ts`, for programs. */
  type: z.string(),
  /** The Portuguese sentence that the user reads. */
  title: z.string(),
  status: z.number().int(),
  /** Refused fields: dotted path of the field and a Portuguese sentence. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** Of `purpose_needed`: whose data it is about, null where it is about all accounts. */
  tenantId: z.string().nullable().optional(),
  /** To find the request in the logs. */
  correlationId: z.string(),
})

export type Problem = z.infer<typeof problem>

/**
 * Reply header of commands: a token for the log position that the command reached, which reveals nothing of it. A client that sends it back in
 * the same header of a GET reads its own writes: the reply waits (2 s at most) until the read model has got there. It may send up to 16 of
 * them, of commands and pushes, with commas between them; then the reply has one that stands for them all.
 */
export const positionHeader = 'prosa-position'

/** Reply header of lists: pass its value as `?cursor=` to get the next page; absent on the last one. */
export const cursorHeader = 'prosa-next-cursor'

/** Reply header of a history: pass its value as `?after=` to get the newer messages; absent where the latest is reached. */
export const newerCursorHeader = 'prosa-newer-cursor'

/**
 * Reply header of GETs: the read models, with commas, that this release has added and is still building from the log. What is shown
 * of them is less than there is.
 */
export const notBuiltYetHeader = 'prosa-not-built-yet'

/**
 * Request header of commands: 1 to 200 printable characters that name this one wish (a new UUID). The same key again, within
 * 24 hours, changes nothing and gets the same answer; with other content it is refused.
 */
export const idempotencyKeyHeader = 'idempotency-key'

/** Reply header: `true` when this answer was given before. */
export const repliedBeforeHeader = 'idempotency-replayed'
