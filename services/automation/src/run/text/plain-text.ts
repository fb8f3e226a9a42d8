import { withoutMarks } from '@prosa/contracts/values/text/without-marks'
import { readableText } from './readable-text.ts'

/** Ignores case, accents and repeated blanks; cuts long texts. */
export const plainText = (text: string): string =>
  withoutMarks(readableText(text), 'NFD').toLowerCase().replace(/\s+/g, ' ').trim()
