import { adminListEndpoints, type ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import { userId } from '@prosa/contracts/values/ids'
import { instant } from '@prosa/contracts/values/instant'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { type CsvColumns, everyRow, sendCsv } from '../csv.ts'
import { decodeCursor } from '../cursor.ts'
import { pageFrom } from '../page.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { findUsers, shownUser } from './queries.ts'

const pageSize = 50
const cursorValues = z.tuple([instant, userId])

const afterOf = (text: string) => {
  const [createdAt, id] = decodeCursor(text, cursorValues)
  return { createdAt, id }
}

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
    const { pool, roles, readModels, clock } = ports
    const options = { roles, readings: tenantReadings(ports), preHandler: readYourWrites(readModels, ['users']) }

    route(app, adminListEndpoints.users, options, async ({ query: { search, cursor } }) => {
      const after = cursor === undefined ? undefined : afterOf(cursor)
      const found = await findUsers(pool, { search, after, limit: pageSize + 1 })
      const now = clock.now()
      return pageFrom(
        found,
        pageSize,
        ({ createdAt, id }) => [createdAt, id],
        (row) => shownUser(row, now),
      )
    })

    route(app, adminListEndpoints.usersFile, options, ({ query: { search } }, reply) => {
      const now = clock.now()
      const load = async (after: ListedUser | undefined, limit: number) =>
        (await findUsers(pool, { search, after, limit })).map((row) => shownUser(row, now))
      return sendCsv(reply, 'usuarios', columns, everyRow(load))
    })
  }
