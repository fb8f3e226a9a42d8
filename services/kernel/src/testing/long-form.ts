import { appendFileSync } from 'node:fs'

/** Set by `npm run test:long`; it prints the file's lines. */
const { PROSA_LONG, PROSA_MEASUREMENTS } = process.env

export const shortOrLong = <T>(short: T, long: T): T => (PROSA_LONG ? long : short)

export const noteMeasurements = (what: string, measured: Record<string, number | string>): void => {
  if (PROSA_MEASUREMENTS) appendFileSync(PROSA_MEASUREMENTS, `${JSON.stringify({ what, measured })}\n`)
}
