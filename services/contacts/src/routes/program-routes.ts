import { publicEndpoints } from '@prosa/contracts/http/public/public-api'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { KeyGate } from '@prosa/kernel/http/keys'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { messageIdOf } from '@prosa/kernel/message-id-of'
import type { Budgets } from '@prosa/product/budgets'
import type { Entitlements } from '@prosa/product/entitlements/port'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { messageOf } from '../chat/chat-state.ts'
import { wayOf } from '../chat/message-line.ts'
import type { SentMessageIds } from '../chat/sent-message-ids.ts'
import { commandContactAt } from '../contact/command-contact-at.ts'
import { chatIdsOf, chatWith, commandPerson, type Person } from '../contact/person.ts'
import { jidOf } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import { askedAddresses } from '../numbers/asked-addresses.ts'
import type { NumberLookUp } from '../numbers/number-look-up.ts'
import { conversationLines, lineChoice } from '../sending/conversation-line.ts'
import { refuseSending } from '../sending/refuse-sending.ts'
import { planObstacle, sendingPolicy } from '../sending/sending-policy.ts'
import { stepOf } from '../step-of.ts'
import { knownContact } from './known-contact.ts'

/** As for flows (docs/decisions/0047-robots.md). */
const messageWindowSeconds = 600

interface Deps {
  handlers: ContactHandlers
  lookUp: NumberLookUp
  messageIds: SentMessageIds
  entitlements: Entitlements
  budgets: Pick<Budgets, 'flowMessagesPerContact'>
  keys: KeyGate
}

/** Of the public API, by key (docs/decisions/0078-public-api.md). */
export const programRoutes =
  ({ handlers, lookUp, messageIds, entitlements, budgets, keys }: Deps): FastifyPluginAsync =>
  async (app) => {
    const { chats, lines, ownLines, clock } = handlers
    const policy = sendingPolicy({ ...handlers, entitlements })
    const addressesOf = askedAddresses(handlers, lookUp)

    const addContact = async (request: FastifyRequest, phone: string) => {
      const owner = request.user.id
      const { addresses, isTyped } = await addressesOf(owner, request.command.id, phone)
      const command = { type: 'AddContact', data: { isTyped } } as const
      const context = stepOf(commandContext(request), 'contact')
      return { addresses, ...(await commandContactAt(handlers, owner, addresses, command, context)) }
    }

    route(app, publicEndpoints.addContact, { keys }, async (request, reply) => {
      const { addresses, id, state, position } = await addContact(request, request.body.phone)
      replyPosition(reply, position)
      return reply.code(201).send({ id, phone: state.phone ?? addresses.phone, status: state.status })
    })

    /** Nobody is looked up or added for a message that cannot leave. */
    const addressee = async (request: FastifyRequest, phone: string, wish: string | undefined) => {
      const linked = await ownLines(request.user.id)
      if (wish === undefined && !linked.some(({ isLinked, isRemoved }) => isLinked && !isRemoved))
        throw refuse('connection_not_open')
      return knownContact(handlers, request.user.id, (await addContact(request, phone)).id)
    }

    /** Two programs that answer each other stop here, as flows do at theirs. */
    const limitMessagesTo = async (owner: string, contactId: string) => {
      const { count, secondsLeft } = await app.attempts.add(`programs to ${owner} ${contactId}`, messageWindowSeconds)
      if (count > budgets.flowMessagesPerContact)
        throw new Refused('too_many_messages_to_contact', undefined, Math.ceil(secondsLeft))
    }

    /** Before the message, so that a retry after a crash does all. */
    const prepare = async (request: FastifyRequest, person: Person, accept: boolean, choice: string | undefined) => {
      const owner = request.user.id
      const context = commandContext(request)
      const commands = [
        ...(accept ? [{ type: 'AcceptConversation', data: { attendantId: owner } } as const] : []),
        ...(choice === undefined
          ? []
          : [lineChoice(owner, choice, await conversationLines(handlers, owner, person), clock.now())]),
      ]
      for (const command of commands) {
        const { outcome } = await commandPerson(handlers, owner, person.id, command, context)
        if (!outcome.ok) throw refuse(outcome.rejected)
      }
    }

    route(app, publicEndpoints.send, { keys }, async (request, reply) => {
      const { contactId, phone = '', text, connectionId: wish, accept } = request.body
      const owner = request.user.id
      const messageId = messageIdOf(request.command.id)
      const usage = await entitlements.of(owner)
      const ofPlan = planObstacle(usage)
      if (ofPlan && !request.command.repeated) throw refuseSending(ofPlan, usage)
      if (wish !== undefined && (await lines.load(wish, owner)) === 'absent') throw refuse('connection_not_found')
      const person =
        contactId === undefined
          ? await addressee(request, phone, wish)
          : await knownContact(handlers, owner, contactId)
      const isOpen = async (connectionId: string) => (await lines.load(connectionId, owner)) === 'open'
      const accepted = { id: messageId, contactId: person.id, status: 'queued' as const }
      // Of an attempt whose reply was lost.
      const known = await chatWith(handlers, owner, chatIdsOf(person), messageId)
      const queuedBefore = known && messageOf(known.chat, messageId)
      if (known && queuedBefore !== undefined) {
        const { connectionId } = await wayOf(handlers, known.id, queuedBefore)
        return reply.code(202).send({ ...accepted, connectionId, isLineOpen: await isOpen(connectionId) })
      }
      const line = await policy.ofProgram(owner, person, { usage, wish })
      if (line.obstacle) throw refuseSending(line.obstacle, usage)
      const { connectionId } = line
      await limitMessagesTo(owner, person.id)
      const chatId = await messageIds.claim(owner, messageId, person.id)
      if (!chatIdsOf(person).includes(chatId)) throw refuse('message_id_taken')
      await prepare(request, person, accept, line.isChoice ? connectionId : undefined)
      const content = { kind: 'text', text } as const
      const data = { messageId, connectionId, toJid: jidOf(person.state), content, ...policy.senders.program(owner) }
      const queued = await chats(chatId, { type: 'QueueMessage', data }, commandContext(request))
      if (!queued.ok) throw refuse(queued.rejected)
      replyPosition(reply, queued.position)
      return reply.code(202).send({ ...accepted, connectionId, isLineOpen: await isOpen(connectionId) })
    })
  }
