import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { labelsQuery } from '../../../lib/labels.ts'
import { flowNamesQuery } from '../api.ts'
import type { Named } from '../node-words.ts'

/** A neutral word while names are loading or after a failure. */
export const useNames = (): Named => {
  const labels = useQuery(labelsQuery).data
  const flows = useQuery(flowNamesQuery).data
  return useMemo(
    () => ({
      label: (id) => (labels ? labels.find((label) => label.id === id)?.name : 'Etiqueta'),
      flow: (id) => (flows ? flows.find((flow) => flow.id === id)?.name : 'Fluxo'),
    }),
    [labels, flows],
  )
}
