import { erasedFlowDocument } from '@prosa/contracts/flows/flow-document'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { type FlowRow, flowTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

const changed = (row: FlowRow | undefined, { metadata }: Stored, change: Partial<FlowRow>): FlowRow | undefined =>
  row && { ...row, ...change, updatedAt: metadata.recordedAt }

/** Deleted flows have no row. */
export const flows: Projection<FlowRow> = {
  name: 'flows',
  version: 3,
  categories: ['flow', 'user'],
  table: flowTable,
  on: {
    FlowCreated: {
      key,
      row: (_, { stream, position, data: { name, folderId, document, origin }, metadata: { tenant, recordedAt } }) => ({
        id: parseStream(stream).id,
        tenant,
        place: position,
        name,
        folderId,
        isSample: origin === 'sample',
        version: null,
        isOn: false,
        document,
        draftDigest: null,
        revision: 0,
        publishedRevision: null,
        nodeCount: document.nodes.length,
        createdAt: recordedAt,
        updatedAt: recordedAt,
      }),
    },
    FlowRenamed: { key, row: (row, event) => changed(row, event, { name: event.data.name }) },
    FlowMoved: { key, row: (row, event) => changed(row, event, { folderId: event.data.folderId }) },
    FlowDraftKept: {
      key,
      row: (row, event) => {
        const { digest, revision, nodeCount } = event.data
        // The first draft is no user's change.
        const isSample = revision === 0 ? (row?.isSample ?? null) : false
        return changed(row, event, { document: erasedFlowDocument, draftDigest: digest, revision, nodeCount, isSample })
      },
    },
    FlowDraftSaved: {
      key,
      row: (row, event) => {
        const { document, revision } = event.data
        const nodeCount = document.nodes.length
        return changed(row, event, { document, draftDigest: null, revision, nodeCount, isSample: false })
      },
    },
    FlowPublished: {
      key,
      row: (row, event) =>
        row && changed(row, event, { version: event.data.version, isOn: true, publishedRevision: row.revision }),
    },
    FlowTurnedOn: { key, row: (row, event) => changed(row, event, { isOn: true }) },
    FlowTurnedOff: { key, row: (row, event) => changed(row, event, { isOn: false }) },
    FlowDeleted: { key, row: () => undefined },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
