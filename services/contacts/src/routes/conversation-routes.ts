import { contactEndpoints } from '@prosa/contracts/http/contacts'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ContactCommand } from '../contact/contact-commands.ts'
import { isActive } from '../contact/contact-state.ts'
import { chatIdsOf, commandPerson } from '../contact/person.ts'
import type { ContactHandlers } from '../handlers.ts'
import { conversationLines, lineChoice } from '../sending/conversation-line.ts'
import { knownContact } from './known-contact.ts'

export const conversationRoutes =
  (handlers: ContactHandlers): FastifyPluginAsync =>
  async (app) => {
    const { chats, lines, clock } = handlers

    type StatusCommand = Extract<
      ContactCommand,
      { type: 'AcceptConversation' | 'ResolveConversation' | 'ReopenConversation' }
    >['type']
    const changeStatus = async (
      request: FastifyRequest,
      reply: FastifyReply,
      contactId: string,
      type: StatusCommand,
    ) => {
      const tenant = request.user.id
      const command = { type, data: { attendantId: tenant } } as const
      const { id, outcome } = await commandPerson(handlers, tenant, contactId, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      if (!isActive(outcome.state)) throw refuse('contact_not_found')
      replyPosition(reply, outcome.position)
      return { id, serviceStatus: outcome.state.status }
    }

    route(app, contactEndpoints.changeStatus, (request, reply) => {
      const type = request.body.status === 'attending' ? 'AcceptConversation' : 'ResolveConversation'
      return changeStatus(request, reply, request.params.id, type)
    })

    route(app, contactEndpoints.reopen, (request, reply) =>
      changeStatus(request, reply, request.params.id, 'ReopenConversation'),
    )

    route(app, contactEndpoints.clearRobotSuspicion, async (request, reply) => {
      const tenant = request.user.id
      const command = { type: 'ClearRobotSuspicion', data: { attendantId: tenant } } as const
      const { id, outcome } = await commandPerson(handlers, tenant, request.params.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id }
    })

    route(app, contactEndpoints.chooseLine, async (request, reply) => {
      const tenant = request.user.id
      const { connectionId } = request.body
      const person = await knownContact(handlers, tenant, request.params.id)
      const line = await lines.load(connectionId, tenant)
      if (line === 'absent') throw refuse('connection_not_found')
      if (line === 'unused') throw refuse('connection_not_open')
      const command = lineChoice(tenant, connectionId, await conversationLines(handlers, tenant, person), clock.now())
      const { id, outcome } = await commandPerson(handlers, tenant, person.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { contactId: id, connectionId }
    })

    route(app, contactEndpoints.markSeen, async (request, reply) => {
      const tenant = request.user.id
      const person = await knownContact(handlers, tenant, request.params.id)
      for (const chatId of chatIdsOf(person)) {
        const command = { type: 'MarkSeen', data: { attendantId: tenant } } as const
        const seen = await chats(chatId, command, commandContext(request))
        if (!seen.ok) throw refuse(seen.rejected)
        // Earlier writes are visible already.
        if (chatId === person.id || seen.events.length > 0) replyPosition(reply, seen.position)
      }
      return { id: person.id }
    })
  }
