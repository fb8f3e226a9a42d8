import { type HistoryRecordKind, historyEndpoints, type WhyKind } from '@prosa/contracts/http/history'
import { refuse } from '@prosa/kernel/http/problem'
import { noteRecorded } from '@prosa/kernel/http/reading/recorded-readings'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { readYourWrites } from '../../reading/read-your-writes.ts'
import { findChatOfMessage } from '../queries.ts'
import { recordKey } from '../records.ts'
import { isRecordKnown, tenantOfRecord } from '../tenant-of-record.ts'
import { type Asked, explain } from './explain.ts'
import { kindsOfAccount } from './setting-sources.ts'

/** What a subscriber has; purchases and plans are the platform's. */
const ofSubscribers: readonly WhyKind[] = ['user', 'connection', 'contact', 'flow', 'folder', ...kindsOfAccount]

const isOfAccount = (kind: WhyKind): kind is (typeof kindsOfAccount)[number] =>
  kindsOfAccount.some((each) => each === kind)

/** Whose history the value is in. */
const recordKindOf = (kind: WhyKind): HistoryRecordKind => (isOfAccount(kind) ? 'user' : kind)

export const whyRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels, roles } = ports
    const readings = tenantReadings(ports)
    const preHandler = readYourWrites(readModels, ['history-places', 'contact-list', 'connections', 'account'])

    /** Messages of merged contacts are in the chats of those. */
    const withChat = async (asked: Asked): Promise<Asked> => {
      if (asked.field !== 'tick' || asked.part === undefined) return asked
      return { ...asked, id: (await findChatOfMessage(pool, asked.id, asked.part)) ?? asked.id }
    }

    route(app, historyEndpoints.why, { roles, readings, preHandler }, async (request) => {
      const { params, query } = request
      // A plan shows nobody.
      if (params.kind === 'plan') noteRecorded(request)
      else {
        const kind = recordKindOf(params.kind)
        const isKnown = await isRecordKnown(pool, kind, params.id)
        await readings.record(request, {
          tenantId: isKnown ? await tenantOfRecord(pool, kind, params.id) : null,
          what: 'history',
          record: isKnown ? recordKey(kind, params.id) : null,
        })
      }
      const answer = await explain(ports, await withChat({ ...params, ...query }))
      if (!answer) throw refuse('value_not_set')
      return answer
    })

    route(app, historyEndpoints.ownWhy, { preHandler }, async ({ params, query, user }) => {
      const isOfOne = params.kind === 'user' || isOfAccount(params.kind)
      const isOwn = ofSubscribers.includes(params.kind) && (!isOfOne || params.id === user.id)
      const answer = isOwn ? await explain(ports, await withChat({ ...params, ...query }), user.id) : undefined
      if (!answer) throw refuse('value_not_set')
      return answer
    })
  }
