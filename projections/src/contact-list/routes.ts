import { contactEndpoints } from '@prosa/contracts/http/contacts'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { contactId } from '@prosa/contracts/values/ids'
import { instant } from '@prosa/contracts/values/instant'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { reading } from '../reading/reading.ts'
import { searchText } from '../search-text.ts'
import { countContacts, findContacts, findLongestWaiting, placeOf } from './queries.ts'
import { requireContact } from './require-contact.ts'

const pageSize = 50

/** `~` precedes the moment of contacts without an unanswered message. */
const placeAndId = z.tuple([z.string().refine((text) => instant.safeParse(text.replace(/^~/, '')).success), contactId])

const afterOf = (text: string) => {
  const [place, id] = decodeCursor(text, placeAndId)
  return { place, id }
}

export const contactListRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    // Own writes to labels and connections need no wait: their lists show what exists.
    const hooks = reading(ports, ['contact-list'], { also: ['labels', 'connections'] })

    route(
      app,
      contactEndpoints.list,
      hooks,
      async ({ user, query: { status, search, label, connectionId, cursor: from } }, reply) => {
        const found = await findContacts(pool, {
          owner: user.id,
          status,
          search: search && searchText(search),
          label,
          connectionId,
          after: from === undefined ? undefined : afterOf(from),
          limit: pageSize + 1,
        })
        const page = found.slice(0, pageSize)
        const last = page.at(-1)
        if (last && found.length > pageSize) reply.header(cursorHeader, encodeCursor([placeOf(last, status), last.id]))
        return page
      },
    )

    route(app, contactEndpoints.get, hooks, ({ user, params }) => requireContact(pool, user.id, params.id))

    route(app, contactEndpoints.counts, hooks, ({ user, query }) => countContacts(pool, user.id, query.connectionId))

    route(app, contactEndpoints.longestWaiting, hooks, async ({ user, query }) => ({
      contact: (await findLongestWaiting(pool, { owner: user.id, ...query })) ?? null,
    }))
  }
