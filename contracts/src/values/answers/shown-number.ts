/** '1234.50' → '1.234,50' */
export const shownNumber = (stored: string): string => {
  const [, sign = '', whole, fraction] = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/.exec(stored) ?? []
  if (whole === undefined) return stored
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end))
  return `${sign}${groups.join('.')}${fraction === undefined ? '' : `,${fraction}`}`
}
