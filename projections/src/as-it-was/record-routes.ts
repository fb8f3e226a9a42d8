import { momentEndpoints } from '@prosa/contracts/http/past/moments'
import { type PastRecord, pastKindsOfAccount } from '@prosa/contracts/http/past/past-records'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import type { PositionTokens } from '@prosa/kernel/http/reading/position-tokens'
import { noteRecorded } from '@prosa/kernel/http/reading/recorded-readings'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import type { Pool } from 'pg'
import { findMessagesThen } from '../chat-messages/messages-then.ts'
import { requireContactThen } from '../contact-list/versions/contacts-then.ts'
import { momentsShown } from '../contact-list/versions/moments-shown.ts'
import { contactVersions } from '../contact-list/versions/projection.ts'
import { decodeCursor, encodeCursor, logPosition } from '../cursor.ts'
import { partOf, recordKey, recordOf } from '../history/records.ts'
import { tenantOfRecord } from '../history/tenant-of-record.ts'
import { momentAsked } from '../moments/moment.ts'
import type { Log } from '../moments/read-up-to.ts'
import { nameUnbuilt, readYourWrites } from '../reading/read-your-writes.ts'
import { pastKinds } from './past-kinds.ts'
import type { MarkFound } from './queries.ts'

/** Of a moment. */
export const marksEachSide = 50
const messagesShown = 50

/** What a request may decode; a longer conversation is read in live chat as it was. */
const maxEvents = 20_000

/** All events of a record in log order, decrypted with today's keys; none: there never was one. */
const readRecord = async (
  { pool, store, codec }: Log & { pool: Pool },
  { kind, id }: PastRecord,
): Promise<readonly Stored[]> => {
  const past = pastKinds[kind]
  const streams = await past.streams(pool, id)
  const part = past.part?.(id)
  const found: Stored[] = []
  let count = 0
  for (const stream of streams)
    for await (const page of store.read(stream)) {
      count += page.length
      if (count > maxEvents) throw refuse('record_too_long')
      const events = await codec.decode(page)
      found.push(...(part === undefined ? events : events.filter((event) => partOf(event) === part)))
    }
  return found.toSorted((one, other) => (one.position < other.position ? -1 : 1))
}

export const marksOf = (positions: PositionTokens, reader: string, moment: Position, found: readonly MarkFound[]) => {
  const current = found.findLastIndex(({ position }) => position <= moment)
  return {
    marks: found.map(({ position, at }) => ({ em: positions.tokenOf(reader, position), at })),
    current: current === -1 ? null : current,
  }
}

const recordAt = (
  positions: PositionTokens,
  reader: string,
  moment: Position,
  { kind, id }: PastRecord,
  events: readonly Stored[],
) => {
  const marks = events.map(({ position, metadata }) => ({ position, at: metadata.recordedAt }))
  const last = marks.at(-1)?.position ?? moment
  const after = marks.findLastIndex(({ position }) => position <= moment) + 1
  const values = Object.entries(pastKinds[kind].values(events.slice(0, after), id))
  return {
    values: values.flatMap(([label, value]) => (value ? [{ label, value }] : [])),
    ...marksOf(positions, reader, moment, marks.slice(Math.max(0, after - marksEachSide), after + marksEachSide)),
    latest: positions.tokenOf(reader, last),
  }
}

const isOfAccount = ({ kind }: PastRecord) => pastKindsOfAccount.some((each) => each === kind)

const isOnlyOf = (tenant: string, events: readonly Stored[]) =>
  events.every(({ metadata }) => metadata.tenant === tenant)

/** What a tenant wrote and received up to a moment. */
const messagesOfTenant =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels, roles } = ports
    const momentOf = momentsShown(ports, app.positions)
    const readings = tenantReadings(ports)
    const read = readYourWrites(readModels, ['history-places', 'history-links'])
    const hooks = { roles, readings, preHandler: [read, nameUnbuilt(readModels, [contactVersions.name])] }
    route(app, momentEndpoints.messagesOfTenant, hooks, async (request) => {
      const { user, params, query } = request
      const moment = await momentOf(user.id, query.em)
      const tenant = await tenantOfRecord(pool, 'contact', params.id)
      if (tenant === null) throw refuse('contact_not_found')
      await readings.record(request, { tenantId: tenant, what: 'messages', record: recordKey('contact', params.id) })
      const { id, merged } = await requireContactThen(ports, tenant, moment, params.id)
      const [position] = query.cursor === undefined ? [] : decodeCursor(query.cursor, logPosition)
      const found = await findMessagesThen(ports, {
        ...{ tenant, moment, contactId: id, mergedIds: merged.map((each) => each.id), limit: messagesShown },
        page: position === undefined ? { kind: 'latest' } : { kind: 'before', position },
      })
      const older = found?.olderBefore
      return { items: found?.messages.toReversed() ?? [], nextCursor: older ? encodeCursor([older]) : null }
    })
  }

/** Records of one's own, and for administrators those of all, as a reading. */
export const recordRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels, roles } = ports
    const { positions } = app
    await app.register(messagesOfTenant(ports))

    route(app, momentEndpoints.record, async ({ user, params, query: { em } }) => {
      const moment = await momentAsked(ports, positions, user.id, em)
      const events = await readRecord(ports, params)
      const isOwn = isOfAccount(params) ? params.id === user.id : isOnlyOf(user.id, events)
      if (events.length === 0 || !isOwn) throw refuse('record_not_found')
      return recordAt(positions, user.id, moment, params, events)
    })

    const readings = tenantReadings(ports)
    const named = { roles, readings, preHandler: readYourWrites(readModels, ['history-places', 'history-links']) }
    route(app, momentEndpoints.recordOfTenant, named, async (request) => {
      const { user, params, query } = request
      const moment = await momentAsked(ports, positions, user.id, query.em)
      const events = await readRecord(ports, params)
      const [first] = events
      if (!first) throw refuse('record_not_found')
      // A plan shows nobody.
      if (params.kind === 'plan') noteRecorded(request)
      else {
        const { kind, id } = recordOf(first.stream)
        const tenantId = (await tenantOfRecord(pool, kind, id)) ?? first.metadata.tenant
        await readings.record(request, { tenantId, what: 'history', record: recordKey(kind, id) })
      }
      return recordAt(positions, user.id, moment, params, events)
    })
  }
