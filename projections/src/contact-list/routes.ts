import { contactEndpoints } from '@prosa/contracts/http/contacts'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { contactPage } from './contact-page.ts'
import { countContacts, findLongestWaiting } from './queries.ts'
import { requireContact } from './require-contact.ts'

export const contactListRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    // Own writes to labels and connections need no wait: their lists show what exists.
    const hooks = reading(ports, ['contact-list'], { also: ['labels', 'connections'] })

    route(app, contactEndpoints.list, hooks, async ({ user, query }, reply) => {
      const { items, nextCursor } = await contactPage(pool, user.id, query)
      if (nextCursor !== null) reply.header(cursorHeader, nextCursor)
      return items
    })

    route(app, contactEndpoints.get, hooks, ({ user, params }) => requireContact(pool, user.id, params.id))

    route(app, contactEndpoints.counts, hooks, ({ user, query }) => countContacts(pool, user.id, query.connectionId))

    route(app, contactEndpoints.longestWaiting, hooks, async ({ user, query }) => ({
      contact: (await findLongestWaiting(pool, { owner: user.id, ...query })) ?? null,
    }))
  }
