import { dashboardEndpoints } from '@prosa/contracts/http/dashboard'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { contactId } from '@prosa/contracts/values/ids'
import { type Instant, instant } from '@prosa/contracts/values/instant'
import type { LastDays } from '@prosa/contracts/values/time/last-days'
import { localDay, localTimeAt } from '@prosa/contracts/values/time/local-time'
import { daysAfter } from '@prosa/contracts/values/time/period'
import { later } from '@prosa/kernel/clock'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { countContacts, findContacts, sortKeyOf } from '../contact-list/queries.ts'
import { decodeCursor, encodeCursor, logCursors } from '../cursor.ts'
import { findTimeZone } from '../opening-hours/queries.ts'
import { holdsUntil, reading } from '../reading/reading.ts'
import { readPeriod } from './queries.ts'
import { findRecentMessages, shownRecentMessage } from './recent-messages.ts'

const usualDays: LastDays = '7'
const contactsPageSize = 50
const messagesPageSize = 100
const windowMs = 24 * 3_600_000
/** Replies expire soon, as time moves the default period. */
const restMs = 60_000

const begunHours = (day: string, today: string, timeZone: string, now: Instant): number => {
  if (day !== today) return day < today ? 24 : 0
  return localTimeAt(timeZone, Date.parse(now)).hour + 1
}

const sortKeyAndId = z.tuple([instant, contactId])

const percent = (part: number, of: number) => (of === 0 ? 0 : Math.round((100 * part) / of))

export const dashboardRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, clock } = ports
    const places = logCursors(ports.box)

    route(
      app,
      dashboardEndpoints.read,
      reading(ports, ['hourly-activity', 'conversation-waits', 'contact-list', 'opening-hours']),
      async ({ user, query }, reply) => {
        const timeZone = await findTimeZone(pool, user.id)
        const now = clock.now()
        const today = localDay(timeZone, now)
        const { days = usualDays, from = daysAfter(today, 1 - Number(days)), to = today } = query
        const [period, counts] = await Promise.all([
          readPeriod(pool, { tenant: user.id, timeZone, from, to }),
          countContacts(pool, user.id),
        ])
        const contacts = counts.waiting + counts.bot + counts.attending + counts.resolved
        if (to >= today) holdsUntil(reply, later(now, restMs))
        const resolutionPercent = percent(counts.resolved, contacts)
        const hours = period.hours?.slice(0, begunHours(to, today, timeZone, now)) ?? null
        return { timeZone, from, to, ...period, hours, now: { ...counts, contacts, resolutionPercent } }
      },
    )

    route(
      app,
      dashboardEndpoints.contacts,
      reading(ports, ['contact-list']),
      async ({ user, query: { cursor } }, reply) => {
        const [sortKey, id] = cursor === undefined ? [] : decodeCursor(cursor, sortKeyAndId)
        const after = sortKey === undefined || id === undefined ? undefined : { sortKey, id }
        const found = await findContacts(pool, {
          tenant: user.id,
          limit: contactsPageSize + 1,
          ...(after && { after }),
        })
        const page = found.slice(0, contactsPageSize)
        const last = page.at(-1)
        if (last && found.length > contactsPageSize)
          reply.header(cursorHeader, encodeCursor([sortKeyOf(last, undefined), last.id]))
        return page
      },
    )

    route(
      app,
      dashboardEndpoints.messages,
      reading(ports, ['contact-list', 'chat-messages']),
      async ({ user, query: { cursor } }, reply) => {
        const now = clock.now()
        const found = await findRecentMessages(pool, {
          tenant: user.id,
          since: later(now, -windowMs),
          before: places.decode(user.id, cursor),
          limit: messagesPageSize + 1,
        })
        const page = found.slice(0, messagesPageSize)
        const last = page.at(-1)
        if (last && found.length > messagesPageSize) reply.header(cursorHeader, places.encode(user.id, last.place))
        holdsUntil(reply, later(now, restMs))
        return page.map(shownRecentMessage)
      },
    )
  }
