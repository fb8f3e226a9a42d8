import { z } from 'zod'

/** RFC 9457, `application/problem+json`. */
export const problem = z.object({
  /** A name in `refusals.ts`. */
  type: z.string(),
  /** Portuguese, for the user. */
  title: z.string(),
  status: z.number().int(),
  /** Dotted path and Portuguese sentence. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** With `purpose_needed`; null: all tenants. */
  tenantId: z.string().nullable().optional(),
  correlationId: z.string(),
})

export type Problem = z.infer<typeof problem>

/**
 * Commands reply with an opaque log position. A GET with it waits at most 2 s until the read model reaches it. Up to 16, comma-separated,
 * are merged into one.
 */
export const positionHeader = 'prosa-position'

/** Value for `?cursor=`; absent on the last page. */
export const cursorHeader = 'prosa-next-cursor'

/** Value for `?after=`; absent at the latest message. */
export const newerCursorHeader = 'prosa-newer-cursor'

/** Comma-separated new read models that are incomplete until built. */
export const notBuiltYetHeader = 'prosa-not-built-yet'

/** 1 to 200 printable characters. Within 24 hours the same key repeats the answer without effect; other content is refused. */
export const idempotencyKeyHeader = 'idempotency-key'

/** `true` for a repeated answer. */
export const repliedBeforeHeader = 'idempotency-replayed'
