import { type HistoryQuery, historyActors, historyEndpoints } from '@prosa/contracts/http/history'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { decodeCursor, encodeCursor, logPlace } from '../cursor.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { parseRecordKey, recordKey } from './placed.ts'
import { findThreads, scopeOfRecord, scopeOfSearch, type ThreadsAsked } from './queries.ts'
import { readValuesAt } from './read-events.ts'
import { isRecordKnown, tenantOfRecord } from './tenant-of-record.ts'
import { showThreads } from './threads.ts'

const pageSize = 25
const dayMs = 24 * 3600 * 1000

/** UTC−3 since 2019. */
const beginningOf = (day: string): Date => new Date(`${day}T00:00:00-03:00`)

const actorOf = (actor: HistoryQuery['actor']): ThreadsAsked['actor'] => {
  if (actor === undefined) return undefined
  const kind = historyActors.find((known) => known === actor)
  return kind ? { kind } : { account: actor }
}

export const historyRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels, roles } = ports
    // Contact names and notes are personal data.
    const readings = tenantReadings(ports)
    const hooks = {
      roles,
      readings,
      preHandler: readYourWrites(readModels, ['history-places', 'history-links', 'account', 'connections']),
    }

    const recordReading = async (request: FastifyRequest, record: string | undefined) => {
      const asked = record === undefined ? undefined : parseRecordKey(record)
      const isKnown = asked !== undefined && (await isRecordKnown(pool, asked.kind, asked.id))
      await readings.record(request, {
        tenantId: asked && isKnown ? await tenantOfRecord(pool, asked.kind, asked.id) : null,
        what: 'history',
        record: isKnown && record !== undefined ? record : null,
      })
    }

    const scopeOf = ({ record, search }: HistoryQuery) => {
      if (record !== undefined) {
        const { kind, id } = parseRecordKey(record)
        return scopeOfRecord(pool, kind, id)
      }
      return search ? scopeOfSearch(pool, search) : undefined
    }

    route(app, historyEndpoints.threads, hooks, async (request) => {
      const { query } = request
      const { group, actor, from, to, cursor } = query
      await recordReading(request, query.record)
      const found = await findThreads(pool, {
        scope: await scopeOf(query),
        group,
        actor: actorOf(actor),
        from: from && beginningOf(from).toISOString(),
        to: to && new Date(beginningOf(to).getTime() + dayMs).toISOString(),
        before: cursor === undefined ? undefined : decodeCursor(cursor, logPlace)[0],
        limit: pageSize + 1,
      })
      const page = found.slice(0, pageSize)
      const last = page.at(-1)
      return {
        items: await showThreads(ports, page),
        nextCursor: last && found.length > pageSize ? encodeCursor([last]) : null,
      }
    })

    route(app, historyEndpoints.state, hooks, async (request) => {
      const { user, at } = request.query
      await recordReading(request, recordKey('user', user))
      const values = await readValuesAt(ports, user, at)
      return { at, values: [...values].map(([label, value]) => ({ label, value })) }
    })
  }
