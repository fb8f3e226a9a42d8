import type { Connection } from '@prosa/contracts/http/connections'
import { useMemo } from 'react'
import { numbersOf } from '../../../lib/connections.ts'
import type { ListFilter } from '../list/list-filter.ts'
import { useListFilter } from '../list/use-list-filter.ts'

/** A removed number, or the only one, filters nothing. */
export const useShownFilter = (connections: readonly Connection[] | undefined): ListFilter => {
  const [{ label, line: asked }] = useListFilter()
  const numbers = connections && numbersOf(connections)
  const isKnown = !numbers || (numbers.length > 1 && numbers.some(({ id }) => id === asked))
  const line = isKnown ? asked : null
  return useMemo(() => ({ label, line }), [label, line])
}
