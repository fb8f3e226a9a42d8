import type { ReadingKind } from '@prosa/contracts/values/reading'
import type { FastifyRequest } from 'fastify'

/** What is read: `record` as the history names it, null for a list. `tenantId` is whose it is; null: of all tenants, or of nobody. */
export interface Reading {
  what: ReadingKind
  record: string | null
  tenantId: string | null
}

export interface ReadingRecorder {
  /**
   * That this administrator reads this is in the log when this resolves. Throws `PurposeNeeded` where they did not say why within
   * the last hour; where it cannot be stored, it throws too, and nothing is to be shown.
   */
  record(request: FastifyRequest, reading: Reading): Promise<void>
}

const recorded = new WeakSet<FastifyRequest>()

export const noteRecorded = (request: FastifyRequest): void => void recorded.add(request)

/** Whether a reading was recorded for this request: a route that shows personal data without one is a mistake of ours. */
export const wasRecorded = (request: FastifyRequest): boolean => recorded.has(request)
