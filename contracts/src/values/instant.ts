import { z } from 'zod'

/** UTC, ISO 8601 with milliseconds: `2026-11-21T14:32:00.000Z`. */
export const instant = z.iso.datetime({ precision: 3 })

export type Instant = z.infer<typeof instant>
