import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface DefaultFlowRow {
  /** The tenant's id. */
  id: string
  tenant: string
  flowId: string
}

const defaultFlowTable: Table<DefaultFlowRow> = {
  name: 'default_flow',
  key: 'id',
  columns: { id: 'text collate "C"', tenant: 'text collate "C" not null', flowId: 'text collate "C" not null' },
  after: [
    'create unique index default_flow_owner on default_flow (owner)',
    'create index default_flow_flow on default_flow (flow_id)',
  ],
}

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
        return flowId === null ? undefined : { id: key(event), tenant: key(event), flowId }
      },
    },
    FlowDeleted: { purge: { column: 'flowId', value: key } },
    UserErased: { key, row: () => undefined },
  },
}
