/**
 * A text decomposed (`NFD`, or `NFKD`, in which letters of other fonts count as plain ones) and without its accents and other marks.
 * They are taken out before as well: normalizing sorts every run of marks, in time that grows with the square of its length.
 */
export const withoutMarks = (text: string, form: 'NFD' | 'NFKD'): string =>
  text
    .replace(/\p{M}+/gu, '')
    .normalize(form)
    .replace(/\p{M}+/gu, '')
