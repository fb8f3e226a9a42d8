/** The palette of labels: stored by name, so that each theme shows its own shade. A name that was stored once stays. */
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
