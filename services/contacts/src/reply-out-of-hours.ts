import { parseStream } from '@prosa/contracts/streams'
import { filledText, firstNameOf, sendableText } from '@prosa/contracts/values/filled-text'
import type { Instant } from '@prosa/contracts/values/instant'
import { isOpen, nextOpening } from '@prosa/contracts/values/is-open'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Entitlements } from '@prosa/kernel/entitlements/port'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { messageIdOf } from '@prosa/kernel/message-id-of'
import type { Logger } from '@prosa/kernel/observability/log'
import { conversationLines } from './conversation-line.ts'
import type { ContactHandlers } from './handlers.ts'
import { hoursInMind } from './hours-in-mind.ts'
import type { KnownHours } from './opening-hours.ts'
import { chatIdsOf, chatWith, type Person, personAt } from './person.ts'
import type { SentMessageIds } from './sent-message-ids.ts'
import { jidOf } from './whatsapp-address.ts'

const name = 'reply-out-of-hours'

/** Whoever wrote longer ago has waited already: a reply that comes with the end of an outage would be about another time. */
const maxAgeMs = 10 * 60_000

type Handlers = Pick<
  ContactHandlers,
  | 'contacts'
  | 'chats'
  | 'lines'
  | 'ownLines'
  | 'openingHours'
  | 'companies'
  | 'erasedTenants'
  | 'flowRuns'
  | 'store'
  | 'clock'
> & {
  messageIds: SentMessageIds
  entitlements: Entitlements
  log: Pick<Logger, 'info'>
  /** Whether a flow of this account is on that starts out of hours on this line. */
  hasOutOfHoursFlow(owner: string, connectionId: string): Promise<boolean>
}

/** Why a contact that wrote out of hours gets no reply. */
type Reason =
  | 'too_late'
  | 'not_waiting'
  | 'flow_answers'
  | 'line_not_open'
  | 'access_ended'
  | 'email_not_confirmed'
  | 'no_message_left'

const isLongAgo = (sentAt: Instant, now: Instant) => Date.parse(now) - Date.parse(sentAt) > maxAgeMs

/**
 * When the business opens next, where it is closed now and was when the contact wrote, and wants to answer; that moment names
 * the closed time. Undefined otherwise.
 */
const reopeningAfter = ({ hours, isReplyOn }: KnownHours, sentAt: Instant, now: Instant): Instant | undefined => {
  if (!isReplyOn || !hours || isOpen(hours, sentAt)) return undefined
  const next = nextOpening(hours, now)
  return next === null || next === now ? undefined : next
}

/** The id of the one reply that a chat gets while the business is closed until then. */
const replyIdOf = (owner: string, chatId: string, reopensAt: Instant) =>
  messageIdOf(deriveId('out of hours', owner, chatId, reopensAt))

/**
 * Answers whoever writes while the business is closed: once until it opens again, and only contacts that wait. It accepts nobody,
 * and marks nothing as seen (docs/decisions/0038-out-of-hours.md).
 */
export const replyOutOfHours = (handlers: Handlers): Reactor => {
  const { chats, lines, companies, erasedTenants, flowRuns, clock, messageIds, entitlements, log } = handlers

  const hoursOf = hoursInMind(handlers)

  /** A flow talks with the contact, has answered this message, or is there to answer whoever writes out of hours. */
  const isAnsweredByFlow = async (
    { data: { messageId, connectionId } }: StoredOf<'MessageReceived'>,
    owner: string,
    person: Person,
  ): Promise<boolean> => {
    let waitsForPerson = false
    for (const id of chatIdsOf(person)) {
      const known = await flowRuns.load(id, owner)
      if (known.running.size > 0 || known.messages.includes(messageId)) return true
      // What a contact waited for that is merged goes on with the one that stands for it.
      if (id === person.id) waitsForPerson = known.waitsForPerson
    }
    // A flow that does not start while the contact waits for a person answers nobody.
    return !waitsForPerson && handlers.hasOutOfHoursFlow(owner, connectionId)
  }

  /** What keeps a contact from getting a reply that it would get otherwise. */
  const findReason = async (
    event: StoredOf<'MessageReceived'>,
    owner: string,
    person: Person,
    connectionId: string | null,
  ): Promise<Reason | undefined> => {
    const { data } = event
    if (isLongAgo(data.sentAt, clock.now())) return 'too_late'
    if (person.state.status !== 'waiting') return 'not_waiting'
    if (await isAnsweredByFlow(event, owner, person)) return 'flow_answers'
    if (connectionId === null || (await lines.load(connectionId, owner)) !== 'open') return 'line_not_open'
    const { access, messages, mustConfirmEmail } = await entitlements.of(owner)
    if (access === 'ended') return 'access_ended'
    if (mustConfirmEmail) return 'email_not_confirmed'
    return messages.limit !== null && messages.used >= messages.limit ? 'no_message_left' : undefined
  }

  return {
    name,
    categories: ['chat'],
    key: ({ stream }) => stream,
    on: {
      async MessageReceived(event) {
        const { owner } = event.metadata
        const { sentAt } = event.data
        // Of what was received long ago, too: nothing has to be looked up for the whole of the past.
        if (!owner || isLongAgo(event.metadata.recordedAt, clock.now())) return
        const known = await hoursOf(owner, event.position)
        const reopensAt = reopeningAfter(known, sentAt, clock.now())
        if (reopensAt === undefined || (await erasedTenants.has(owner))) return
        const person = await personAt(handlers, owner, parseStream(event.stream).id)
        // Before a merge it may have been answered in another chat of the same person.
        for (const chatId of chatIdsOf(person))
          if (await chatWith(handlers, owner, [chatId], replyIdOf(owner, chatId, reopensAt))) return
        // They may have written to another number meanwhile.
        const { current: connectionId } = await conversationLines(handlers, owner, person)
        const reason = await findReason(event, owner, person, connectionId)
        if (reason || connectionId === null) {
          log.info({ reason, correlationId: event.metadata.correlationId }, 'no reply out of hours')
          return
        }
        const messageId = replyIdOf(owner, person.id, reopensAt)
        const { givenName, name: ownName } = person.state
        const company = await companies.load(owner, owner)
        // A name that calls itself by a long word may stand in it a hundred times.
        const text = sendableText(filledText(known.replyText, firstNameOf(givenName ?? ownName), company))
        await messageIds.claim(owner, messageId, person.id)
        const data = {
          messageId,
          connectionId,
          toJid: jidOf(person.state),
          content: { kind: 'text', text } as const,
          attendantId: owner,
          automatic: 'out_of_hours' as const,
        }
        // A contact that was erased in this very moment gets nothing.
        await chats(person.id, { type: 'QueueMessage', data }, contextFor(name, event))
      },
    },
  }
}
