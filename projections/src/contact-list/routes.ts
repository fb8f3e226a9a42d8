import { contact, contactCounts, longestWaiting, serviceStatus } from '@prosa/contracts/http/live-chat'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { contactId } from '@prosa/contracts/values/ids'
import { instant } from '@prosa/contracts/values/instant'
import { maximumSearchLength } from '@prosa/contracts/values/lengths'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { cursor, decodeCursor, encodeCursor } from '../cursor.ts'
import { reading } from '../runner/reading.ts'
import { countContacts, findContacts, findLongestWaiting, placeOf } from './queries.ts'
import { requireContact } from './require-contact.ts'
import { searchText } from './search-text.ts'

const pageSize = 50

const contactsQuery = z.object({
  status: z.enum(serviceStatus.options, { error: 'Escolha aguardando, atendendo ou resolvidos.' }).optional(),
  search: z
    .string({ error: 'Escreva uma só busca.' })
    .max(maximumSearchLength, `A busca pode ter no máximo ${maximumSearchLength} caracteres.`)
    .refine((text) => !text.includes('\0'), 'A busca tem um caractere que não existe em nomes.')
    .optional(),
  cursor: cursor.optional(),
})

/** What is no id of a contact leaves out nobody. */
const nextQuery = z.object({ except: contactId.optional().catch(undefined) })

/** `~` stands before the moment of those to whom nobody owes an answer. */
const placeAndId = z.tuple([z.string().refine((text) => instant.safeParse(text.replace(/^~/, '')).success), contactId])

const afterOf = (text: string) => {
  const [place, id] = decodeCursor(text, placeAndId)
  return { place, id }
}

export const contactListRoutes =
  (ports: Ports): FastifyPluginAsyncZod =>
  async (app) => {
    const { pool } = ports
    const hooks = reading(ports, ['contact-list'])

    app.get(
      '/api/whatsapp/contacts',
      { ...hooks, schema: { querystring: contactsQuery, response: { 200: z.array(contact) } } },
      async ({ user, query: { status, search, cursor: from } }, reply) => {
        const found = await findContacts(pool, {
          owner: user.id,
          status,
          search: search && searchText(search),
          after: from === undefined ? undefined : afterOf(from),
          limit: pageSize + 1,
        })
        const page = found.slice(0, pageSize)
        const last = page.at(-1)
        if (last && found.length > pageSize) reply.header(cursorHeader, encodeCursor([placeOf(last, status), last.id]))
        return page
      },
    )

    app.get(
      '/api/whatsapp/contacts/:id',
      { ...hooks, schema: { params: z.object({ id: z.string() }), response: { 200: contact } } },
      ({ user, params }) => requireContact(pool, user.id, params.id),
    )

    app.get('/api/whatsapp/contact-counts', { ...hooks, schema: { response: { 200: contactCounts } } }, ({ user }) =>
      countContacts(pool, user.id),
    )

    app.get(
      '/api/whatsapp/longest-waiting',
      { ...hooks, schema: { querystring: nextQuery, response: { 200: longestWaiting } } },
      async ({ user, query: { except } }) => ({ contact: (await findLongestWaiting(pool, user.id, except)) ?? null }),
    )
  }
