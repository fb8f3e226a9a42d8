import { contactDetailEndpoints } from '@prosa/contracts/http/contact-details'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ContactCommand } from '../contact/contact-commands.ts'
import { chatIdsOf, commandPerson } from '../contact/person.ts'
import type { ContactHandlers } from '../handlers.ts'
import { knownContact } from './known-contact.ts'

export const contactDetailRoutes =
  (handlers: ContactHandlers): FastifyPluginAsync =>
  async (app) => {
    const command = async (
      request: FastifyRequest,
      reply: FastifyReply,
      contactId: string,
      command: ContactCommand,
    ) => {
      const { id, outcome } = await commandPerson(
        handlers,
        request.user.id,
        contactId,
        command,
        commandContext(request),
      )
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return id
    }

    route(app, contactDetailEndpoints.renameContact, async (request, reply) => {
      const person = await knownContact(handlers, request.user.id, request.params.id)
      const name = request.body.name || null
      const id = await command(request, reply, person.id, { type: 'RenameContact', data: { name } })
      return { id, name }
    })

    route(app, contactDetailEndpoints.writeNote, async (request, reply) => {
      const person = await knownContact(handlers, request.user.id, request.params.id)
      const noteId = deriveId('contact note', request.command.id)
      const data = { noteId, text: request.body.text, attendantId: request.user.id }
      await command(request, reply, person.id, { type: 'WriteContactNote', data })
      return reply.code(201).send({ id: noteId })
    })

    route(app, contactDetailEndpoints.removeNote, async (request, reply) => {
      const tenant = request.user.id
      const person = await knownContact(handlers, tenant, request.params.id)
      const noteId = request.params.noteId.toLowerCase()
      for (const contactId of chatIdsOf(person)) {
        const { notes } = await handlers.contacts.load(contactId, tenant)
        if (!(noteId in notes)) continue
        const command = { type: 'RemoveContactNote', data: { noteId } } as const
        const removed = await handlers.contacts(contactId, command, commandContext(request))
        if (!removed.ok) throw refuse(removed.rejected)
        replyPosition(reply, removed.position)
        return { id: noteId }
      }
      throw refuse('contact_note_not_found')
    })
  }
