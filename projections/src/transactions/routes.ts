import { type AdminTransaction, transactionEndpoints } from '@prosa/contracts/http/accounts/transactions'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { instant } from '@prosa/contracts/values/instant'
import { erasedText } from '@prosa/contracts/values/personal'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import { purchaseLinkOf } from '@prosa/product/purchase-token'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { findCompany } from '../company/queries.ts'
import { type CsvColumns, everyRow, sendCsv } from '../csv.ts'
import { decodeCursor } from '../cursor.ts'
import { recordKey } from '../history/records.ts'
import { dispositionOf } from '../media/disposition.ts'
import { pageFrom } from '../page.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { reading } from '../reading/reading.ts'
import { plain } from '../search-text.ts'
import { instantsOf, type SortKey, afterOf as sortedAfter, cursorOf as sortedCursorOf, sortOf } from '../sorting.ts'
import {
  findOwnTransactions,
  findTransaction,
  findTransactions,
  sortColumns,
  type TransactionCursor,
} from './queries.ts'
import { type Receipt, receiptPdf, type Seller } from './receipt.ts'

const pageSize = 50

const momentAndId = z.tuple([instant, z.string().regex(/^[\w.-]{1,100}$/)])

const afterOf = (cursor: string | undefined): TransactionCursor | undefined => {
  if (cursor === undefined) return undefined
  const [createdAt, id] = decodeCursor(cursor, momentAndId)
  return { createdAt, id }
}

const cursorOf = ({ createdAt, id }: TransactionCursor) => [createdAt, id]
const asItIs = <Item>(item: Item): Item => item

type Asked = z.infer<typeof transactionEndpoints.found.body>
type Filters = Omit<Asked, 'cursor'>

const filtersOf = ({ search, unclaimed, withoutPlan, status, hidden, ...query }: Filters) => ({
  search: search && plain(search).trim(),
  unclaimed: unclaimed === 'true',
  withoutPlan: withoutPlan === 'true',
  hidden: hidden === 'true',
  status,
  ...instantsOf(query),
  sort: sortOf(query, 'date'),
})

const statusNames = {
  approved: 'Aprovado',
  declined: 'Recusado',
  pending: 'Pendente',
  refunded: 'Reembolsado',
} as const

const columns: CsvColumns<AdminTransaction> = {
  Id: ({ id }) => id,
  Referência: ({ transactionId }) => transactionId,
  Data: ({ createdAt }) => createdAt,
  Evento: ({ event }) => event,
  Produto: ({ productName }) => productName,
  Plano: ({ planName, lacksPlan }) => (lacksPlan ? 'Sem plano' : planName),
  'Valor em centavos': ({ amount }) => amount,
  Status: ({ status }) => statusNames[status],
  'Forma de pagamento': ({ paymentMethod }) => paymentMethod,
  Comprador: ({ buyerName }) => buyerName,
  'E-mail do comprador': ({ buyerEmail }) => buyerEmail,
  Conta: ({ owner: account }) => account?.name ?? null,
  'E-mail da conta': ({ owner: account }) => account?.email ?? null,
  'Cobrança de quem foi apagado': ({ isErasedBuyerCharged }) => (isErasedBuyerCharged ? 'sim' : null),
  Oculta: ({ isHidden }) => (isHidden ? 'sim' : null),
}

/** From the configuration. */
export interface Selling {
  seller: Seller
  upgradeUrl?: string | undefined
}

const nobody = { name: erasedText, email: null }

/** While unclaimed, as at the checkout. */
const buyerOf = async (
  pool: Pool,
  { owner: account, buyerName, buyerEmail }: AdminTransaction,
): Promise<Receipt['buyer']> => {
  if (account) {
    if (account.name === null) return nobody
    const { name, address } = await findCompany(pool, account.id)
    return { name: account.name, email: account.email, ...(name !== '' && { company: { name, address } }) }
  }
  return buyerName === null ? null : { name: buyerName, email: buyerEmail }
}

export const transactionRoutes =
  (ports: Ports, { seller, upgradeUrl }: Selling): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels, box, clock } = ports
    const readings = tenantReadings(ports)
    const limit = pageSize + 1

    const sendReceipt = async (reply: FastifyReply, found: AdminTransaction | undefined) => {
      if (!found) throw refuse('transaction_not_found')
      const pdf = await receiptPdf({
        transaction: found,
        seller,
        buyer: await buyerOf(pool, found),
        issuedAt: clock.now(),
      })
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', dispositionOf('application/pdf', `Recibo ${found.transactionId}.pdf`))
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store')
        .send(pdf)
    }

    route(
      app,
      transactionEndpoints.own,
      reading(ports, ['transactions'], { also: ['plans'] }),
      async ({ user, query }, reply) => {
        const found = await findOwnTransactions(pool, { tenant: user.id, after: afterOf(query.cursor), limit })
        const { items, nextCursor } = pageFrom(found, pageSize, cursorOf, asItIs)
        if (nextCursor) reply.header(cursorHeader, nextCursor)
        return items
      },
    )

    const page = async ({ cursor, ...filters }: Asked) => {
      const asked = filtersOf(filters)
      const after = sortedAfter(sortColumns[asked.sort.by], cursor)
      const found = await findTransactions(pool, { ...asked, after, limit })
      return pageFrom(found, pageSize, sortedCursorOf, ({ sortKey: _, ...row }) => row)
    }
    const file = (filters: Filters, reply: FastifyReply) => {
      const load = (after: (AdminTransaction & SortKey) | undefined, max: number) =>
        findTransactions(pool, { ...filtersOf(filters), after, limit: max })
      return sendCsv(reply, 'transacoes', columns, everyRow(load))
    }
    const ofAll = { roles, readings, preHandler: readYourWrites(readModels, ['transactions', 'plans']) }
    route(app, transactionEndpoints.all, ofAll, ({ query }) => page(query))
    route(app, transactionEndpoints.found, ofAll, ({ body }) => page(body))
    route(app, transactionEndpoints.file, ofAll, ({ query }, reply) => file(query, reply))
    route(app, transactionEndpoints.foundFile, ofAll, ({ body }, reply) => file(body, reply))

    route(app, transactionEndpoints.upgrade, async ({ user }) => ({
      url: upgradeUrl === undefined ? null : purchaseLinkOf(box, upgradeUrl, user.id),
    }))

    // Fastify's HEAD would make the whole document.
    const ofReceipts = {
      exposeHeadRoute: false,
      preHandler: readYourWrites(readModels, ['transactions', 'account', 'company']),
    }
    route(app, transactionEndpoints.invoice, ofReceipts, async ({ user, params: { id } }, reply) =>
      sendReceipt(reply, await findTransaction(pool, { id, tenant: user.id })),
    )
    route(app, transactionEndpoints.adminInvoice, { ...ofReceipts, roles, readings }, async (request, reply) => {
      const { id } = request.params
      const found = await findTransaction(pool, { id })
      if (!found) throw refuse('transaction_not_found')
      const record = recordKey('order', id)
      await readings.record(request, { tenantId: found.owner?.id ?? null, what: 'receipt', record })
      return sendReceipt(reply, found)
    })
  }
