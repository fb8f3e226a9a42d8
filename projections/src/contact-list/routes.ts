import { contactEndpoints } from '@prosa/contracts/http/contacts'
import type { Contact, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { Page } from '@prosa/contracts/http/page'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { contactId } from '@prosa/contracts/values/ids'
import { instant } from '@prosa/contracts/values/instant'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { reading } from '../reading/reading.ts'
import { searchText } from '../search-text.ts'
import { countContacts, findContacts, findLongestWaiting, sortKeyOf } from './queries.ts'
import { requireContact } from './require-contact.ts'

const pageSize = 50

/** `~` precedes the moment of contacts without an unanswered message. */
const sortKeyAndId = z.tuple([
  z.string().refine((text) => instant.safeParse(text.replace(/^~/, '')).success),
  contactId,
])

const afterOf = (text: string) => {
  const [sortKey, id] = decodeCursor(text, sortKeyAndId)
  return { sortKey, id }
}

interface PageAsked {
  status?: ServiceStatus | undefined
  search?: string | undefined
  label?: string | undefined
  connectionId?: string | undefined
  cursor?: string | undefined
}

/** 50 contacts of a tenant in the order of `findContacts`. */
export const contactPage = async (
  pool: Pool,
  owner: string,
  { status, search, label, connectionId, cursor }: PageAsked,
): Promise<Page<Contact>> => {
  const found = await findContacts(pool, {
    owner,
    status,
    search: search && searchText(search),
    label,
    connectionId,
    after: cursor === undefined ? undefined : afterOf(cursor),
    limit: pageSize + 1,
  })
  const items = found.slice(0, pageSize)
  const last = items.at(-1)
  const nextCursor = last && found.length > pageSize ? encodeCursor([sortKeyOf(last, status), last.id]) : null
  return { items, nextCursor }
}

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
