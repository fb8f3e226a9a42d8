import { messageEndpoints } from '@prosa/contracts/http/messages'
import { type Refusal, refusals } from '@prosa/contracts/refusals'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { messageIdOf } from '@prosa/kernel/message-id-of'
import type { Entitlements } from '@prosa/product/entitlements/port'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { type Chat, messageOf } from '../chat/chat-state.ts'
import { progressOf, revisionOf } from '../chat/known-message.ts'
import { wayOf } from '../chat/message-line.ts'
import { eventAt, quote } from '../chat/quote.ts'
import type { SentMessageIds } from '../chat/sent-message-ids.ts'
import { chatIdsOf, chatWith, commandPerson, type Person } from '../contact/person.ts'
import { jidOf } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import { conversationLines, lineChoice } from '../sending/conversation-line.ts'
import { outgoingContent } from '../sending/outgoing-content.ts'
import { refuseSending } from '../sending/refuse-sending.ts'
import { sendingPolicy } from '../sending/sending-policy.ts'
import { knownContact } from './known-contact.ts'

const refuseField = (refusal: Refusal, field: string, message: string = refusals[refusal].title) =>
  refuse(refusal, [{ field, message }])

const quoted = async (handlers: ContactHandlers, tenant: string, chatIds: readonly string[], messageId: string) => {
  const found = await chatWith(handlers, tenant, chatIds, messageId)
  return (found && (await quote(handlers, found, messageId))) ?? null
}

/** A flow's message that never reached the outbox. */
const wasRefused = async (handlers: ContactHandlers, { id, chat }: { id: string; chat: Chat }, messageId: string) => {
  const message = messageOf(chat, messageId)
  if (message === undefined) return false
  const { type, data } = await eventAt(handlers, id, revisionOf(message))
  return type === 'MessageQueued' && data.isRefused === true
}

export const messageRoutes =
  (handlers: ContactHandlers, messageIds: SentMessageIds, entitlements: Entitlements): FastifyPluginAsync =>
  async (app) => {
    const { chats, lines, media, clock } = handlers
    const policy = sendingPolicy({ ...handlers, entitlements })

    const choose = async (request: FastifyRequest, person: Person, connectionId: string) => {
      const tenant = request.user.id
      const command = lineChoice(tenant, connectionId, await conversationLines(handlers, tenant, person), clock.now())
      const { outcome } = await commandPerson(handlers, tenant, person.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
    }

    route(app, messageEndpoints.send, async (request, reply) => {
      const { connectionId: wish, message, quotedMessageId, media: attached } = request.body
      const { messageId = messageIdOf(request.command.id) } = request.body
      const tenant = request.user.id
      const [person, usage] = await Promise.all([
        knownContact(handlers, tenant, request.body.contactId),
        entitlements.of(tenant),
      ])
      if (wish !== undefined && (await lines.load(wish, tenant)) === 'absent') throw refuse('connection_not_found')
      const accepted = { id: messageId, contactId: person.id, status: 'queued' as const }
      const chatIds = chatIdsOf(person)
      // A merged contact's chat may have it; failed ones are retried there.
      const known = await chatWith(handlers, tenant, chatIds, messageId)
      const progress = known && messageOf(known.chat, messageId)
      // Already queued: accepted regardless of the line.
      if (known && progress !== undefined && progressOf(progress) !== 'failed')
        return reply
          .code(202)
          .send({ ...accepted, connectionId: (await wayOf(handlers, known.id, progress)).connectionId })
      // Failed messages counted already unless refused. The read model may lag.
      const isRefused = known !== undefined && (await wasRefused(handlers, known, messageId))
      const line = await policy.ofAttendant(tenant, person, { usage, isCounted: !known || isRefused, wish })
      if (line.obstacle) throw refuseSending(line.obstacle, usage)
      const { connectionId } = line
      const quotedMessage =
        quotedMessageId === undefined ? null : await quoted(handlers, tenant, chatIds, quotedMessageId)
      // A retry drops a deleted quote: else it could never succeed.
      if (quotedMessageId !== undefined && !quotedMessage && !known)
        throw refuseField('message_not_found', 'quotedMessageId')
      const content = outgoingContent({
        message,
        attached,
        quoted: quotedMessage,
        file: attached ? await media.load(attached.id, tenant) : { status: 'absent' },
        chatIds,
      })
      if ('refused' in content) throw refuseField(content.refused, content.field, content.message)
      const chatId = await messageIds.claim(tenant, messageId, known?.id ?? person.id)
      if (!chatIds.includes(chatId)) throw refuse('message_id_taken')
      const data = { messageId, connectionId, toJid: jidOf(person.state), content, ...policy.senders.attendant(tenant) }
      // Before the message, so a retry after a crash does both.
      if (!known) {
        const accept = { type: 'AcceptConversation', data: { attendantId: tenant } } as const
        const { outcome } = await commandPerson(handlers, tenant, person.id, accept, commandContext(request))
        if (!outcome.ok) throw refuse(outcome.rejected)
      }
      if (line.isChoice) await choose(request, person, connectionId)
      const command = {
        type: 'QueueMessage',
        data: { ...data, ...(isRefused && { wasRefused: true as const }) },
      } as const
      const queued = await chats(chatId, command, commandContext(request))
      if (!queued.ok) throw refuse(queued.rejected)
      replyPosition(reply, queued.position)
      // A concurrent duplicate may have another line.
      const stored = messageOf(queued.state, messageId)
      const isOther = queued.events.length === 0 && stored !== undefined
      const way = isOther ? await wayOf(handlers, chatId, stored) : { connectionId }
      return reply.code(202).send({ ...accepted, connectionId: way.connectionId })
    })
  }
