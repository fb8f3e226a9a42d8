import type { Label } from '@prosa/contracts/http/labels'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import { queryOptions } from '@tanstack/react-query'
import { plainText } from '../format/plain-text.ts'
import { call } from '../http/call.ts'

/** By name; pushes refresh it. */
export const labelsQuery = queryOptions({
  queryKey: ['labels'],
  queryFn: ({ signal }) => call('GET /api/labels', { signal }),
  staleTime: 30_000,
})

/** As the server stores a name. */
export const labelNameOf = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Ignores case and accents; a blank text matches all. */
export const findLabels = (labels: readonly Label[], text: string): Label[] =>
  labels.filter(({ name }) => plainText(name).includes(plainText(labelNameOf(text))))

/** Ignores case and accents. */
export const labelNamed = (labels: readonly Label[], name: string): Label | undefined =>
  labels.find((label) => plainText(label.name) === plainText(name))

export const colourNames: Record<LabelColour, string> = {
  gray: 'Cinza',
  red: 'Vermelho',
  orange: 'Laranja',
  yellow: 'Amarelo',
  green: 'Verde',
  teal: 'Turquesa',
  blue: 'Azul',
  indigo: 'Anil',
  purple: 'Roxo',
  pink: 'Rosa',
}
