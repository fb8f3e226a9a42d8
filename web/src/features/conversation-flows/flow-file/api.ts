import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { useQueryClient } from '@tanstack/react-query'
import { connectionsQuery } from '../../../lib/account/connections.ts'
import { flowsQuery } from '../../../lib/account/flows.ts'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { call } from '../../../lib/http/call.ts'
import { useFlowCommand, withFlow } from '../api.ts'
import { knownHere } from './known-here.ts'
import type { ReadFlow } from './read-flow-file.ts'

const idsOf = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id))

/** Removes references to records that this tenant does not have. */
export const useKnownHere = () => {
  const queries = useQueryClient()
  return async ({ document }: ReadFlow) => {
    const [labels, flows, connections] = await Promise.all([
      queries.fetchQuery(labelsQuery),
      queries.fetchQuery(flowsQuery),
      queries.fetchQuery(connectionsQuery),
    ])
    return knownHere(document, { labels: idsOf(labels), flows: idsOf(flows), connections: idsOf(connections) })
  }
}

export const useImportFlow = () =>
  useFlowCommand({
    run: (body: { name: string; folderId: string | null; document?: FlowDocument }) =>
      call('POST /api/flows', { body }),
    done: 'Fluxo importado com sucesso!',
    failed: 'Falha ao importar fluxo',
    apply: withFlow,
  })
