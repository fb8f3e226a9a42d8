import { speakerOutOfHours } from '@prosa/contracts/flows/one-answer'
import { parseStream } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { filledText, firstNameOf, sendableText } from '@prosa/contracts/values/text/filled-text'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { messageIdOf } from '@prosa/kernel/message-id-of'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Entitlements } from '@prosa/product/entitlements/port'
import type { SentMessageIds } from '../chat/sent-message-ids.ts'
import { chatIdsOf, chatWith, type Person, personAt } from '../contact/person.ts'
import { jidOf } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import { startsNoFlow } from '../others/runs-of-flows.ts'
import { cachedOpeningHours } from './cached-opening-hours.ts'
import { isLongAgo, type Reason, reasonAgainst, reopeningAfter } from './out-of-hours-rule.ts'
import { sendingPolicy } from './sending-policy.ts'

const name = 'reply-out-of-hours'

type Handlers = Pick<
  ContactHandlers,
  | 'contacts'
  | 'chats'
  | 'lines'
  | 'ownLines'
  | 'media'
  | 'openingHours'
  | 'companies'
  | 'accountErasures'
  | 'flowRuns'
  | 'store'
  | 'clock'
> & {
  messageIds: SentMessageIds
  entitlements: Entitlements
  log: Pick<Logger, 'info'>
  hasOutOfHoursFlow(tenant: string, connectionId: string): Promise<boolean>
}

type Requested = StoredOf<'OutOfHoursReplyRequested'>

const replyIdOf = (tenant: string, chatId: string, reopensAt: Instant) =>
  messageIdOf(deriveId('out of hours', tenant, chatId, reopensAt))

/**
 * For what no flow took, as decided on the stream of the contact's runs: once per closed period, only to waiting contacts. Neither accepts
 * nor marks seen (docs/decisions/0038-out-of-hours.md).
 */
export const replyOutOfHours = (handlers: Handlers): Reactor => {
  const { chats, companies, accountErasures, flowRuns, clock, messageIds, log } = handlers
  const policy = sendingPolicy(handlers)

  const hoursOf = cachedOpeningHours(handlers)

  const isAnsweredByFlow = async (
    { data: { messageId, connectionId }, metadata }: Requested,
    tenant: string,
    person: Person,
  ): Promise<boolean> => {
    const chats = chatIdsOf(person)
    const known = await Promise.all(chats.map((id) => flowRuns.load(id, tenant)))
    const speaker = speakerOutOfHours({
      isReplyOn: true,
      isTaken: known.some(({ messages }) => messages.includes(messageId)),
      isRunOn: known.some(({ running }) => running.size > 0),
      hasOutOfHoursFlow: await handlers.hasOutOfHoursFlow(tenant, connectionId),
      // The survivor takes over waits and pauses.
      startsNoFlow: known.some((each, index) => chats[index] === person.id && startsNoFlow(each, metadata.recordedAt)),
    })
    return speaker === 'flow'
  }

  const findReason = async (event: Requested, tenant: string, person: Person): Promise<Reason | undefined> => {
    const reason = reasonAgainst(event.data.sentAt, clock.now(), person.state.status)
    if (reason) return reason
    return (await isAnsweredByFlow(event, tenant, person)) ? 'flow_answers' : undefined
  }

  return {
    name,
    categories: ['flowRun'],
    key: ({ stream }) => stream,
    on: {
      async OutOfHoursReplyRequested(event) {
        const { tenant } = event.metadata
        const { sentAt } = event.data
        // Skips old messages before any look-up.
        if (!tenant || isLongAgo(event.metadata.recordedAt, clock.now())) return
        const known = await hoursOf(tenant, event.position)
        const reopensAt = reopeningAfter(known, sentAt, clock.now())
        if (reopensAt === undefined || (await accountErasures.load(tenant, tenant))) return
        const person = await personAt(handlers, tenant, parseStream(event.stream).id)
        // A merged contact's chat may have the reply.
        for (const chatId of chatIdsOf(person))
          if (await chatWith(handlers, tenant, [chatId], replyIdOf(tenant, chatId, reopensAt))) return
        const reason = await findReason(event, tenant, person)
        const sending = reason ? { obstacle: reason } : await policy.outOfHours(tenant, person)
        if (sending.obstacle) {
          log.info({ reason: sending.obstacle, correlationId: event.metadata.correlationId }, 'no reply out of hours')
          return
        }
        const messageId = replyIdOf(tenant, person.id, reopensAt)
        const { givenName, name: ownName } = person.state
        const company = await companies.load(tenant, tenant)
        // A long name may occur often.
        const text = sendableText(filledText(known.replyText, firstNameOf(givenName ?? ownName), company))
        await messageIds.claim(tenant, messageId, person.id)
        const data = {
          messageId,
          connectionId: sending.connectionId,
          toJid: jidOf(person.state),
          content: { kind: 'text', text } as const,
          ...policy.senders.outOfHours(tenant),
        }
        // Contacts erased concurrently get nothing.
        await chats(person.id, { type: 'QueueMessage', data }, contextFor(name, event))
      },
    },
  }
}
