import { randomBytes } from 'node:crypto'
import {
  addContactBody,
  changeStatusBody,
  contactAdded,
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
import type { ContactHandlers } from './handlers.ts'
import { jidOf } from './whatsapp-address.ts'

/** Ids that cannot exist are answered like ids that do not. */
const params = z.object({ id: z.string() })

/** A message id as WhatsApp's own clients make them: `3EB0` and 18 hexadecimal digits. */
const newMessageId = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

export const contactRoutes =
  ({ contacts, chats, lines, directory }: ContactHandlers): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser)

    app.post(
      '/api/whatsapp/contacts',
      { schema: { body: addContactBody, response: { 201: contactAdded } } },
      async (request, reply) => {
        const addresses = { phone: request.body.phone, lid: null }
        const context = commandContext(request)
        const id = await directory.claim(request.user.id, addresses, context)
        const added = await contacts(id, { type: 'AddContact', data: addresses }, context)
        if (!added.ok) throw refuse(added.rejected)
        const { status, phone } = added.state
        if (status === 'absent') throw new Error('a contact was added and is absent')
        replyPosition(reply, added.position)
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
        const { status } = changed.state
        if (status === 'absent') throw refuse('contact_not_found')
        replyPosition(reply, changed.position)
        return { id, serviceStatus: status }
      },
    )

    app.post(
      '/api/whatsapp/contacts/:id/seen',
      { schema: { params, response: { 200: contactSeen } } },
      async (request, reply) => {
        const { id } = request.params
        const { status } = await contacts.load(id, request.user.id)
        if (status === 'absent') throw refuse('contact_not_found')
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
        const { connectionId, contactId, message, messageId = newMessageId() } = request.body
        const owner = request.user.id
        const [contact, line] = await Promise.all([contacts.load(contactId, owner), lines.load(connectionId, owner)])
        if (contact.status === 'absent') throw refuse('contact_not_found')
        if (line === 'absent') throw refuse('connection_not_found')
        if (line === 'down') throw refuse('connection_not_open')
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
