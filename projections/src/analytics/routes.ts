import { streamEndpoints, tablePositionHeader } from '@prosa/contracts/http/streams'
import { shownTables, type TableName, tableNames } from '@prosa/contracts/published/tables/all-tables'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { ApiKeys } from '@prosa/product/keys/api-keys'
import { pseudonyms } from '@prosa/product/publishing/pseudonyms'
import type { FastifyInstance } from 'fastify'
import { type KeySlots, keyChecks, send } from '../streams/answer.ts'
import { standingPosition, tablePositions } from './position.ts'
import { readTable, type TableQuestion, type TableRecord } from './read-table.ts'
import { analyticTables } from './tables.ts'

const isTable = (name: string): name is TableName => (tableNames as readonly string[]).includes(name)

async function* linesOf(pages: AsyncIterable<readonly TableRecord[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

export const tableRoutes = (
  app: FastifyInstance,
  ports: Ports,
  { keys, slots }: { keys: ApiKeys; slots: KeySlots },
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
    const standing = await standingPosition(pool, table.readModel, clock.now())
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
      ...{ table, before, standing },
      owner: key.reach === 'platform' ? null : key.userId,
      ...{ tenant: query.tenant, since: query.since, until: query.until },
      withPersonal: key.withPersonal,
      pseudonyms: pseudonymsOf,
      mayGoOn: keyChecks(keys, key),
    }
    const onEnd = (error: unknown) => {
      slots.release(key.id)
      if (error && !reply.raw.destroyed) log.error({ err: error, correlationId }, 'reading of a table given up')
    }
    reply.header(tablePositionHeader, positions.encode(name, reader, standing))
    const lines = linesOf(readTable(pool, question))
    return send(reply, lines, request.headers['accept-encoding'] ?? '', onEnd)
  })
}
