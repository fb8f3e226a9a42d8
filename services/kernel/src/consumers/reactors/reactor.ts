import type { EventType } from '@prosa/contracts/events/all-events'
import type { Category } from '@prosa/contracts/streams'
import { deriveId } from '../../derive-id.ts'
import type { CommandContext } from '../../domain/command-handler.ts'
import type { Stored, StoredOf } from '../../event-store/codec.ts'

/**
 * Turns events into commands. Runs at least once for each event; what it does must be harmless the second time, for which
 * `contextFor` derives the command's id from the event. Events of one key are handled one after the other, in log order;
 * different keys do not wait for each other.
 */
export interface Reactor {
  name: string
  categories: readonly Category[]
  key(event: Stored): string
  /** See `decisionsAtOnce`; without it as many events are handled side by side as there are keys. */
  atOnce?: number
  on: { [T in EventType]?: (event: StoredOf<T>) => Promise<void> }
}

/** The context of a command that an event leads to: same tenant, same correlation, caused by the event. */
export const contextFor = (reactor: string, event: Stored): CommandContext => ({
  commandId: deriveId(reactor, event.id),
  actor: { kind: 'system', id: reactor },
  owner: event.metadata.owner,
  causationId: event.id,
  correlationId: event.metadata.correlationId,
})
