import { createHash } from 'node:crypto'
import {
  addContactBody,
  changeStatusBody,
  contactAdded,
  contactErased,
  contactSeen,
  contactStatus,
  messageAccepted,
  sendMessageBody,
} from '@prosa/contracts/http/live-chat'
import { replyPosition, requireUser } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { isThere } from './contact.ts'
import type { ContactHandlers } from './handlers.ts'
import { tellContactAt } from './tell-contact-at.ts'
import { jidOf } from './whatsapp-address.ts'

/** Ids that cannot exist are answered like ids that do not. */
const params = z.object({ id: z.string() })

/** A message id as WhatsApp's own clients make them (`3EB0` and 18 hexadecimal digits), the same for the same command. */
const messageIdOf = (commandId: string) =>
  `3EB0${createHash('sha256').update(commandId).digest('hex').slice(0, 18).toUpperCase()}`

export const contactRoutes =
  (handlers: ContactHandlers): FastifyPluginAsyncZod =>
  async (app) => {
    const { contacts, chats, lines } = handlers
    app.addHook('onRequest', requireUser)

    app.post(
      '/api/whatsapp/contacts',
      { schema: { body: addContactBody, response: { 201: contactAdded } } },
      async (request, reply) => {
        const addresses = { phone: request.body.phone, lid: null }
        const context = commandContext(request)
        const command = { type: 'AddContact', data: addresses } as const
        const { id, state, position } = await tellContactAt(handlers, request.user.id, addresses, command, context)
        const { status, phone } = state
        replyPosition(reply, position)
        return reply.code(201).send({ id, phone: phone ?? addresses.phone, serviceStatus: status })
      },
    )

    app.patch(
      '/api/whatsapp/contacts/:id/status',
      { schema: { params, body: changeStatusBody, response: { 200: contactStatus } } },
      async (request, reply) => {
        const { id } = request.params
        const type = request.body.status === 'attending' ? 'AcceptConversation' : 'ResolveConversation'
        const changed = await contacts(id, { type, data: { attendantId: request.user.id } }, commandContext(request))
        if (!changed.ok) throw refuse(changed.rejected)
        if (!isThere(changed.state)) throw refuse('contact_not_found')
        replyPosition(reply, changed.position)
        return { id, serviceStatus: changed.state.status }
      },
    )

    app.delete(
      '/api/whatsapp/contacts/:id',
      { schema: { params, response: { 200: contactErased } } },
      async (request, reply) => {
        const { id } = request.params
        const erased = await contacts(id, { type: 'EraseContact', data: {} }, commandContext(request))
        if (!erased.ok) throw refuse(erased.rejected)
        replyPosition(reply, erased.position)
        return { id }
      },
    )

    app.post(
      '/api/whatsapp/contacts/:id/seen',
      { schema: { params, response: { 200: contactSeen } } },
      async (request, reply) => {
        const { id } = request.params
        if (!isThere(await contacts.load(id, request.user.id))) throw refuse('contact_not_found')
        const seen = await chats(
          id,
          { type: 'MarkSeen', data: { attendantId: request.user.id } },
          commandContext(request),
        )
        if (!seen.ok) throw refuse(seen.rejected)
        replyPosition(reply, seen.position)
        return { id }
      },
    )

    app.post(
      '/api/whatsapp/send-message',
      { schema: { body: sendMessageBody, response: { 202: messageAccepted } } },
      async (request, reply) => {
        const { connectionId, contactId, message, messageId = messageIdOf(request.command.id) } = request.body
        const owner = request.user.id
        const [contact, line] = await Promise.all([contacts.load(contactId, owner), lines.load(connectionId, owner)])
        if (!isThere(contact)) throw refuse('contact_not_found')
        if (line === 'absent') throw refuse('connection_not_found')
        // What is queued already is accepted, however the line stands by now.
        const isQueued = async () => (await chats.load(contactId, owner)).messages.has(messageId)
        if (line === 'down' && !(await isQueued())) throw refuse('connection_not_open')
        const queued = await chats(
          contactId,
          {
            type: 'QueueMessage',
            data: {
              messageId,
              connectionId,
              toJid: jidOf(contact),
              content: { kind: 'text', text: message },
              attendantId: owner,
            },
          },
          commandContext(request),
        )
        if (!queued.ok) throw refuse(queued.rejected)
        replyPosition(reply, queued.position)
        return reply.code(202).send({ id: messageId, contactId, connectionId, status: 'queued' as const })
      },
    )
  }
