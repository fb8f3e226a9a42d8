import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { keepUploads } from './queries.ts'

const name = 'keep-media-of-flows'

const filesOf = ({ nodes }: FlowDocument): string[] =>
  nodes.flatMap((node) => (node.type === 'message' && node.data.file ? [node.data.file.file.id] : []))

/** Kept even if unsent for a day; belong to no contact, because many get the same file. */
export const keepMediaOfFlows = ({ pool }: Pick<Ports, 'pool'>): Reactor => {
  const keep = async ({ metadata: { owner } }: Stored, ids: readonly string[]) => {
    if (owner && ids.length > 0) await keepUploads(pool, owner, ids)
  }
  return {
    name,
    categories: ['flow'],
    key: ({ stream }) => stream,
    on: {
      FlowCreated: (event) => keep(event, filesOf(event.data.document)),
      FlowDraftKept: (event) => keep(event, event.data.fileIds),
      FlowDraftSaved: (event) => keep(event, filesOf(event.data.document)),
      FlowPublished: (event) => keep(event, filesOf(event.data.document)),
    },
  }
}
