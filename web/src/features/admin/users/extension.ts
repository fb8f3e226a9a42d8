/** Specification, 9. */
export const extensionDays = [7, 15, 30, 60, 90] as const
export type ExtensionDays = (typeof extensionDays)[number]
export const usualExtension: ExtensionDays = 30

const dayMs = 24 * 3600 * 1000

/** Counted from the current end or from now, whichever is later. `nowMs` is the time in ms since 1970. */
export const extendedEnd = (currentEnd: string | null, days: ExtensionDays, nowMs: number): string => {
  const endMs = currentEnd === null ? Number.NaN : Date.parse(currentEnd)
  return new Date(Math.max(nowMs, Number.isNaN(endMs) ? nowMs : endMs) + days * dayMs).toISOString()
}

/** The end of that day in the browser's time zone; undefined where it is no day, or over. `day`: 2027-01-12. */
export const endOfDay = (day: string, nowMs: number): string | undefined => {
  const endMs = Date.parse(`${day}T23:59:59.999`)
  return Number.isNaN(endMs) || endMs <= nowMs ? undefined : new Date(endMs).toISOString()
}
