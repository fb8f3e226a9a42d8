import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'

interface FlowOnRow {
  flowId: string
  tenant: string
  /** Log position of first publication. */
  publishedAt: string
  isOn: boolean
}

const flowOnTable: Table<FlowOnRow> = {
  name: 'flow_on',
  key: 'flowId',
  columns: {
    flowId: 'text collate "C"',
    tenant: 'text collate "C" not null',
    publishedAt: 'text collate "C" not null',
    isOn: 'boolean not null',
  },
  after: ['create index flow_on_owner on flow_on (owner)'],
}

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** Ever published. A tenant without rows has no runs. */
export const flowsOn: Projection<FlowOnRow> = {
  name: 'flows-on',
  version: 1,
  categories: ['flow', 'user'],
  table: flowOnTable,
  on: {
    FlowPublished: {
      key,
      row: (row, event) => {
        const { tenant } = event.metadata
        if (!tenant) return row
        return row ? { ...row, isOn: true } : { flowId: key(event), tenant, publishedAt: event.position, isOn: true }
      },
    },
    FlowTurnedOn: { key, row: (row) => row && { ...row, isOn: true } },
    FlowTurnedOff: { key, row: (row) => row && { ...row, isOn: false } },
    FlowDeleted: { key, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: key } },
  },
}
