import { type TenantHistoryQuery, tenantHistoryEndpoints } from '@prosa/contracts/http/accounts/tenant-history'
import { notBuiltYetHeader } from '@prosa/contracts/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { logCursors } from '../../cursor.ts'
import { readYourWrites } from '../../reading/read-your-writes.ts'
import { instantsOf } from '../../sorting.ts'
import { showThreads } from '../threads.ts'
import { findTenantThreads, hasUnplacedRows, type TenantThreadsAsked, viewOf } from './queries.ts'

const pageSize = 25

const recordOf = (record: TenantHistoryQuery['record']): TenantThreadsAsked['record'] => {
  if (record === undefined) return undefined
  const colon = record.indexOf(':')
  const kind = record.slice(0, colon) as NonNullable<TenantThreadsAsked['record']>['kind']
  return { kind, id: record.slice(colon + 1) }
}

export const tenantHistoryRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels } = ports
    const cursors = logCursors(ports.box)
    const preHandler = readYourWrites(readModels, ['history-places', 'history-links', 'account', 'connections'])

    route(app, tenantHistoryEndpoints.threads, { preHandler }, async ({ user, query }, reply) => {
      const { kind, actor, from, to, cursor } = query
      if (await hasUnplacedRows(pool, user.id)) reply.header(notBuiltYetHeader, 'history-places')
      const view = await viewOf(pool, user.id)
      const found = await findTenantThreads(pool, {
        view,
        kind,
        record: recordOf(query.record),
        ...(actor && { actor: { kind: actor } }),
        ...instantsOf({ from, to }),
        before: cursors.decode(user.id, cursor),
        limit: pageSize + 1,
      })
      const page = found.slice(0, pageSize)
      const last = page.at(-1)
      return {
        items: await showThreads(ports, page, view, (position) => app.positions.tokenOf(user.id, position)),
        nextCursor: last && found.length > pageSize ? cursors.encode(user.id, last) : null,
      }
    })
  }
