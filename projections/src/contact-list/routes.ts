import { contactEndpoints } from '@prosa/contracts/http/contacts'
import type { Contact, Queue, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { Page } from '@prosa/contracts/http/page'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { contactId } from '@prosa/contracts/values/ids'
import { instant } from '@prosa/contracts/values/instant'
import type { Position } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { readingThen } from '../moments/reading-then.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { reading } from '../reading/reading.ts'
import { searchText } from '../search-text.ts'
import { countContacts, findContacts, findLongestWaiting, sortKeyOf } from './queries.ts'
import { requireContact } from './require-contact.ts'
import { countContactsThen, findContactsThen, type Past, requireContactThen } from './versions/contacts-then.ts'
import { momentsShown } from './versions/moments-shown.ts'
import { contactVersions } from './versions/projection.ts'

const pageSize = 50

/** As `sortKeyOf`. */
const sortKeyAndId = z.tuple([
  z.string().refine((text) => instant.safeParse(text.replace(/^[ ~]/, '')).success),
  contactId,
])

const afterOf = (text: string) => {
  const [sortKey, id] = decodeCursor(text, sortKeyAndId)
  return { sortKey, id }
}

const noSearchThen = 'A busca vale para agora. No passado, escolha uma fila, uma etiqueta ou um número.'

interface PageAsked {
  status?: ServiceStatus | undefined
  queue?: Queue | undefined
  search?: string | undefined
  label?: string | undefined
  connectionId?: string | undefined
  cursor?: string | undefined
}

const pageOf = (found: readonly Contact[], queue: Queue | undefined): Page<Contact> => {
  const items = found.slice(0, pageSize)
  const last = items.at(-1)
  const nextCursor = last && found.length > pageSize ? encodeCursor([sortKeyOf(last, queue), last.id]) : null
  return { items, nextCursor }
}

/** 50 contacts of a tenant in the order of `findContacts`. */
export const contactPage = async (
  pool: Pool,
  tenant: string,
  { status, queue, search, label, connectionId, cursor }: PageAsked,
): Promise<Page<Contact>> => {
  const found = await findContacts(pool, {
    tenant,
    status,
    queue,
    search: search && searchText(search),
    label,
    connectionId,
    after: cursor === undefined ? undefined : afterOf(cursor),
    limit: pageSize + 1,
  })
  return pageOf(found, queue ?? status)
}

const contactPageThen = async (
  past: Past,
  tenant: string,
  moment: Position,
  { queue, search, label, connectionId, cursor }: Omit<PageAsked, 'status'>,
): Promise<Page<Contact>> => {
  // Names are decrypted for the contacts that are shown, not for all.
  if (search) throw refuse('invalid_request', [{ field: 'search', message: noSearchThen }])
  const after = cursor === undefined ? undefined : afterOf(cursor)
  const asked = { tenant, moment, queue, label, connectionId, after, limit: pageSize + 1 }
  return pageOf(await findContactsThen(past, asked), queue)
}

export const contactListRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    // Own writes to labels and connections need no wait: their lists show what exists.
    const now = reading(ports, ['contact-list'], { also: ['labels', 'connections'] })
    const hooks = readingThen(ports, now, [contactVersions.name])
    const momentOf = momentsShown(ports, app.positions)

    route(app, contactEndpoints.list, hooks, async ({ user: { id }, query }, reply) => {
      const { em, status: queue, ...rest } = query
      const { items, nextCursor } =
        em === undefined
          ? await contactPage(pool, id, { ...rest, queue })
          : await contactPageThen(ports, id, await momentOf(id, em), { ...rest, queue })
      if (nextCursor !== null) reply.header(cursorHeader, nextCursor)
      return items
    })

    const searching = readYourWrites(ports.readModels, ['contact-list'], ['labels', 'connections'])
    route(app, contactEndpoints.found, { preHandler: searching }, ({ user, body: { status: queue, ...rest } }) =>
      contactPage(pool, user.id, { ...rest, queue }),
    )

    route(app, contactEndpoints.get, hooks, async ({ user, params, query }) =>
      query.em === undefined
        ? requireContact(pool, user.id, params.id)
        : requireContactThen(ports, user.id, await momentOf(user.id, query.em), params.id),
    )

    route(app, contactEndpoints.counts, hooks, async ({ user, query: { em, connectionId } }) =>
      em === undefined
        ? countContacts(pool, user.id, connectionId)
        : countContactsThen(ports, { tenant: user.id, moment: await momentOf(user.id, em), connectionId }),
    )

    route(app, contactEndpoints.longestWaiting, now, async ({ user, query }) => ({
      contact: (await findLongestWaiting(pool, { tenant: user.id, ...query })) ?? null,
    }))
  }
