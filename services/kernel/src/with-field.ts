/** A copy whose field, if it is there, has another name; in the same order. */
export const withField = (value: object, from: string, to: string): object =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name === from ? to : name, field]))
