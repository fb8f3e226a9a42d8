import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { FlowDeps } from '../flow-deps.ts'

const name = 'confirm-on-flow-draft-kept'

/** Deletes drafts that the log has superseded. */
export const confirmOnFlowDraftKept = ({ drafts }: Pick<FlowDeps, 'drafts'>): Reactor => ({
  name,
  categories: ['flow'],
  key: ({ stream }) => stream,
  on: {
    async FlowDraftKept({ stream, data: { revision, digest } }) {
      await drafts.confirm({ id: parseStream(stream).id, revision, digest })
    },
    async FlowDeleted({ stream, metadata: { tenant } }) {
      if (tenant !== null) await drafts.drop(tenant, [parseStream(stream).id])
    },
  },
})
