import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'

export interface FlowLinkRow {
  messageId: string
  tenant: string
  contactId: string
  flowId: string
  version: number
  runId: string
  nodeId: string
  links: readonly { token: string; url: string }[]
}

export const flowLinkTable: Table<FlowLinkRow> = {
  name: 'flow_link',
  key: 'messageId',
  columns: {
    messageId: 'text collate "C"',
    tenant: 'text collate "C" not null',
    contactId: 'text collate "C" not null',
    flowId: 'text not null',
    version: 'int not null',
    runId: 'text not null',
    nodeId: 'text not null',
    links: 'jsonb not null',
  },
  after: [
    'create index flow_link_token on flow_link using gin (links jsonb_path_ops)',
    'create index flow_link_contact on flow_link (contact_id)',
    'create index flow_link_owner on flow_link (owner)',
  ],
}

/** Rows are deleted with their contact. */
export const flowLinks: Projection<FlowLinkRow> = {
  name: 'flow-links',
  version: 1,
  categories: ['flowRun', 'contact', 'user'],
  table: flowLinkTable,
  on: {
    FlowMessageRequested: {
      key: ({ data }) => data.messageId,
      row: (row, { stream, data, metadata: { tenant } }) => {
        const { messageId, flowId, version, runId, nodeId, links } = data
        if (tenant === null || links.length === 0) return row
        return { messageId, tenant, contactId: parseStream(stream).id, flowId, version, runId, nodeId, links }
      },
    },
    ContactErased: { purge: { column: 'contactId', value: ({ stream }) => parseStream(stream).id } },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
