import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { type DefaultFlowRow, defaultFlowTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** Deleting the flow clears it. */
export const defaultFlow: Projection<DefaultFlowRow> = {
  name: 'default-flow',
  version: 1,
  categories: ['defaultFlow', 'flow', 'user'],
  table: defaultFlowTable,
  on: {
    DefaultFlowChosen: {
      key,
      row: (_, event) => {
        const { flowId } = event.data
        return flowId === null ? undefined : { id: key(event), owner: key(event), flowId }
      },
    },
    FlowDeleted: { purge: { column: 'flowId', value: key } },
    UserErased: { key, row: () => undefined },
  },
}
