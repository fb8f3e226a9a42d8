import { contactEndpoints } from '@prosa/contracts/http/contacts'
import { refusals } from '@prosa/contracts/refusals'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { commandContactAt, peopleAt } from '../contact/command-contact-at.ts'
import type { ContactCommand } from '../contact/contact-commands.ts'
import { isActive } from '../contact/contact-state.ts'
import { erasePerson } from '../contact/erase-person.ts'
import { chatIdsOf, commandPerson } from '../contact/person.ts'
import { separateContacts } from '../contact/separate-contacts.ts'
import type { ContactHandlers } from '../handlers.ts'
import type { NumberLookUp } from '../numbers/number-look-up.ts'
import { conversationLines, lineChoice } from '../sending/conversation-line.ts'
import { knownContact } from './known-contact.ts'

export const contactRoutes =
  (handlers: ContactHandlers, lookUp: NumberLookUp): FastifyPluginAsync =>
  async (app) => {
    const { chats, lines, clock } = handlers

    /** Asks WhatsApp unless known. */
    const addressesOf = async (owner: string, requestId: string, phone: string) => {
      const typed = { phone, lid: null }
      const [known] = await peopleAt(handlers, owner, typed)
      if (known && isActive(known.state) && known.state.lid) return { addresses: typed, isTyped: true }
      const found = await lookUp(owner, requestId, phone)
      if (found === 'nobody')
        throw refuse('number_not_on_whatsapp', [{ field: 'phone', message: refusals.number_not_on_whatsapp.title }])
      if (found && 'retryAfterSeconds' in found)
        throw new Refused(
          'too_many_look_ups',
          [{ field: 'phone', message: refusals.too_many_look_ups.title }],
          found.retryAfterSeconds,
        )
      return found ? { addresses: found, isTyped: false } : { addresses: typed, isTyped: true }
    }

    route(app, contactEndpoints.add, async (request, reply) => {
      const owner = request.user.id
      const { addresses, isTyped } = await addressesOf(owner, request.command.id, request.body.phone)
      const command = { type: 'AddContact', data: { isTyped } } as const
      const { id, state, position } = await commandContactAt(
        handlers,
        owner,
        addresses,
        command,
        commandContext(request),
      )
      const { status, phone } = state
      replyPosition(reply, position)
      return reply.code(201).send({ id, phone: phone ?? addresses.phone, serviceStatus: status })
    })

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
      const owner = request.user.id
      const command = { type, data: { attendantId: owner } } as const
      const { id, outcome } = await commandPerson(handlers, owner, contactId, command, commandContext(request))
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
      const owner = request.user.id
      const command = { type: 'ClearRobotSuspicion', data: { attendantId: owner } } as const
      const { id, outcome } = await commandPerson(handlers, owner, request.params.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id }
    })

    route(app, contactEndpoints.chooseLine, async (request, reply) => {
      const owner = request.user.id
      const { connectionId } = request.body
      const person = await knownContact(handlers, owner, request.params.id)
      const line = await lines.load(connectionId, owner)
      if (line === 'absent') throw refuse('connection_not_found')
      if (line === 'unused') throw refuse('connection_not_open')
      const command = lineChoice(owner, connectionId, await conversationLines(handlers, owner, person), clock.now())
      const { id, outcome } = await commandPerson(handlers, owner, person.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { contactId: id, connectionId }
    })

    route(app, contactEndpoints.erase, async (request, reply) => {
      const { id } = request.params
      const erased = await erasePerson(handlers, id, commandContext(request))
      if (!erased.ok) throw refuse(erased.rejected)
      replyPosition(reply, erased.position)
      return { id }
    })

    route(app, contactEndpoints.markSeen, async (request, reply) => {
      const owner = request.user.id
      const person = await knownContact(handlers, owner, request.params.id)
      for (const chatId of chatIdsOf(person)) {
        const command = { type: 'MarkSeen', data: { attendantId: owner } } as const
        const seen = await chats(chatId, command, commandContext(request))
        if (!seen.ok) throw refuse(seen.rejected)
        // Earlier writes are visible already.
        if (chatId === person.id || seen.events.length > 0) replyPosition(reply, seen.position)
      }
      return { id: person.id }
    })

    route(app, contactEndpoints.separate, async (request, reply) => {
      const owner = request.user.id
      const contactId = request.body.contactId.toLowerCase()
      const person = await knownContact(handlers, owner, request.params.id)
      const separated = await separateContacts(handlers, person.id, contactId, commandContext(request))
      if (!separated.ok) throw refuse(separated.rejected)
      replyPosition(reply, separated.position)
      return { id: person.id, contactId }
    })
  }
