import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'
import type { Stored } from '@prosa/kernel/event-store/codec'

interface OutOfHoursFlowRow {
  flowId: string
  tenant: string
  isOn: boolean
  /** Empty means all lines. */
  connectionIds: readonly string[]
}

const outOfHoursFlowTable: Table<OutOfHoursFlowRow> = {
  name: 'out_of_hours_flow',
  key: 'flowId',
  columns: {
    flowId: 'text collate "C"',
    tenant: 'text collate "C" not null',
    isOn: 'boolean not null',
    connectionIds: 'jsonb not null',
  },
  after: ['create index out_of_hours_flow_owner on out_of_hours_flow (owner)'],
}

const key = ({ stream }: Pick<Stored, 'stream'>) => parseStream(stream).id

const turned = (isOn: boolean) => ({
  key,
  row: (row: OutOfHoursFlowRow | undefined): OutOfHoursFlowRow | undefined => row && { ...row, isOn },
})

/** An enabled one replaces the reply. */
export const outOfHoursFlows: Projection<OutOfHoursFlowRow> = {
  name: 'out-of-hours-flows',
  version: 1,
  categories: ['flow', 'user'],
  table: outOfHoursFlowTable,
  on: {
    FlowPublished: {
      key,
      row: (_, event) => {
        const { nodes, settings } = event.data.document
        const { tenant } = event.metadata
        const starts = nodes.some(
          ({ type, data }) => type === 'trigger' && data.enabled && data.start.kind === 'out_of_hours',
        )
        if (!starts || tenant === null) return undefined
        return { flowId: key(event), tenant, isOn: true, connectionIds: settings.connectionIds }
      },
    },
    FlowTurnedOn: turned(true),
    FlowTurnedOff: turned(false),
    FlowDeleted: { key, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
