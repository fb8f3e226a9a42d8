import type { EventType } from '@prosa/contracts/events/all-events'
import type { Category } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { deriveId } from '../../derive-id.ts'
import type { CommandContext } from '../../domain/command-handler.ts'
import type { StoredOf } from '../../event-store/codec.ts'
import type { Json } from '../../json.ts'

export interface Timer {
  kind: string
  /** Scheduling the same key moves the timer. */
  key: string
  dueAt: Instant
  /** Ids and numbers, no personal data. */
  payload: Json
  tenant: string | null
  eventId: string
  correlationId: string
}

export type TimerStep = { schedule: string; dueAt: Instant; payload: Json } | { cancel: string }

export const schedule = (key: string, dueAt: Instant, payload: Json = null): TimerStep => ({
  schedule: key,
  dueAt,
  payload,
})

export const cancel = (key: string): TimerStep => ({ cancel: key })

/**
 * `on` is pure. The event that firing leads to must cancel the timer, so that a rebuild (higher `version`) leaves no past ones. `fire` runs
 * at least once, not before `dueAt`; `contextForTimer` makes it idempotent. It holds a database connection: append or claim an effect, and
 * return.
 */
export interface TimerKind {
  kind: string
  version: number
  categories: readonly Category[]
  on: { [T in EventType]?: (event: StoredOf<T>) => TimerStep | undefined }
  fire(timer: Timer): Promise<void>
}

export const contextForTimer = ({ kind, key, tenant, eventId, correlationId }: Timer): CommandContext => ({
  commandId: deriveId('timer', kind, key, eventId),
  actor: { kind: 'system', id: `timer ${kind}` },
  tenant,
  causationId: eventId,
  correlationId,
})

/** In the list of parked work. */
export const timerWorker = (kind: string): string => `timer ${kind}`
