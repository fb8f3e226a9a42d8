/** NFKD also makes other fonts plain. Marks are removed first too, since normalizing sorts each run in quadratic time. */
export const withoutMarks = (text: string, form: 'NFD' | 'NFKD'): string =>
  text
    .replace(/\p{M}+/gu, '')
    .normalize(form)
    .replace(/\p{M}+/gu, '')
