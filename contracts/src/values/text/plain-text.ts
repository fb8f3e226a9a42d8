import { readableText } from './readable-text.ts'
import { withoutMarks } from './without-marks.ts'

/** Ignores case, accents and repeated blanks; cuts long texts. */
export const plainText = (text: string): string =>
  withoutMarks(readableText(text), 'NFD').toLowerCase().replace(/\s+/g, ' ').trim()
