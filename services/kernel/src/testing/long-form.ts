import { appendFileSync } from 'node:fs'

/** `npm run test:long` sets PROSA_LONG, and PROSA_MEASUREMENTS to the file whose lines it prints at the end. */
const { PROSA_LONG, PROSA_MEASUREMENTS } = process.env

/** How often, how much, or which: the short form in `npm test`, the long one in `npm run test:long`. */
export const shortOrLong = <T>(short: T, long: T): T => (PROSA_LONG ? long : short)

/** Keeps the measurements of a test for the end of a long run; in a short one nobody asks for them. */
export const noteMeasurements = (what: string, measured: Record<string, number | string>): void => {
  if (PROSA_MEASUREMENTS) appendFileSync(PROSA_MEASUREMENTS, `${JSON.stringify({ what, measured })}\n`)
}
