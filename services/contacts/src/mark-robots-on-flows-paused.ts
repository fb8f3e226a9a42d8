import { parseStream, streamName } from '@prosa/contracts/streams'
import { decisionsAtOnce } from '@prosa/kernel/consumers/decisions-at-once'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/observability/log'
import type { ContactCommand } from './contact/contact-commands.ts'
import { personAt } from './contact/person.ts'
import type { ContactHandlers } from './handlers.ts'

const name = 'mark-robots-on-flows-paused'

type Handlers = Pick<ContactHandlers, 'contacts' | 'store'> & { log: Pick<Logger, 'info'> }

const leavesWaiting: readonly string[] = ['unanswered', 'handed_over']

/** Marked while flows pause; other reasons only make it wait. Merged contacts' survivors have their own events. */
export const markRobotsOnFlowsPaused = ({ contacts, store, log }: Handlers): Reactor => {
  const give = async (event: Stored, id: string, command: ContactCommand) => {
    const outcome = await contacts(id, command, contextFor(name, event))
    const { correlationId } = event.metadata
    if (!outcome.ok) log.info({ reason: outcome.rejected, correlationId }, 'flows paused with a contact that is gone')
  }
  /** The conversation was finished before this reactor ran. */
  const isFinishedSince = async (contactId: string, position: Position): Promise<boolean> => {
    for await (const page of store.readBack(streamName('contact', contactId)))
      for (const event of page) {
        if (event.position <= position) return false
        if (event.type === 'ConversationResolved') return true
      }
    return false
  }
  const contactOf = ({ stream }: Stored) => parseStream(stream).id

  return {
    name,
    categories: ['flowRun'],
    key: ({ stream }) => stream,
    atOnce: decisionsAtOnce,
    on: {
      FlowsPaused: (event) => {
        const { reason, starts, messages, withinSeconds } = event.data
        const count = reason === 'starts' ? starts : messages
        return give(event, contactOf(event), { type: 'SuspectRobot', data: { reason, count, withinSeconds } })
      },
      FlowsResumed: (event) =>
        give(event, contactOf(event), { type: 'ClearRobotSuspicion', data: { attendantId: null } }),
      async FlowRunEnded(event) {
        const { tenant } = event.metadata
        if (!leavesWaiting.includes(event.data.reason) || tenant === null) return
        const { id } = await personAt({ contacts }, tenant, contactOf(event))
        if (await isFinishedSince(id, event.position)) return
        await give(event, id, { type: 'WaitForPerson', data: {} })
      },
    },
  }
}
