import { adminListEndpoints, type ListedContact } from '@prosa/contracts/http/administration/admin-lists'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { z } from 'zod'
import { type CsvColumns, everyRow, sendCsv } from '../csv.ts'
import { decodeCursor, logPosition } from '../cursor.ts'
import { pageFrom } from '../page.ts'
import { nameUnbuilt } from '../reading/read-your-writes.ts'
import { type FoundContact, findContactsOfAll, shownContactOfAll } from './queries.ts'

const pageSize = 50

type Asked = z.infer<typeof adminListEndpoints.contactsFound.body>

const statusNames = { waiting: 'Aguardando', attending: 'Atendendo', resolved: 'Resolvido' } as const

const columns: CsvColumns<ListedContact> = {
  Id: ({ id }) => id,
  Nome: ({ name }) => name,
  Telefone: ({ phone }) => phone,
  Status: ({ serviceStatus }) => statusNames[serviceStatus],
  'Última atividade': ({ lastActivity }) => lastActivity,
  Conta: ({ account }) => account?.name ?? null,
  'E-mail da conta': ({ account }) => account?.email ?? null,
}

/** For administrators; recorded before the reply. */
export const contactDirectoryRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels } = ports
    const name = nameUnbuilt(readModels, ['contact-directory', 'contact-list', 'users'])
    const readings = tenantReadings(ports)

    const page = async ({ search, cursor }: Asked) => {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, logPosition)[0]
      const found = await findContactsOfAll(pool, { search, before, limit: pageSize + 1 })
      const { items, nextCursor } = pageFrom(found, pageSize, ({ place }) => [place], shownContactOfAll)
      return { items: items.filter((contact) => contact !== null), nextCursor }
    }
    const file = ({ search }: Pick<Asked, 'search'>, reply: FastifyReply) => {
      const load = (last: FoundContact | undefined, limit: number) =>
        findContactsOfAll(pool, { search, before: last?.place, limit })
      async function* shown() {
        for await (const row of everyRow(load)) {
          const contact = shownContactOfAll(row)
          if (contact) yield contact
        }
      }
      return sendCsv(reply, 'contatos', columns, shown())
    }

    const options = { roles, readings, preHandler: name }
    route(app, adminListEndpoints.contacts, options, ({ query }) => page(query))
    route(app, adminListEndpoints.contactsFound, options, ({ body }) => page(body))
    route(app, adminListEndpoints.contactsFile, options, ({ query }, reply) => file(query, reply))
    route(app, adminListEndpoints.contactsFoundFile, options, ({ body }, reply) => file(body, reply))
  }
