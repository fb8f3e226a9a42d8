/** Themes choose the shade. Never remove a name. */
export const labelColours = [
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'indigo',
  'purple',
  'pink',
] as const

export type LabelColour = (typeof labelColours)[number]
