import { adminListEndpoints, type ListedMessage } from '@prosa/contracts/http/administration/admin-lists'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { type CsvColumns, everyRow, sendCsv } from '../csv.ts'
import { decodeCursor, logPosition } from '../cursor.ts'
import { pageFrom } from '../page.ts'
import { nameUnbuilt } from '../reading/read-your-writes.ts'
import { type FoundMessage, findMessagesOfAll, shownMessageOfAll } from './queries.ts'

const pageSize = 50
const maxInFile = 10_000

const columns: CsvColumns<ListedMessage> = {
  Quando: ({ timestamp }) => timestamp,
  De: ({ sender }) => (sender === 'user' ? 'usuário' : 'contato'),
  Contato: ({ contactName }) => contactName,
  Telefone: ({ contactPhone }) => contactPhone,
  Mensagem: ({ content }) => content,
  Conta: ({ account }) => account?.name ?? null,
  'E-mail da conta': ({ account }) => account?.email ?? null,
}

/** For administrators; recorded before the reply. */
export const latestMessageRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels } = ports
    const name = nameUnbuilt(readModels, ['chat-messages', 'contact-list', 'users'])
    const readings = tenantReadings(ports)

    route(app, adminListEndpoints.messages, { roles, readings, preHandler: name }, async ({ query: { cursor } }) => {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, logPosition)[0]
      const found = await findMessagesOfAll(pool, { before, limit: pageSize + 1 })
      return pageFrom(found, pageSize, ({ place }) => [place], shownMessageOfAll)
    })

    route(app, adminListEndpoints.messagesFile, { roles, readings, preHandler: name }, (_, reply) => {
      const load = (last: FoundMessage | undefined, limit: number) =>
        findMessagesOfAll(pool, { before: last?.place, limit })
      async function* shown() {
        for await (const row of everyRow(load, maxInFile)) yield shownMessageOfAll(row)
      }
      return sendCsv(reply, 'mensagens', columns, shown())
    })
  }
