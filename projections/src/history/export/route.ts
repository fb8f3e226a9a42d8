import { type HistoryExport, historyEndpoints } from '@prosa/contracts/http/history'
import { refuse } from '@prosa/kernel/http/problem'
import type { ReadingRecorder } from '@prosa/kernel/http/reading/recorded-readings'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify'
import { send } from '../../answer.ts'
import { askedOf } from '../asked.ts'
import { maxRecords, type Scope } from '../queries.ts'
import { recordHistoryReading } from '../record-reading.ts'
import { maxReasons } from '../search/queries.ts'
import { ExportEnded, exportLines } from './export-lines.ts'

const fileTypes = {
  csv: { contentType: 'text/csv; charset=utf-8', isText: true },
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', isText: true },
}

/** A file must be whole: look-ups of one search are bounded. */
const refusePartial = (scope: Scope | undefined): void => {
  if (scope === undefined) return
  if (scope.events.length >= maxReasons)
    throw refuse('invalid_request', [
      {
        field: 'text',
        message: 'A busca acha acontecimentos demais para um só arquivo. Escreva mais palavras, ou exporte por dias.',
      },
    ])
  if (scope.records.length >= maxRecords)
    throw refuse('invalid_request', [
      { field: 'record', message: 'Há registros demais para um só arquivo. Exporte tudo de alguns dias.' },
    ])
}

const roleCheckMs = 5000

/** For an answer under way: asks again every five seconds. */
const endedFor = (roles: Ports['roles'], userId: string) => {
  let checkedAt = performance.now()
  return async () => {
    if (performance.now() - checkedAt < roleCheckMs) return false
    checkedAt = performance.now()
    return !(await roles.of(userId)).includes('admin')
  }
}

/** For the proof, which may be read by anybody: a text is personal. */
const filtersOf = ({ text, format: _, ...named }: HistoryExport): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
  ...(text !== undefined && { text: '…' }),
})

export const exportRoute = (
  app: FastifyInstance,
  ports: Ports,
  options: { roles: Ports['roles']; readings: ReadingRecorder; preHandler: preHandlerAsyncHookHandler },
): void => {
  const { pool, readModels, roles, clock, log } = ports
  const recordReading = recordHistoryReading(pool, options.readings)
  route(app, historyEndpoints.export, options, async (request, reply) => {
    const { format, ...filters } = request.body
    await recordReading(request, filters.text === undefined ? filters : {}, 'history_file')
    const { threads: asked } = await askedOf(pool, filters)
    refusePartial(asked.scope)
    const upTo = readModels.position('history-places')
    if (upTo === undefined) throw refuse('export_not_ready')
    const lines = exportLines(ports, {
      ...{ asked, format, upTo, madeAt: clock.now(), filters: filtersOf(request.body) },
      isEnded: endedFor(roles, request.user.id),
    })
    const onEnd = (error: unknown) => {
      if (error && !(error instanceof ExportEnded))
        log.warn({ err: error, correlationId: request.id }, 'export of the history given up')
    }
    reply
      .header('content-disposition', `attachment; filename="historico.${format}"`)
      .header('cache-control', 'no-store')
    return send(reply, fileTypes[format], lines, request.headers['accept-encoding'] ?? '', onEnd)
  })
}
