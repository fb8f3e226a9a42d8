import { withoutMarks } from '@prosa/contracts/values/without-marks'
/** Text as it is compared: without accents, in lower case. */
export const plainText = (text: string): string => withoutMarks(text, 'NFD').toLowerCase()
