import { contactNote } from '@prosa/contracts/http/contact-details'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireContact } from '../contact-list/require-contact.ts'
import { reading } from '../runner/reading.ts'
import { findContactNotes } from './queries.ts'

export const contactNoteRoutes =
  (ports: Ports): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/whatsapp/contacts/:id/notes',
      {
        ...reading(ports, ['contact-list', 'contact-notes', 'account']),
        schema: { params: z.object({ id: z.string() }), response: { 200: z.array(contactNote) } },
      },
      async ({ user, params }) => {
        const { id, merged } = await requireContact(ports.pool, user.id, params.id)
        return findContactNotes(ports.pool, user.id, [id, ...merged.map((each) => each.id)])
      },
    )
  }
