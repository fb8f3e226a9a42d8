import { momentEndpoints } from '@prosa/contracts/http/past/moments'
import type { Position } from '@prosa/kernel/event-store/port'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { countContactsThen } from '../contact-list/versions/contacts-then.ts'
import { momentsShown } from '../contact-list/versions/moments-shown.ts'
import { contactVersions } from '../contact-list/versions/projection.ts'
import { nameUnbuilt } from '../reading/read-your-writes.ts'
import { findChanges, findMarks } from './queries.ts'
import { marksEachSide, marksOf, recordRoutes } from './record-routes.ts'

const changesShown = 100
/** Sorts after every position. */
const endOfLog = '\x7f' as Position

export const momentRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels } = ports
    const { positions } = app
    const hooks = { preHandler: nameUnbuilt(readModels, [contactVersions.name]) }
    const momentOf = momentsShown(ports, positions)
    await app.register(recordRoutes(ports))
    route(app, momentEndpoints.marks, hooks, async ({ user, query: { em, contactId } }) => {
      const moment = await momentOf(user.id, em)
      const found = await findMarks(pool, { tenant: user.id, contactId, moment, eachSide: marksEachSide })
      return marksOf(positions, user.id, moment, found)
    })

    route(app, momentEndpoints.changes, hooks, async ({ user, query: { em } }) => {
      const moment = await momentOf(user.id, em)
      const [before, after, changes, marks] = await Promise.all([
        countContactsThen(ports, { tenant: user.id, moment }),
        countContactsThen(ports, { tenant: user.id, moment: endOfLog }),
        findChanges(pool, user.id, moment, changesShown),
        findMarks(pool, { tenant: user.id, moment: endOfLog, eachSide: 1 }),
      ])
      const last = marks.at(-1)
      return { before, after, ...changes, latest: last ? positions.tokenOf(user.id, last.position) : null }
    })
  }
