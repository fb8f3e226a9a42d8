import type { FlowOutput } from '@prosa/contracts/flows/flow-document'
import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { furtherStatus } from '../message-status.ts'
import { type FlowStatisticRow, flowStatisticTable } from './table.ts'

type Row = FlowStatisticRow | undefined
type AboutNode = Stored & { data: { flowId: string; nodeId: string } }
type AboutMessage = Stored & { data: { messageId: string } }

const contactOf = ({ stream }: Stored) => parseStream(stream).id

/** Undefined for outputs that have a counter of their own. */
const otherOutputOf = ({ data: { output } }: StoredOf<'FlowStepTaken'>) =>
  output === null || counterOf(output) !== 'leftByNext' ? undefined : output

const ofNode = (event: StoredOf<'FlowStepTaken'>) => {
  const key = `node ${event.data.flowId} ${event.data.nodeId} ${contactOf(event)}`
  const output = otherOutputOf(event)
  return output === undefined ? key : `${key} ${output}`
}
/** Unique per account. */
const ofMessage = ({ data, metadata }: AboutMessage) => `message ${metadata.tenant} ${data.messageId}`
const ofLink = ({ data }: StoredOf<'FlowLinkOpened'>) => `link ${data.runId} ${data.nodeId}`

const blank = (key: string, event: AboutNode): Row => {
  const { tenant } = event.metadata
  if (tenant === null) return undefined
  const { flowId, nodeId } = event.data
  return {
    ...{ key, tenant, flowId, nodeId, contactId: contactOf(event), output: null, status: null },
    isClicked: false,
    ...{ leftByTrue: 0, leftByFalse: 0, leftByAnswer: 0, leftByTimeout: 0, leftByNext: 0 },
  }
}

const counterOf = (output: FlowOutput) => {
  switch (output) {
    case 'true':
      return 'leftByTrue'
    case 'false':
      return 'leftByFalse'
    case 'answer':
      return 'leftByAnswer'
    case 'timeout':
      return 'leftByTimeout'
    default:
      return 'leftByNext'
  }
}

const tick = (status: MessageStatus) => ({
  key: ofMessage,
  row: (row: Row, _: AboutMessage): Row => row && { ...row, status: furtherStatus(row.status, status) },
})

/** Erased with their contact, so counts cover existing contacts. */
export const flowStatistics: Projection<FlowStatisticRow> = {
  name: 'flow-statistics',
  version: 2,
  categories: ['flowRun', 'chat', 'contact', 'user'],
  table: flowStatisticTable,
  on: {
    FlowStepTaken: {
      key: ofNode,
      row: (row, event) => {
        const before = row ?? blank(ofNode(event), event)
        const counter = counterOf(event.data.output)
        return before && { ...before, output: otherOutputOf(event) ?? null, [counter]: before[counter] + 1 }
      },
    },
    FlowMessageRequested: {
      key: ofMessage,
      row: (row, event) => {
        const made = row ?? blank(ofMessage(event), event)
        return made && { ...made, status: made.status ?? 'queued' }
      },
    },
    FlowLinkOpened: {
      key: ofLink,
      row: (row, event) => {
        const made = row ?? blank(ofLink(event), event)
        return made && { ...made, isClicked: true }
      },
    },
    // Messages outside flows have no row.
    MessageSent: tick('sent'),
    MessageDelivered: tick('delivered'),
    MessageRead: tick('read'),
    ContactErased: { purge: { column: 'contactId', value: contactOf } },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
