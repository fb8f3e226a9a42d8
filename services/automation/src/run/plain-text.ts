import { withoutMarks } from '@prosa/contracts/values/without-marks'
import { readableText } from './readable-text.ts'

/** A text as it is compared: without case, accents and more than one blank between words; of a long one the beginning. */
export const plainText = (text: string): string =>
  withoutMarks(readableText(text), 'NFD').toLowerCase().replace(/\s+/g, ' ').trim()
