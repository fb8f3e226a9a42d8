import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { connectionsQuery } from '../../lib/account/connections.ts'
import { useContactFields } from '../../lib/account/contact-fields.ts'
import { labelsQuery } from '../../lib/account/labels.ts'
import { call } from '../../lib/http/call.ts'
import type { FlowNames } from './flow-words.ts'

/** Below 'flows', so that it is invalidated with the list. */
const flowNamesQuery = queryOptions({
  queryKey: ['flows', 'names'],
  queryFn: ({ signal }) => call('GET /api/flows', { signal }),
  staleTime: 30_000,
})

export const useFlowNames = (): FlowNames => {
  const { data: labels } = useQuery(labelsQuery)
  const { data: flows } = useQuery(flowNamesQuery)
  const { data: connections } = useQuery(connectionsQuery)
  const fields = useContactFields()
  return useMemo(() => {
    const find = (all: readonly { id: string; name: string }[] | undefined) => (id: string) =>
      all?.find((each) => each.id === id)?.name
    return { label: find(labels), flow: find(flows), connection: find(connections), field: find(fields) }
  }, [labels, flows, connections, fields])
}
