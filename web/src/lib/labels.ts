import type { Label } from '@prosa/contracts/http/labels'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { plainText } from './plain-text.ts'

/** The subscriber's labels by name. Kept fresh by pushes. */
export const labelsQuery = queryOptions({
  queryKey: ['labels'],
  queryFn: () => call('GET /api/labels'),
  staleTime: 30_000,
})

/** The labels with this text in the name, without case and accents. A blank text finds all. */
export const findLabels = (labels: readonly Label[], text: string): Label[] =>
  labels.filter(({ name }) => plainText(name).includes(plainText(text.trim())))

/** How people call the colours of the palette, in its order. */
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
