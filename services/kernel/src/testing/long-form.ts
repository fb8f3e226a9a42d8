import { appendFileSync } from 'node:fs'

/** `npm run test:long` sets PROSA_LONG, and PROSA_FIGURES to the file whose lines it prints at the end. */
const { PROSA_LONG, PROSA_FIGURES } = process.env

/** How often, or how much: the short form in `npm test`, the long one in `npm run test:long`. */
export const shortOrLong = (short: number, long: number): number => (PROSA_LONG ? long : short)

/** Keeps the figures of a test for the end of a long run; in a short one nobody asks for them. */
export const noteFigures = (what: string, figures: Record<string, number | string>): void => {
  if (PROSA_FIGURES) appendFileSync(PROSA_FIGURES, `${JSON.stringify({ what, figures })}\n`)
}
