import { refusedRequestEndpoints } from '@prosa/contracts/http/administration/refused-requests'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { refusals } from '@prosa/contracts/refusals'
import { erasedText } from '@prosa/contracts/values/personal'
import { visibleName } from '@prosa/contracts/values/text/visible-name'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync } from 'fastify'
import { readYourWrites } from '../reading/read-your-writes.ts'
import { findRefused } from './queries.ts'
import { recordKey } from './records.ts'
import { isRecordKnown } from './tenant-of-record.ts'

const commands = new Map(
  (endpoints as readonly Endpoint[]).map(({ method, path, summary }) => [`${method} ${path}`, summary]),
)

const reasonOf = (refusal: string): string =>
  Object.hasOwn(refusals, refusal) ? refusals[refusal as keyof typeof refusals].title : refusal

export const refusedRequestRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels, roles } = ports
    const readings = tenantReadings(ports)
    const preHandler = readYourWrites(readModels, ['account'])
    route(app, refusedRequestEndpoints.refused, { roles, readings, preHandler }, async (request) => {
      const { user, ...filters } = request.query
      const isKnown = user !== undefined && (await isRecordKnown(pool, 'user', user))
      await readings.record(request, {
        tenantId: isKnown ? user : null,
        what: 'history',
        record: isKnown ? recordKey('user', user) : null,
      })
      const rows = await findRefused(pool, user, filters)
      return rows.map(({ accountId, accountName, refusal, ...row }) => ({
        ...row,
        account: accountId === null ? null : { id: accountId, name: visibleName(accountName ?? erasedText) },
        command: commands.get(row.route) ?? null,
        reason: reasonOf(refusal),
      }))
    })
  }
