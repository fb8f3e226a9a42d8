import { contactDetailEndpoints, contactFieldEndpoints } from '@prosa/contracts/http/contact-details'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { requireContact } from '../contact-list/require-contact.ts'
import { reading } from '../reading/reading.ts'
import { findContactFields, findContactFieldValues, findContactNotes } from './queries.ts'

export const contactDetailRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(
      app,
      contactDetailEndpoints.notes,
      reading(ports, ['contact-list', 'contact-notes', 'account']),
      async ({ user, params }) => {
        const { id, merged } = await requireContact(ports.pool, user.id, params.id)
        return findContactNotes(ports.pool, user.id, [id, ...merged.map((each) => each.id)])
      },
    )

    route(app, contactFieldEndpoints.list, reading(ports, ['contact-fields']), ({ user }) =>
      findContactFields(ports.pool, user.id),
    )

    route(
      app,
      contactFieldEndpoints.values,
      reading(ports, ['contact-list', 'contact-fields', 'contact-field-values']),
      async ({ user, params }) => {
        const { id } = await requireContact(ports.pool, user.id, params.id)
        return findContactFieldValues(ports.pool, user.id, id)
      },
    )
  }
