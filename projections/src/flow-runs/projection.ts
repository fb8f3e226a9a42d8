import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { type FlowRunRow, flowRunTable } from './table.ts'

type Row = FlowRunRow | undefined
type OfRun = Stored & { data: { runId: string } }
type OfStep = Stored & { data: { runId: string; nodeId: string } }

const key = ({ data }: OfRun) => data.runId
const contactOf = ({ stream }: Stored) => parseStream(stream).id
const partOf = (event: Stored) => ({ contactId: contactOf(event), revision: Number(event.revision) })

const comes = {
  key,
  row: (row: Row, { data: { nodeId } }: OfStep): Row =>
    row && { ...row, nodeId, isLeft: row.nodeId === nodeId && row.isLeft, until: null },
}

const waits = {
  key,
  row: (row: Row, { data: { nodeId, until } }: OfStep & { data: { until: string } }): Row =>
    row && { ...row, nodeId, isLeft: false, until },
}

/** Texts stay in the log. */
export const flowRuns: Projection<FlowRunRow> = {
  name: 'flow-runs',
  version: 1,
  categories: ['flowRun', 'contact', 'user'],
  table: flowRunTable,
  on: {
    FlowRunStarted: {
      key,
      makes: true,
      row: (_, event) => {
        const { runId, flowId, version, startedBy } = event.data
        const { tenant, recordedAt } = event.metadata
        if (tenant === null) return undefined
        return {
          ...{ id: runId, tenant, flowId, version, contactId: contactOf(event), startedBy },
          ...{ startedAt: recordedAt, place: event.position, endedAt: null, reason: null },
          ...{ nodeId: null, isLeft: false, until: null, parts: [partOf(event)] },
        }
      },
    },
    FlowStepTaken: {
      key,
      row: (row, { data: { nodeId } }) => row && { ...row, nodeId, isLeft: true, until: null },
    },
    FlowMessageRequested: comes,
    FlowLabelRequested: comes,
    FlowFieldRequested: comes,
    FlowAnswerReceived: comes,
    FlowDelayStarted: waits,
    FlowAnswerAwaited: waits,
    FlowRequestAsked: waits,
    FlowRequestAnswered: comes,
    // Continues there, whatever end was recorded here.
    FlowRunTakenOver: {
      key,
      row: (row, event) =>
        row && {
          ...row,
          contactId: contactOf(event),
          parts: [...row.parts, partOf(event)],
          endedAt: null,
          reason: null,
        },
    },
    FlowRunEnded: {
      key,
      row: (row, event) =>
        row?.contactId === contactOf(event)
          ? { ...row, endedAt: event.metadata.recordedAt, reason: event.data.reason, until: null }
          : row,
    },
    ContactErased: { purge: { column: 'contactId', value: contactOf } },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
