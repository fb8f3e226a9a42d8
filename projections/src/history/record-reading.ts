import type { ReadingRecorder } from '@prosa/kernel/http/reading/recorded-readings'
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { HistoryFilters } from './asked.ts'
import { parseRecordKey, recordKey } from './records.ts'
import { isRecordKnown, tenantOfRecord } from './tenant-of-record.ts'

type Read = Pick<HistoryFilters, 'record' | 'tenant'>

/** Of whom the record or tenant is; of all without one, or one that names nothing. */
export const recordHistoryReading =
  (pool: Pool, readings: ReadingRecorder) =>
  async (request: FastifyRequest, { record, tenant }: Read, what: 'history' | 'history_file' = 'history') => {
    const read = record ?? (tenant && recordKey('user', tenant))
    const asked = read === undefined ? undefined : parseRecordKey(read)
    const isKnown = asked !== undefined && (await isRecordKnown(pool, asked.kind, asked.id))
    await readings.record(request, {
      tenantId: asked && isKnown ? await tenantOfRecord(pool, asked.kind, asked.id) : null,
      what,
      record: isKnown && read !== undefined ? read : null,
    })
  }
