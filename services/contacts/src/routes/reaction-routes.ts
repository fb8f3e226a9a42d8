import { messageEndpoints } from '@prosa/contracts/http/messages'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { messageIdOf } from '@prosa/kernel/message-id-of'
import type { FastifyPluginAsync } from 'fastify'
import { messageOf } from '../chat/chat-state.ts'
import { accountOf, wayOf } from '../chat/message-line.ts'
import { chatIdsOf, chatWith } from '../contact/person.ts'
import { jidOf } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import { knownContact } from './known-contact.ts'

export const reactionRoutes =
  (handlers: ContactHandlers): FastifyPluginAsync =>
  async (app) => {
    const { chats, lines } = handlers

    route(app, messageEndpoints.react, async (request, reply) => {
      const tenant = request.user.id
      const { messageId } = request.params
      const { connectionId: wish, emoji } = request.body
      const person = await knownContact(handlers, tenant, request.params.id)
      if (wish !== undefined && (await lines.load(wish, tenant)) === 'absent') throw refuse('connection_not_found')
      const found = await chatWith(handlers, tenant, chatIdsOf(person), messageId)
      if (!found) throw refuse('message_not_found')
      const message = messageOf(found.chat, messageId)
      if (message === undefined) throw refuse('message_not_found')
      const connectionId = await accountOf(handlers, tenant, await wayOf(handlers, found.id, message))
      if (connectionId === undefined) throw refuse('message_line_removed')
      if ((await lines.load(connectionId, tenant)) !== 'open') throw refuse('connection_not_open')
      const reactionId = messageIdOf(request.command.id)
      const about = { reactionId, messageId, connectionId, toJid: jidOf(person.state), emoji, attendantId: tenant }
      const queued = await chats(found.id, { type: 'QueueReaction', data: about }, commandContext(request))
      if (!queued.ok) throw refuse(queued.rejected)
      replyPosition(reply, queued.position)
      return reply.code(202).send({ messageId, contactId: person.id, emoji })
    })
  }
