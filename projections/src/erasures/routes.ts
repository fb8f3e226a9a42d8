import { contactSubject, userSubject } from '@prosa/contracts/events/subjects'
import { type Erasure, erasureEndpoints } from '@prosa/contracts/http/administration/erasures'
import { erasedText } from '@prosa/contracts/values/personal'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { decodeCursor, logPosition } from '../cursor.ts'
import { parseRecordKey } from '../history/records.ts'
import { showEntries } from '../history/threads.ts'
import type { TimelineRow } from '../history/timeline/table.ts'
import { pageFrom } from '../page.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'
import {
  countCharges,
  countEvents,
  countFollowed,
  countKeys,
  countRows,
  findContactsOf,
  findErasure,
  findErasures,
} from './queries.ts'

const pageSize = 25

const kinds: Readonly<Record<string, Erasure['kind']>> = { UserErased: 'account', ContactErased: 'contact' }
const kindOf = ({ type }: TimelineRow): Erasure['kind'] => kinds[type] ?? 'buyer'

export const erasureRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, roles, readModels } = ports
    const preHandler = readYourWrites(readModels, ['history-places', 'account'])

    route(app, erasureEndpoints.list, { roles, readings: tenantReadings(ports), preHandler }, async ({ query }) => {
      const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, logPosition)[0]
      const found = await findErasures(pool, { before, limit: pageSize + 1 })
      const followed = await countFollowed(pool, found)
      const entries = new Map((await showEntries(ports, found)).map(({ row, entry }) => [row.id, entry]))
      return pageFrom(
        found,
        pageSize,
        ({ place }) => [place],
        (row): Erasure => {
          const entry = entries.get(row.id)
          const by = entry?.actor.name ?? null
          return {
            id: row.id,
            at: row.recordedAt,
            kind: kindOf(row),
            subjectId: parseRecordKey(row.record).id,
            by: by === erasedText ? null : by,
            reason: entry?.reason ?? null,
            followed: followed.get(row.id) ?? [],
          }
        },
      )
    })

    route(app, erasureEndpoints.rest, { roles, preHandler }, async ({ params }) => {
      const row = await findErasure(pool, params.id)
      if (!row) throw refuse('erasure_not_found')
      const { id } = parseRecordKey(row.record)
      const kind = kindOf(row)
      const contacts = kind === 'account' ? await findContactsOf(pool, id) : []
      const subjects = [
        ...(kind === 'account' ? [userSubject(id)] : []),
        ...(kind === 'contact' ? [contactSubject(id)] : []),
        ...contacts.map(contactSubject),
      ]
      const fields = kind === 'contact' ? ['contact_id', 'id'] : ['owner', 'user_id', 'account', 'id']
      return {
        keys: { checked: subjects.length, left: await countKeys(pool, subjects) },
        tables: kind === 'buyer' ? { checked: 0, left: [], counts: [] } : await countRows(pool, id, fields),
        events: await countEvents(pool, row.record, kind === 'account' ? id : null),
        charges: kind === 'account' ? await countCharges(pool, id) : 0,
      }
    })
  }
