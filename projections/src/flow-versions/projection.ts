import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { compareFlows } from './compare-flows.ts'
import { type FlowVersionRow, flowVersionTable } from './table.ts'

const keyOf = (stream: string, version: number) => `${parseStream(stream).id}:${version}`

export const flowVersions: Projection<FlowVersionRow> = {
  name: 'flow-versions',
  version: 1,
  categories: ['flow', 'user'],
  table: flowVersionTable,
  on: {
    FlowPublished: {
      key: ({ stream, data }) => keyOf(stream, data.version),
      beside: ({ stream, data }) => keyOf(stream, data.version - 1),
      row: (_, { stream, data: { version, document }, metadata }, before) => ({
        key: keyOf(stream, version),
        flowId: parseStream(stream).id,
        owner: metadata.owner,
        version,
        publishedAt: metadata.recordedAt,
        publisherId: metadata.actor.id,
        document,
        ...compareFlows(before?.document, document),
      }),
    },
    FlowDeleted: { purge: { column: 'flowId', value: ({ stream }) => parseStream(stream).id } },
    UserErased: { purge: { column: 'owner', value: ({ stream }) => parseStream(stream).id } },
  },
}
