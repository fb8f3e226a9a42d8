import {
  contactNoteRemoved,
  contactNoteWritten,
  contactRenamed,
  renameContactBody,
  writeNoteBody,
} from '@prosa/contracts/http/contact-details'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition, requireUser } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ContactCommand } from '../contact.ts'
import type { ContactHandlers } from '../handlers.ts'
import { chatIdsOf, tellPerson } from '../person.ts'
import { contactParams, knownContact } from './known-contact.ts'

/** What the business knows about a person: the name it gives them, and notes that are never sent. */
export const contactDetailRoutes =
  (handlers: ContactHandlers): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser)

    const tell = async (request: FastifyRequest, reply: FastifyReply, contactId: string, command: ContactCommand) => {
      const { id, outcome } = await tellPerson(handlers, request.user.id, contactId, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return id
    }

    app.put(
      '/api/whatsapp/contacts/:id/name',
      { schema: { params: contactParams, body: renameContactBody, response: { 200: contactRenamed } } },
      async (request, reply) => {
        const person = await knownContact(handlers, request.user.id, request.params.id)
        const name = request.body.name || null
        const id = await tell(request, reply, person.id, { type: 'RenameContact', data: { name } })
        return { id, name }
      },
    )

    app.post(
      '/api/whatsapp/contacts/:id/notes',
      { schema: { params: contactParams, body: writeNoteBody, response: { 201: contactNoteWritten } } },
      async (request, reply) => {
        const person = await knownContact(handlers, request.user.id, request.params.id)
        const noteId = deriveId('contact note', request.command.id)
        const data = { noteId, text: request.body.text, attendantId: request.user.id }
        await tell(request, reply, person.id, { type: 'WriteContactNote', data })
        return reply.code(201).send({ id: noteId })
      },
    )

    app.delete(
      '/api/whatsapp/contacts/:id/notes/:noteId',
      { schema: { params: contactParams.extend({ noteId: z.string() }), response: { 200: contactNoteRemoved } } },
      async (request, reply) => {
        const owner = request.user.id
        const person = await knownContact(handlers, owner, request.params.id)
        const noteId = request.params.noteId.toLowerCase()
        for (const contactId of chatIdsOf(person)) {
          const { notes } = await handlers.contacts.load(contactId, owner)
          if (!(noteId in notes)) continue
          const command = { type: 'RemoveContactNote', data: { noteId } } as const
          const removed = await handlers.contacts(contactId, command, commandContext(request))
          if (!removed.ok) throw refuse(removed.rejected)
          replyPosition(reply, removed.position)
          return { id: noteId }
        }
        throw refuse('contact_note_not_found')
      },
    )
  }
