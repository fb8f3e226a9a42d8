import type { EventType } from '@prosa/contracts/events/all-events'
import type { Category } from '@prosa/contracts/streams'
import { deriveId } from '../../derive-id.ts'
import type { CommandContext } from '../../domain/command-handler.ts'
import type { Stored, StoredOf } from '../../event-store/codec.ts'

/** At least once: `contextFor` derives command ids from the event. Serial by key in log order; keys are independent. */
export interface Reactor {
  name: string
  categories: readonly Category[]
  key(event: Stored): string
  /** See `decisionsAtOnce`. */
  atOnce?: number
  on: { [T in EventType]?: (event: StoredOf<T>) => Promise<void> }
}

export const contextFor = (reactor: string, event: Stored): CommandContext => ({
  commandId: deriveId(reactor, event.id),
  actor: { kind: 'system', id: reactor },
  tenant: event.metadata.tenant,
  causationId: event.id,
  correlationId: event.metadata.correlationId,
})
