import { streamEndpoints, tablePositionHeader } from '@prosa/contracts/http/streams'
import { publishedTables, shownTables, type TableName, tableNames } from '@prosa/contracts/published/tables/all-tables'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { ApiKeys } from '@prosa/product/keys/api-keys'
import { pseudonyms } from '@prosa/product/publishing/pseudonyms'
import type { FastifyInstance } from 'fastify'
import { keyChecks, send } from '../answer.ts'
import { formats } from './formats.ts'
import { currentPosition, tablePositions } from './position.ts'
import { readTable, type TableQuestion } from './read-table.ts'
import { analyticTables } from './tables.ts'

/** Each key's answers that are under way. */
interface Slots {
  take(key: string): void
  release(key: string): void
}

const isTable = (name: string): name is TableName => (tableNames as readonly string[]).includes(name)

export const tableRoutes = (
  app: FastifyInstance,
  ports: Ports,
  { keys, slots }: { keys: ApiKeys; slots: Slots },
): void => {
  const { pool, clock, log } = ports
  const positions = tablePositions(ports.box)
  const pseudonymsOf = pseudonyms(ports)

  route(app, streamEndpoints.tables, () => shownTables())

  route(app, streamEndpoints.table, { keys, exposeHeadRoute: false }, async (request, reply) => {
    const { apiKey: key, params, query, id: correlationId } = request
    const { name } = params
    if (!isTable(name)) throw refuse('table_not_found')
    const table = analyticTables[name]
    const reader = key.reach === 'platform' ? 'platform' : key.userId
    const before = query.after === undefined ? undefined : positions.decode(name, reader, query.after)
    const current = await currentPosition(pool, table.readModel, clock.now())
    slots.take(key.id)
    try {
      await keys.recordExport(request, {
        ...{ services: [], types: [], table: name, isLive: false },
        tenant: query.tenant ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
      })
    } catch (error) {
      slots.release(key.id)
      throw error
    }
    const question: TableQuestion = {
      ...{ table, before, current },
      tenantId: key.reach === 'platform' ? null : key.userId,
      ...{ tenant: query.tenant, since: query.since, until: query.until },
      withPersonal: key.withPersonal,
      pseudonyms: pseudonymsOf,
      mayGoOn: keyChecks(keys, key),
    }
    const onEnd = (error: unknown) => {
      slots.release(key.id)
      if (error && !reply.raw.destroyed) log.error({ err: error, correlationId }, 'reading of a table given up')
    }
    const format = formats[query.format]
    const columns = publishedTables[name].columns.filter(({ personal }) => key.withPersonal || !personal)
    reply.header(tablePositionHeader, positions.encode(name, reader, current))
    reply.header('content-disposition', `attachment; filename="${name}.${query.format}"`)
    const pieces = format.pieces(columns, readTable(pool, question))
    return send(reply, format, pieces, request.headers['accept-encoding'] ?? '', onEnd)
  })
}
