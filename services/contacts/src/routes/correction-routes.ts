import { messageEndpoints } from '@prosa/contracts/http/messages'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { messageIdOf } from '@prosa/kernel/message-id-of'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ChatCommand } from '../chat/chat.ts'
import { correctionOf, wordsWrittenAt } from '../chat/chat-state.ts'
import { correctionDeadline, ownMessage, withWords } from '../chat/correction.ts'
import { accountOf } from '../chat/message-line.ts'
import { contentAt } from '../chat/quote.ts'
import { chatIdsOf, chatWith } from '../contact/person.ts'
import { jidOf } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import { knownContact } from './known-contact.ts'

export const correctionRoutes =
  (handlers: ContactHandlers): FastifyPluginAsync =>
  async (app) => {
    const { chats, lines, clock } = handlers

    /** `isKnown`: carried out before. */
    const correctionFor = async (request: FastifyRequest, id: string, messageId: string, kind: 'edit' | 'deletion') => {
      const tenant = request.user.id
      const person = await knownContact(handlers, tenant, id)
      const correctionId = messageIdOf(request.command.id)
      const found = await chatWith(handlers, tenant, chatIdsOf(person), messageId, (chat) => [
        correctionOf(chat, correctionId),
        wordsWrittenAt(chat, messageId),
      ])
      if (!found) throw refuse('message_not_found')
      const isKnown = correctionOf(found.chat, correctionId) !== undefined
      const own = await ownMessage(handlers, found, messageId)
      if (!own) throw refuse('message_not_own')
      // Queued messages change in their own outbox.
      const connectionId = own.isWaiting ? own.way.connectionId : await accountOf(handlers, tenant, own.way)
      if (connectionId === undefined || (await lines.load(connectionId, tenant)) === 'absent')
        throw refuse('message_line_removed')
      const now = clock.now()
      const deadline = isKnown ? { until: null } : correctionDeadline(own, kind, now)
      if ('refused' in deadline) throw refuse(deadline.refused)
      const about = { messageId, connectionId, toJid: jidOf(person.state), ...deadline, attendantId: tenant }
      return { found, contactId: person.id, correctionId, isKnown, now, about }
    }

    const queue = async (request: FastifyRequest, chatId: string, command: ChatCommand) => {
      const queued = await chats(chatId, command, commandContext(request))
      if (!queued.ok) throw refuse(queued.rejected)
      return queued.position
    }

    route(app, messageEndpoints.edit, async (request, reply) => {
      const { id, messageId } = request.params
      const { found, contactId, correctionId, isKnown, now, about } = await correctionFor(
        request,
        id,
        messageId,
        'edit',
      )
      const revision = wordsWrittenAt(found.chat, messageId)
      if (revision === undefined) throw refuse('message_not_found')
      const before = await contentAt(handlers, found.id, revision, messageId)
      const content = withWords(before, request.body.message)
      if (!content) throw refuse('message_not_editable')
      const isSame = JSON.stringify(content) === JSON.stringify(before)
      if (!isKnown && !isSame) {
        const data = { editId: correctionId, ...about, content, editedAt: now }
        replyPosition(reply, await queue(request, found.id, { type: 'QueueEdit', data }))
      }
      return reply.code(202).send({ messageId, contactId })
    })

    route(app, messageEndpoints.delete, async (request, reply) => {
      const { id, messageId } = request.params
      const { found, contactId, correctionId, now, about } = await correctionFor(request, id, messageId, 'deletion')
      const data = { deletionId: correctionId, ...about, deletedAt: now }
      replyPosition(reply, await queue(request, found.id, { type: 'QueueDeletion', data }))
      return reply.code(202).send({ messageId, contactId })
    })
  }
