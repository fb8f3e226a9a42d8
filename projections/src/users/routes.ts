import { adminListEndpoints, type ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import type { Instant } from '@prosa/contracts/values/instant'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { z } from 'zod'
import { type CsvColumns, everyRow, sendCsv } from '../csv.ts'
import { pageFrom } from '../page.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { afterOf, cursorOf, instantsOf, type SortKey, sortOf } from '../sorting.ts'
import { findUsers, shownUser, sortColumns } from './queries.ts'

const pageSize = 50
type Asked = z.infer<typeof adminListEndpoints.usersFound.body>
type Filters = Omit<Asked, 'cursor'>

const filtersOf = ({ search, status, ...query }: Filters, now: Instant) => ({
  search,
  status: status && { is: status, now },
  ...instantsOf(query),
  sort: sortOf(query, 'created'),
})

const statusNames = { active: 'Ativo', expired: 'Expirado', cancelled: 'Cancelado' } as const

const columns: CsvColumns<ListedUser> = {
  Id: ({ id }) => id,
  Nome: ({ firstName }) => firstName,
  Sobrenome: ({ lastName }) => lastName,
  'E-mail': ({ email }) => email,
  'E-mail confirmado': ({ isEmailConfirmed }) => (isEmailConfirmed ? 'sim' : 'não'),
  'Cadastrado em': ({ createdAt }) => createdAt,
  Status: ({ subscriptionStatus }) => statusNames[subscriptionStatus],
  'Acesso até': ({ subscriptionEnd }) => subscriptionEnd,
  'Período gratuito': ({ isTrial }) => (isTrial === null ? '' : isTrial ? 'sim' : 'não'),
  Papéis: ({ roles }) => roles.join(' '),
}

export const userRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels, clock, box } = ports
    const options = { roles, readings: tenantReadings(ports), preHandler: readYourWrites(readModels, ['users']) }

    // By name, the last row's name is in the cursor, and cursors are in addresses. Plain ones are of pages of a release before.
    const context = 'cursor of users'
    const page = async ({ cursor, ...filters }: Asked) => {
      const now = clock.now()
      const asked = filtersOf(filters, now)
      const plain = cursor === undefined ? undefined : (box.readToken(cursor, context) ?? cursor)
      const after = afterOf(sortColumns[asked.sort.by], plain)
      const found = await findUsers(pool, { ...asked, after, limit: pageSize + 1 })
      const { items, nextCursor } = pageFrom(found, pageSize, cursorOf, (row) => shownUser(row, now))
      return { items, nextCursor: nextCursor === null ? null : box.token(nextCursor, context) }
    }
    const file = (filters: Filters, reply: FastifyReply) => {
      const now = clock.now()
      const asked = filtersOf(filters, now)
      const load = async (after: (ListedUser & SortKey) | undefined, limit: number) =>
        (await findUsers(pool, { ...asked, after, limit })).map((row) => ({
          ...shownUser(row, now),
          sortKey: row.sortKey,
        }))
      return sendCsv(reply, 'usuarios', columns, everyRow(load))
    }

    route(app, adminListEndpoints.users, options, ({ query }) => page(query))
    route(app, adminListEndpoints.usersFound, options, ({ body }) => page(body))
    route(app, adminListEndpoints.usersFile, options, ({ query }, reply) => file(query, reply))
    route(app, adminListEndpoints.usersFoundFile, options, ({ body }, reply) => file(body, reply))
  }
