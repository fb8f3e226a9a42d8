import { contactDetailEndpoints, contactFieldEndpoints } from '@prosa/contracts/http/contact-details'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { requireContact } from '../contact-list/require-contact.ts'
import { readingThen } from '../moments/reading-then.ts'
import { byName, rowsThen } from '../moments/rows-then.ts'
import { reading } from '../reading/reading.ts'
import { contactFields } from './fields.ts'
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

    const then = rowsThen(ports, app.positions)
    const ofFields = readingThen(ports, reading(ports, [contactFields.name]), [])
    route(app, contactFieldEndpoints.list, ofFields, async ({ user, query: { em } }) => {
      if (em === undefined) return findContactFields(ports.pool, user.id)
      const rows = await then(contactFields, 'contactField', { tenant: user.id, em })
      return rows.toSorted(byName).map(({ id, name, variable, type }) => ({ id, name, variable, type }))
    })

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
