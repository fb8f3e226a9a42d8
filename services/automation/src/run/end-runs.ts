import { parseStream, streamName } from '@prosa/contracts/streams'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { conversationConnection } from './conversation-connection.ts'
import { flowRunPlaces } from './flow-run-places.ts'
import type { EndReason } from './flow-run-state.ts'
import { inMind } from './in-mind.ts'
import { findContactsInFlow, findContactsOnConnection, type RunPlace } from './queries.ts'
import type { FlowRunHandlers } from './run-handlers.ts'

const name = 'end-runs'
const patienceMs = 2000
const sideBySide = 8

const maxConnections = 10_000

/** For a removed connection, only runs of conversations still on it. Includes runs that start concurrently. */
export const endRuns = (
  handlers: FlowRunHandlers,
  { pool, readModels }: Pick<Ports, 'pool' | 'readModels'>,
): Reactor => {
  const { give, documents, connections, seen, store, clock } = handlers
  const connectionAt = inMind({ store, seen }, maxConnections, (stream, owner) =>
    connections.load(parseStream(stream).id, owner),
  )
  const isRemoved = async (connectionId: string, owner: string) =>
    (await connectionAt(streamName('connection', connectionId), owner)) === 'removed'

  const endAll = async (
    event: Stored,
    find: () => Promise<RunPlace[]>,
    about: { reason: EndReason; flowId?: string; connectionId?: string },
    isLeft: (place: RunPlace) => Promise<boolean> = async () => false,
  ) => {
    seen.note(event.position)
    if (!(await readModels.reached([flowRunPlaces.name], event.position, patienceMs)))
      throw new StoreUnavailable('the runs are not known up to this place of the log yet')
    const left = [...new Map((await find()).map((place) => [place.contactId, place])).values()]
    const context = contextFor(name, event)
    const work = async () => {
      for (let each = left.pop(); each; each = left.pop()) {
        if (await isLeft(each)) continue
        const step = { ...context, owner: each.owner, commandId: deriveId(context.commandId, each.contactId) }
        await give(each.contactId, { type: 'EndRuns', data: { ...about, at: clock.now() } }, step)
      }
    }
    await Promise.all(Array.from({ length: sideBySide }, work))
  }

  /** The flow goes on over the new number (docs/decisions/0054). */
  const hasMovedFrom =
    (connectionId: string) =>
    async ({ contactId, owner }: RunPlace): Promise<boolean> => {
      const current = await conversationConnection(handlers, owner, contactId)
      if (current === undefined || current === connectionId) return false
      return !(await isRemoved(current, owner))
    }

  return {
    name,
    categories: ['flow', 'connection', 'flowRun'],
    key: ({ stream }) => stream,
    on: {
      async FlowDeleted(event) {
        const flowId = parseStream(event.stream).id
        await endAll(event, () => findContactsInFlow(pool, flowId), { reason: 'flow_deleted', flowId })
      },
      async ConnectionRemoved(event) {
        const connectionId = parseStream(event.stream).id
        const find = () => findContactsOnConnection(pool, connectionId)
        await endAll(event, find, { reason: 'connection_removed', connectionId }, hasMovedFrom(connectionId))
      },
      async FlowRunStarted(event) {
        seen.note(event.position)
        const { owner } = event.metadata
        const { runId, flowId, connectionId } = event.data
        if (!owner) return
        const isDeleted = await documents.isDeleted(owner, flowId)
        if (!isDeleted && !(await isRemoved(connectionId, owner))) return
        const reason = isDeleted ? 'flow_deleted' : 'connection_removed'
        const contactId = parseStream(event.stream).id
        await give(contactId, { type: 'EndRuns', data: { at: clock.now(), reason, runId } }, contextFor(name, event))
      },
    },
  }
}
