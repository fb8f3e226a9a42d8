import { adminListEndpoints, type ListedMessage } from '@prosa/contracts/http/administration/admin-lists'
import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import type { Instant } from '@prosa/contracts/values/instant'
import { logTimes } from '@prosa/kernel/event-store/times/log-times'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Pool } from 'pg'
import type { z } from 'zod'
import { type CsvColumns, sendCsv } from '../csv.ts'
import { decodeCursor, encodeCursor, logPosition } from '../cursor.ts'
import { nameUnbuilt } from '../reading/read-your-writes.ts'
import { instantsOf } from '../sorting.ts'
import { wordsOf } from '../word-index.ts'
import {
  endOfWindow,
  type FoundMessage,
  findChatsOf,
  findMessagesOfAll,
  type MessagesOfAllAsked,
  shownMessageOfAll,
} from './queries.ts'

const pageSize = 50
const maxInFile = 10_000

const statusNames: Readonly<Record<MessageStatus, string>> = {
  queued: 'na fila',
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'falhou',
}

const columns: CsvColumns<ListedMessage> = {
  Quando: ({ timestamp }) => timestamp,
  De: ({ sender }) => (sender === 'user' ? 'usuário' : 'contato'),
  Contato: ({ contactName }) => contactName,
  Telefone: ({ contactPhone }) => contactPhone,
  Mensagem: ({ content }) => content,
  Situação: ({ status }) => status && statusNames[status],
  Conta: ({ account }) => account?.name ?? null,
  'E-mail da conta': ({ account }) => account?.email ?? null,
}

type Asked = z.infer<typeof adminListEndpoints.messagesFound.body>
type Narrowed = Omit<MessagesOfAllAsked, 'before' | 'downTo' | 'limit'>

/** Windows bound how much one request reads, however rare what it looks for is. */
const windowSize = 20_000
const windowsAtOnce = 5
const maxChats = 200
const wordCount = 10

interface Found {
  rows: FoundMessage[]
  /** Where to look on; null at the end. */
  next: string | null
}

const findPage = async (
  pool: Pool,
  asked: Narrowed,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Found> => {
  const { words, status, sender, contacts, after, upTo } = asked
  const pageOf = (rows: FoundMessage[], next: string | undefined): Found =>
    rows.length > limit
      ? { rows: rows.slice(0, limit), next: rows[limit - 1]?.place ?? null }
      : { rows, next: next ?? null }
  if (contacts || (words.length === 0 && status === undefined && sender === undefined))
    return pageOf(await findMessagesOfAll(pool, { ...asked, before, limit: limit + 1 }), undefined)
  const rows: FoundMessage[] = []
  let from = before
  for (let windows = 0; windows < windowsAtOnce && rows.length <= limit; windows++) {
    const downTo = await endOfWindow(pool, { after, upTo, before: from }, windowSize)
    rows.push(...(await findMessagesOfAll(pool, { ...asked, before: from, downTo, limit: limit + 1 - rows.length })))
    if (downTo === undefined) return pageOf(rows, undefined)
    from = downTo
  }
  return pageOf(rows, from)
}

async function* everyFound(pool: Pool, asked: Narrowed | null): AsyncGenerator<ListedMessage> {
  if (!asked) return
  let before: string | undefined
  let count = 0
  do {
    const { rows, next } = await findPage(pool, asked, { before, limit: Math.min(1000, maxInFile - count) })
    for (const row of rows) yield shownMessageOfAll(row)
    count += rows.length
    before = next ?? undefined
  } while (before !== undefined && count < maxInFile)
}

/** For administrators; recorded before the reply. */
export const latestMessageRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels } = ports
    const times = logTimes(ports)
    const models = ['chat-messages', 'message-search', 'contact-directory', 'contact-list', 'users']
    const options = { roles, readings: tenantReadings(ports), preHandler: nameUnbuilt(readModels, models) }

    const positionBefore = (at: Instant | undefined) =>
      at === undefined ? undefined : times.positionAt(new Date(Date.parse(at) - 1).toISOString())

    /** Null where nothing can be found. */
    const narrowedBy = async ({
      search = '',
      contact = '',
      status,
      sender,
      ...days
    }: Omit<Asked, 'cursor'>): Promise<Narrowed | null> => {
      const words = wordsOf(search).slice(0, wordCount)
      const contacts = contact.trim() === '' ? undefined : await findChatsOf(pool, contact, maxChats + 1)
      if (contacts && contacts.length > maxChats) throw refuse('too_many_contacts_found')
      const isLost = contacts?.length === 0 || (search.trim() !== '' && words.length === 0)
      const { from, to } = instantsOf(days)
      const [after, upTo] = await Promise.all([positionBefore(from), positionBefore(to)])
      return isLost ? null : { words, contacts, status, sender, after, upTo }
    }

    const page = async ({ cursor, ...filters }: Asked) => {
      const asked = await narrowedBy(filters)
      if (!asked) return { items: [], nextCursor: null }
      const before = cursor === undefined ? undefined : decodeCursor(cursor, logPosition)[0]
      const { rows, next } = await findPage(pool, asked, { before, limit: pageSize })
      return { items: rows.map(shownMessageOfAll), nextCursor: next === null ? null : encodeCursor([next]) }
    }
    const file = async (filters: Omit<Asked, 'cursor'>, reply: FastifyReply) => {
      const asked = await narrowedBy(filters)
      return sendCsv(reply, 'mensagens', columns, everyFound(pool, asked))
    }

    route(app, adminListEndpoints.messages, options, ({ query }) => page(query))
    route(app, adminListEndpoints.messagesFound, options, ({ body }) => page(body))
    route(app, adminListEndpoints.messagesFile, options, ({ query }, reply) => file(query, reply))
    route(app, adminListEndpoints.messagesFoundFile, options, ({ body }, reply) => file(body, reply))
  }
