import { adminListEndpoints, type ListedContact } from '@prosa/contracts/http/administration/admin-lists'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { type CsvColumns, everyRow, sendCsv } from '../csv.ts'
import { decodeCursor, logPosition } from '../cursor.ts'
import { pageFrom } from '../page.ts'
import { nameUnbuilt } from '../reading/read-your-writes.ts'
import { type FoundContact, findContactsOfAll, shownContactOfAll } from './queries.ts'

const pageSize = 50

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

    route(
      app,
      adminListEndpoints.contacts,
      { roles, readings, preHandler: name },
      async ({ query: { search, cursor } }) => {
        const before = cursor === undefined ? undefined : decodeCursor(cursor, logPosition)[0]
        const found = await findContactsOfAll(pool, { search, before, limit: pageSize + 1 })
        const page = pageFrom(found, pageSize, ({ place }) => [place], shownContactOfAll)
        return { ...page, items: page.items.filter((contact) => contact !== null) }
      },
    )

    route(
      app,
      adminListEndpoints.contactsFile,
      { roles, readings, preHandler: name },
      ({ query: { search } }, reply) => {
        const load = (last: FoundContact | undefined, limit: number) =>
          findContactsOfAll(pool, { search, before: last?.place, limit })
        async function* shown() {
          for await (const row of everyRow(load)) {
            const contact = shownContactOfAll(row)
            if (contact) yield contact
          }
        }
        return sendCsv(reply, 'contatos', columns, shown())
      },
    )
  }
