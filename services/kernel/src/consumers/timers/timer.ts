import type { EventType } from '@prosa/contracts/events/all-events'
import type { Category } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { deriveId } from '../../derive-id.ts'
import type { CommandContext } from '../../domain/command-handler.ts'
import type { StoredOf } from '../../event-store/codec.ts'
import type { Json } from '../../json.ts'

/** Something that is to happen at a moment, as an event requires. */
export interface Timer {
  kind: string
  /** One timer a key: scheduling it again moves it. */
  key: string
  dueAt: Instant
  /** Ids and numbers; never anything personal. */
  payload: Json
  owner: string | null
  /** The event that set it, and what that belongs to. */
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
 * Timers that follow from the log. `on` is pure: which timer an event sets, moves or cancels. The event in which firing
 * results must cancel its timer there, so that timers rebuilt from the log (a raised `version` drops and rebuilds them) hold
 * nothing that has happened. `fire` is called at least once, not before `dueAt` by the clock; it gives commands whose ids
 * follow from the timer (`contextForTimer`), so that the effect comes once. The database holds a connection while it runs:
 * it appends, or claims an effect, and returns.
 */
export interface TimerKind {
  kind: string
  version: number
  categories: readonly Category[]
  on: { [T in EventType]?: (event: StoredOf<T>) => TimerStep | undefined }
  fire(timer: Timer): Promise<void>
}

/** The context of a command that a timer leads to: same tenant and correlation as the event that set it, caused by that event. */
export const contextForTimer = ({ kind, key, owner, eventId, correlationId }: Timer): CommandContext => ({
  commandId: deriveId('timer', kind, key, eventId),
  actor: { kind: 'system', id: `timer ${kind}` },
  owner,
  causationId: eventId,
  correlationId,
})

/** The worker's name in the list of parked work. */
export const timerWorker = (kind: string): string => `timer ${kind}`
