import { momentEndpoints, type PastRecordKind } from '@prosa/contracts/http/past/moments'
import type { Position } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { countContactsThen } from '../contact-list/versions/contacts-then.ts'
import { momentsShown } from '../contact-list/versions/moments-shown.ts'
import { contactVersions } from '../contact-list/versions/projection.ts'
import { momentAsked } from '../moments/moment.ts'
import { readUpTo } from '../moments/read-up-to.ts'
import { nameUnbuilt } from '../reading/read-your-writes.ts'
import { findChanges, findMarks, type MarkFound } from './queries.ts'
import { recordsShown } from './record-values.ts'

const marksEachSide = 50
const changesShown = 100
/** Sorts after every position. */
const endOfLog = '\x7f' as Position

const ofAccount: readonly PastRecordKind[] = ['quickReplies', 'company', 'openingHours', 'access']

export const momentRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels } = ports
    const { positions } = app
    const hooks = { preHandler: nameUnbuilt(readModels, [contactVersions.name]) }
    const momentOf = momentsShown(ports, positions)
    const marksOf = (reader: string, moment: Position, found: readonly MarkFound[]) => {
      const current = found.findLastIndex(({ position }) => position <= moment)
      return {
        marks: found.map(({ position, at }) => ({ em: positions.tokenOf(reader, position), at })),
        current: current === -1 ? null : current,
      }
    }

    route(app, momentEndpoints.marks, hooks, async ({ user, query: { em, contactId } }) => {
      const moment = await momentOf(user.id, em)
      const found = await findMarks(pool, { tenant: user.id, contactId, moment, eachSide: marksEachSide })
      return marksOf(user.id, moment, found)
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

    route(app, momentEndpoints.record, async ({ user, params: { kind, id }, query: { em } }) => {
      const moment = await momentAsked(ports, positions, user.id, em)
      if (ofAccount.includes(kind) && id !== user.id) throw refuse('record_not_found')
      const { streams, values } = recordsShown[kind]
      const all = (await Promise.all(streams(id).map((stream) => readUpTo(ports, stream, endOfLog))))
        .flat()
        .toSorted((one, other) => (one.position < other.position ? -1 : 1))
      if (all.length === 0 || (!ofAccount.includes(kind) && all.some(({ metadata }) => metadata.tenant !== user.id)))
        throw refuse('record_not_found')
      const marks = all.map(({ position, metadata }) => ({ position, at: metadata.recordedAt }))
      const current = marks.findLastIndex(({ position }) => position <= moment)
      const shown = values(all.slice(0, current + 1))
      return {
        values: Object.entries(shown).flatMap(([label, value]) => (value ? [{ label, value }] : [])),
        ...marksOf(user.id, moment, marks.slice(Math.max(0, current + 1 - marksEachSide), current + 1 + marksEachSide)),
      }
    })
  }
