import { parseStream } from '@prosa/contracts/streams'
import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../clock.ts'
import { deriveId } from '../../derive-id.ts'
import type { Position, RecordedEvent } from '../../event-store/port.ts'
import type { Logger } from '../../observability/log.ts'
import { type Epoch, holdEpoch } from '../engine/epochs.ts'
import { failureOf } from '../engine/failure.ts'
import {
  type Failure,
  insertParkedEvents,
  parkedOf,
  settleParkedEvent,
  upsertParked,
} from '../engine/parked-queries.ts'
import { UnfoldableEvent } from './fold-batch.ts'
import type { Alongside } from './write-batch.ts'

/** Whose rows an event changes: its tenant's; what has no owner is about the account that its stream is named after. */
const tenantOf = ({ stream, metadata }: Pick<RecordedEvent, 'stream' | 'metadata'>): string =>
  metadata.owner ?? parseStream(stream).id

/**
 * What an erasure ends must not be shown on because its tenant is parked: it is folded at once, and once more in its place,
 * where it ends what was folded before it.
 */
const isErasure = ({ type }: RecordedEvent) => type.endsWith('Erased')

/** What may be stored of a failure to fold. */
export const failureToFold = (error: unknown): Failure =>
  failureOf(error instanceof UnfoldableEvent ? error.cause : error, 1)

/** What becomes of an event that cannot be folded, as part of a transaction; `failure` where it parks its tenant. */
export interface Refusal extends Alongside {
  tenant: string
  failure?: Failure
}

/**
 * The tenants of one read model whose later events are put aside, because one of them could not be folded. What is stored of
 * them throws `Overtaken` unless this process still is in charge.
 */
export interface TenantParking {
  isEmpty(): boolean
  /** Events that are to be folded, and what is to be stored with them of those that wait behind a parked tenant. */
  divide(events: readonly RecordedEvent[]): { folding: RecordedEvent[]; alongside: Alongside | undefined }
  /** For an event that cannot be folded: it parks its tenant, waits behind it, or was released before. */
  refuse(event: RecordedEvent, error: unknown): Refusal
  /** Part of a transaction: parks a tenant that is parked already anew, at another of its events. */
  parkAgain(db: PoolClient, event: RecordedEvent, failure: Failure): Promise<void>
  /** Part of a transaction. */
  hold(db: PoolClient): Promise<void>
  /** Once the transaction is committed: from here on what comes for the tenant waits, or is folded again. */
  add(tenant: string): void
  remove(tenant: string): void
}

export interface TenantParkingDeps {
  pool: Pool
  clock: Clock
  epoch: Epoch
  /** Under which name the rows are kept; a rebuild keeps its own beside those of the version that is shown. */
  worker: string
  version: number
  /** Of a rebuild of the same version: keeps its parkings apart from those of what is shown. */
  rebuildId?: string | undefined
  /** Positions of events that an administrator released from the version that is shown: they park nobody again. */
  released?: ReadonlySet<Position>
}

/** The tenants that are parked now. */
export const tenantParking = async ({
  pool,
  clock,
  epoch,
  worker,
  version,
  rebuildId,
  released = new Set(),
}: TenantParkingDeps): Promise<TenantParking> => {
  const standing = await parkedOf(pool, [worker])
  /** The parked work of each tenant: who was parked by a rebuild keeps the id of then. */
  const parked = new Map(standing.flatMap(({ id, tenant }) => (tenant === null ? [] : [[tenant, id] as const])))
  const hold = (db: PoolClient) => holdEpoch(db, epoch)
  // Of each building its own: those of a rebuild stand beside those of what is shown.
  const newIdOf = (tenant: string) =>
    deriveId('parked work', epoch.worker, version, tenant, ...(rebuildId === undefined ? [] : [rebuildId]))
  const idOf = (tenant: string) => parked.get(tenant) ?? newIdOf(tenant)

  const placeOf = (event: RecordedEvent) => {
    const { id, stream, revision, position } = event
    return { id, stream, revision, position, workId: idOf(tenantOf(event)) }
  }
  const putInLine = (events: readonly RecordedEvent[]): Alongside => {
    const places = events.map(placeOf)
    return {
      store: async (db) => {
        await hold(db)
        await insertParkedEvents(db, worker, places)
      },
    }
  }
  const park = (db: PoolClient, event: RecordedEvent, failure: Failure) => {
    const tenant = tenantOf(event)
    return upsertParked(db, idOf(tenant), worker, event, failure, clock.now(), tenant)
  }

  return {
    isEmpty: () => parked.size === 0,
    divide(events) {
      if (parked.size === 0) return { folding: [...events], alongside: undefined }
      const waiting = events.filter((event) => parked.has(tenantOf(event)))
      const folding = events.filter((event) => !parked.has(tenantOf(event)) || isErasure(event))
      return { folding, alongside: waiting.length > 0 ? putInLine(waiting) : undefined }
    },
    refuse(event, error) {
      const tenant = tenantOf(event)
      const { store } = putInLine([event])
      if (parked.has(tenant)) return { tenant, store }
      if (released.has(event.position))
        return {
          tenant,
          store: async (db) => {
            await store(db)
            await settleParkedEvent(db, worker, event.position)
          },
        }
      const failure = failureToFold(error)
      return {
        tenant,
        failure,
        parking: { tenant, isParked: true },
        store: async (db) => {
          await store(db)
          await park(db, event, failure)
        },
      }
    },
    async parkAgain(db, event, failure) {
      await hold(db)
      await park(db, event, failure)
    },
    hold,
    add: (tenant) => void parked.set(tenant, idOf(tenant)),
    remove: (tenant) => void parked.delete(tenant),
  }
}

/** Writes to the log of the process that a tenant was parked, without anything personal. */
export const logParked = (log: Logger, projection: string, event: RecordedEvent, { failure }: Refusal): void => {
  const { correlationId } = event.metadata
  if (failure) log.error({ projection, event: event.id, correlationId, failure }, 'tenant parked')
}
