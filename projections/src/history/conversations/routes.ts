import { tenantHistoryEndpoints } from '@prosa/contracts/http/accounts/tenant-history'
import { contactId } from '@prosa/contracts/values/ids'
import type { Position } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { findContact } from '../../contact-list/queries.ts'
import { decodeCursor, encodeCursor, logCursors, logPosition } from '../../cursor.ts'
import { readYourWrites } from '../../reading/read-your-writes.ts'
import { recordKey } from '../records.ts'
import { isOwnContact } from '../tenant/queries.ts'
import { tenantOfRecord } from '../tenant-of-record.ts'
import { readLife } from './life.ts'

export const conversationHistoryRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels, roles } = ports
    const readings = tenantReadings(ports)
    const cursors = logCursors(ports.box)
    const preHandler = readYourWrites(readModels, [
      'contact-list',
      'history-places',
      'chat-messages',
      'account',
      'connections',
    ])

    /** With those merged into it; an erased one, which is on no list, alone. */
    const contactIdsOf = async (tenantId: string, id: string): Promise<string[]> => {
      if (!contactId.safeParse(id).success) throw refuse('contact_not_found')
      const found = await findContact(pool, tenantId, id)
      if (found) return [found.id, ...found.merged.map((each) => each.id)]
      if (!(await isOwnContact(pool, tenantId, id))) throw refuse('contact_not_found')
      return [id]
    }

    route(app, tenantHistoryEndpoints.conversation, { preHandler }, async ({ user, params, query }) => {
      const { threads, next } = await readLife(ports, {
        contactIds: await contactIdsOf(user.id, params.id),
        before: cursors.decode(user.id, query.cursor) as Position | undefined,
        withTexts: query.texts !== undefined,
        tenantId: user.id,
        emOf: (position) => app.positions.tokenOf(user.id, position),
      })
      return { items: threads, nextCursor: next === undefined ? null : cursors.encode(user.id, next) }
    })

    const hooks = { roles, readings, preHandler }
    route(app, tenantHistoryEndpoints.conversationOfTenant, hooks, async (request) => {
      const { params, query } = request
      const withTexts = query.texts !== undefined
      const tenantId = await tenantOfRecord(pool, 'contact', params.id)
      if (tenantId === null) throw refuse('contact_not_found')
      await readings.record(request, {
        tenantId,
        what: withTexts ? 'messages' : 'history',
        record: recordKey('contact', params.id),
      })
      const [before] = query.cursor === undefined ? [] : decodeCursor(query.cursor, logPosition)
      const { threads, next } = await readLife(ports, {
        contactIds: await contactIdsOf(tenantId, params.id),
        before: before as Position | undefined,
        withTexts,
        tenantId: undefined,
        emOf: (position) => app.positions.tokenOf(request.user.id, position),
      })
      return { items: threads, nextCursor: next === undefined ? null : encodeCursor([next]) }
    })
  }
