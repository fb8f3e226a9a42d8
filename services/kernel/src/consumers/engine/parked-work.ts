import type { EventOf } from '@prosa/contracts/events/all-events'
import type { operationsEvents } from '@prosa/contracts/events/operations'
import type { Clock } from '../../clock.ts'
import { deriveId } from '../../derive-id.ts'
import { type CommandContext, type CommandHandler, commandHandler } from '../../domain/command-handler.ts'
import type { Decider } from '../../domain/decider.ts'
import type { Codec } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/port.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'

interface Parking {
  worker: string
  parkingId: string
  eventId: string | null
  stream?: string
  errorName: string
  attempts: number
}

export type ParkedWorkCommand =
  | { type: 'ParkWork'; data: Parking }
  | { type: 'RetryWork'; data: { parkingId: string } }
  | { type: 'ReleaseWork'; data: { parkingId: string } }
  | { type: 'ResumeWork'; data: { parkingId: string } }

export type ParkedWorkEvent = EventOf<typeof operationsEvents>

export interface ParkedWorkState {
  parkingId: string | null
  eventId: string | null
  stream?: string
  asked: 'retry' | 'release' | null
}

const at = ({ stream }: Pick<ParkedWorkState, 'stream'>) => (stream === undefined ? {} : { stream })

/** A decision counts only for the parking it names. */
export const parkedWork: Decider<ParkedWorkCommand, ParkedWorkEvent, ParkedWorkState, 'parked_work_not_found'> = {
  initial: { parkingId: null, eventId: null, asked: null },
  decide: {
    ParkWork: (state, parking) =>
      state.parkingId === parking.parkingId ? [] : [{ type: 'WorkParked', data: parking }],
    RetryWork: (state, { parkingId }) => {
      if (state.parkingId !== parkingId || state.asked === 'release') return { rejected: 'parked_work_not_found' }
      return state.asked === 'retry' ? [] : [{ type: 'WorkRetried', data: { parkingId, ...at(state) } }]
    },
    ReleaseWork: (state, { parkingId }) => {
      if (state.parkingId !== parkingId) return { rejected: 'parked_work_not_found' }
      if (state.asked === 'release') return []
      return [{ type: 'WorkReleased', data: { parkingId, eventId: state.eventId, ...at(state) } }]
    },
    ResumeWork: (state, { parkingId }) =>
      state.parkingId === parkingId ? [{ type: 'WorkResumed', data: { parkingId } }] : [],
  },
  evolve: {
    WorkParked: (_, { parkingId, eventId, stream }) => ({ parkingId, eventId, ...at({ stream }), asked: null }),
    WorkRetried: (state) => ({ ...state, asked: 'retry' }),
    WorkReleased: (state) => ({ ...state, asked: 'release' }),
    WorkResumed: () => ({ parkingId: null, eventId: null, asked: null }),
  },
}

export type ParkedWorkHandler = CommandHandler<
  ParkedWorkCommand,
  ParkedWorkEvent,
  ParkedWorkState,
  'parked_work_not_found'
>

/** Parked work belongs to no tenant: `tenant` is always null. */
export const parkedWorkHandler = ({ store, codec, clock }: { store: EventStore; codec: Codec; clock: Clock }) =>
  commandHandler({
    store,
    codec,
    clock,
    service: 'operations',
    category: 'parkedWork',
    decider: parkedWork,
    foreign: 'parked_work_not_found',
  })

export const workerContext = (worker: string, parkingId: string): CommandContext => ({
  commandId: deriveId('parked work', worker, parkingId),
  actor: { kind: 'system', id: worker },
  tenant: null,
  causationId: parkingId,
  correlationId: parkingId,
})

/** Keyed hash, as the key may be personal. */
export const parkedWorkId = (box: Pick<SecretBox, 'fingerprint'>, worker: string, key: string): string =>
  deriveId('parked work', box.fingerprint(`${worker}\n${key}`, 'parked work'))
