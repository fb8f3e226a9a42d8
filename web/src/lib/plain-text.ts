import { withoutMarks } from '@prosa/contracts/values/text/without-marks'
export const plainText = (text: string): string => withoutMarks(text, 'NFD').toLowerCase()
