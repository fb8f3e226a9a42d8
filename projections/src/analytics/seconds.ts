import type { Instant } from '@prosa/contracts/values/instant'

/** Whole seconds; null without both, or where the end comes first. */
export const secondsBetween = (from: Instant | null, to: Instant | null): number | null => {
  if (from === null || to === null || to < from) return null
  return Math.round((Date.parse(to) - Date.parse(from)) / 1000)
}
