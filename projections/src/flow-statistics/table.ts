import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Passes of a node with one contact, a message, or an opened link. */
export interface FlowStatisticRow {
  key: string
  tenant: string
  flowId: string
  nodeId: string
  contactId: string
  /** Of a menu or a request, one row an output; counted as `leftByNext`. */
  output: string | null
  /** Exits by output. */
  leftByTrue: number
  leftByFalse: number
  leftByAnswer: number
  leftByTimeout: number
  leftByNext: number
  /** Only for messages. */
  status: MessageStatus | null
  isClicked: boolean
}

export const flowStatisticTable: Table<FlowStatisticRow> = {
  name: 'flow_statistic',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    tenant: 'text collate "C" not null',
    flowId: 'text collate "C" not null',
    nodeId: 'text collate "C" not null',
    contactId: 'text collate "C" not null',
    output: 'text collate "C"',
    leftByTrue: 'int not null',
    leftByFalse: 'int not null',
    leftByAnswer: 'int not null',
    leftByTimeout: 'int not null',
    leftByNext: 'int not null',
    status: 'text',
    isClicked: 'boolean not null',
  },
  added: { output: { was: 'null' } },
  after: [
    'create index flow_statistic_flow on flow_statistic (owner, flow_id)',
    'create index flow_statistic_contact on flow_statistic (contact_id)',
  ],
}
