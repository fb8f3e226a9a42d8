import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { retainUploads } from './queries.ts'

const name = 'keep-media-of-flows'

const filesOf = ({ nodes }: FlowDocument): string[] =>
  nodes.flatMap((node) => (node.type === 'message' && node.data.file ? [node.data.file.file.id] : []))

/** Retained even if unsent for a day; they belong to no contact, because many get the same file. */
export const keepMediaOfFlows = ({ pool }: Pick<Ports, 'pool'>): Reactor => {
  const retain = async ({ metadata: { tenant } }: Stored, ids: readonly string[]) => {
    if (tenant && ids.length > 0) await retainUploads(pool, tenant, ids)
  }
  return {
    name,
    categories: ['flow'],
    key: ({ stream }) => stream,
    on: {
      FlowCreated: (event) => retain(event, filesOf(event.data.document)),
      FlowDraftKept: (event) => retain(event, event.data.fileIds),
      FlowDraftSaved: (event) => retain(event, filesOf(event.data.document)),
      FlowPublished: (event) => retain(event, filesOf(event.data.document)),
    },
  }
}
