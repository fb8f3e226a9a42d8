import type { EventOf } from '@prosa/contracts/events/all-events'
import type { readModelRebuildEvents } from '@prosa/contracts/events/operations'
import type { Clock } from '../../../clock.ts'
import { deriveId } from '../../../derive-id.ts'
import { type CommandContext, type CommandHandler, commandHandler } from '../../../domain/command-handler.ts'
import type { Decider } from '../../../domain/decider.ts'
import type { Codec } from '../../../event-store/codec.ts'
import type { EventStore } from '../../../event-store/port.ts'
import { projectionWorker } from '../parking/parked-tenants.ts'
import type { RebuildRequest } from './rebuild-queries.ts'

export type ReadModelRebuildCommand =
  | { type: 'RequestRebuild'; data: { rebuildId: string; readModel: string } }
  | { type: 'FinishRebuild'; data: { rebuildId: string; readModel: string } }

export type ReadModelRebuildEvent = EventOf<typeof readModelRebuildEvents>

/** The open request. */
export interface ReadModelRebuildState {
  rebuildId: string | null
}

/** Stream `readModelRebuild-<name>`: one request at a time. */
export const readModelRebuild: Decider<
  ReadModelRebuildCommand,
  ReadModelRebuildEvent,
  ReadModelRebuildState,
  'read_model_not_found'
> = {
  initial: { rebuildId: null },
  decide: {
    RequestRebuild: (state, data) => (state.rebuildId === null ? [{ type: 'ReadModelRebuildRequested', data }] : []),
    FinishRebuild: (state, data) => (state.rebuildId === data.rebuildId ? [{ type: 'ReadModelRebuilt', data }] : []),
  },
  evolve: {
    ReadModelRebuildRequested: (_, { rebuildId }) => ({ rebuildId }),
    ReadModelRebuilt: () => ({ rebuildId: null }),
  },
}

export type ReadModelRebuildHandler = CommandHandler<
  ReadModelRebuildCommand,
  ReadModelRebuildEvent,
  ReadModelRebuildState,
  'read_model_not_found'
>

/** Read models belong to no tenant: `tenant` is always null. */
export const readModelRebuildHandler = ({
  store,
  codec,
  clock,
}: {
  store: EventStore
  codec: Codec
  clock: Clock
}): ReadModelRebuildHandler =>
  commandHandler({
    store,
    codec,
    clock,
    service: 'operations',
    category: 'readModelRebuild',
    decider: readModelRebuild,
    foreign: 'read_model_not_found',
  })

export const builderContext = (
  readModel: string,
  { rebuildId, eventId, correlationId }: Pick<RebuildRequest, 'rebuildId' | 'eventId' | 'correlationId'>,
): CommandContext => ({
  commandId: deriveId('read model rebuilt', readModel, rebuildId),
  actor: { kind: 'system', id: projectionWorker(readModel) },
  tenant: null,
  causationId: eventId,
  correlationId,
})
