import { parseStream, streamName } from '@prosa/contracts/streams'
import { decisionsAtOnce } from '@prosa/kernel/consumers/decisions-at-once'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/observability/log'
import type { ContactCommand } from './contact/contact-commands.ts'
import { personAt } from './contact/person.ts'
import type { ContactHandlers } from './handlers.ts'

const name = 'finish-on-flow-finish-requested'

type Handlers = Pick<ContactHandlers, 'contacts' | 'store'> & { log: Pick<Logger, 'info'> }

/** What people, or messages that came since, decided about the conversation. */
const decisions = ['ConversationAccepted', 'ConversationResolved', 'ConversationReopened', 'ConversationResumed']

/** What a flow finished is resolved unless a person attends it; what the contact writes afterwards waits for a person. */
export const finishOnFlowFinishRequested = ({ contacts, store, log }: Handlers): Reactor => {
  /** Undefined if nothing was decided since. */
  const decidedSince = async (contactId: string, { position }: Stored): Promise<RecordedEvent | undefined> => {
    for await (const page of store.readBack(streamName('contact', contactId)))
      for (const event of page) {
        if (event.position <= position) return undefined
        if (decisions.includes(event.type)) return event
      }
    return undefined
  }
  const give = async (event: Stored, command: ContactCommand, unless: (decided: RecordedEvent) => boolean) => {
    const { tenant, correlationId } = event.metadata
    if (tenant === null) throw new Error('a run of a flow without a tenant')
    const { id } = await personAt({ contacts }, tenant, parseStream(event.stream).id)
    const decided = await decidedSince(id, event)
    if (decided && unless(decided)) return
    const context = { ...contextFor(name, event), actor: actorOf(event) }
    const outcome = await contacts(id, command, context)
    if (!outcome.ok)
      log.info({ reason: outcome.rejected, correlationId }, 'a flow finished with a contact that is gone')
  }
  const actorOf = ({ data }: Stored) => ({ kind: 'flow', id: 'flowId' in data ? `${data.flowId}` : '' }) as const
  const finish = (event: StoredOf<'FlowFinishRequested' | 'FlowThanked'>) => {
    const { flowId } = event.data
    const command = { type: 'FinishByFlow', data: { flowId, attendantId: event.metadata.tenant ?? '' } } as const
    return give(event, command, () => true)
  }

  return {
    name,
    categories: ['flowRun'],
    key: ({ stream }) => stream,
    atOnce: decisionsAtOnce,
    on: {
      FlowFinishRequested: finish,
      FlowThanked: finish,
      FlowFinishUndone: (event) =>
        // A person may have finished it before this was read.
        give(
          event,
          { type: 'WaitForPerson', data: {} },
          ({ type, metadata }) => type === 'ConversationResolved' && metadata.actor.kind === 'user',
        ),
    },
  }
}
