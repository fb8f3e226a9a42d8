import type { ReadingKind } from '@prosa/contracts/values/reading'
import type { FastifyRequest } from 'fastify'

/** `record`: null for a list. `tenantId`: null for all tenants, or none. */
export interface Reading {
  what: ReadingKind
  record: string | null
  tenantId: string | null
}

export interface ReadingRecorder {
  /** Resolves once the reading is in the log. Throws `PurposeNeeded` without a purpose of the last hour. On any error, show nothing. */
  record(request: FastifyRequest, reading: Reading): Promise<void>
}

const recorded = new WeakSet<FastifyRequest>()

export const noteRecorded = (request: FastifyRequest): void => void recorded.add(request)

/** Required where a route shows personal data. */
export const wasRecorded = (request: FastifyRequest): boolean => recorded.has(request)
