import { parseStream } from '@prosa/contracts/streams'
import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../../clock.ts'
import { deriveId } from '../../../derive-id.ts'
import type { Position, RecordedEvent } from '../../../event-store/port.ts'
import type { Logger } from '../../../observability/log.ts'
import { type Epoch, holdEpoch } from '../../engine/epochs.ts'
import { failureOf } from '../../engine/failure.ts'
import {
  type Failure,
  insertParkedEvents,
  parkedOf,
  settleParkedEvent,
  upsertParked,
} from '../../engine/parked-queries.ts'
import { UnfoldableEvent } from '../writing/fold-batch.ts'
import type { Alongside } from '../writing/write-batch.ts'

/** Events without a tenant are about the tenant in their stream's name. */
const tenantOf = ({ stream, metadata }: Pick<RecordedEvent, 'stream' | 'metadata'>): string =>
  metadata.tenant ?? parseStream(stream).id

/** Erasures take effect although the tenant is parked: folded at once, and again in order. */
const isErasure = ({ type }: RecordedEvent) => type.endsWith('Erased')

export const failureToFold = (error: unknown): Failure =>
  failureOf(error instanceof UnfoldableEvent ? error.cause : error, 1)

/** `failure` is set where the event parks its tenant. */
export interface Refusal extends Alongside {
  tenant: string
  failure?: Failure
}

/** Parked tenants of one read model. Writes throw `Overtaken` in an old epoch. */
export interface TenantParking {
  isEmpty(): boolean
  divide(events: readonly RecordedEvent[]): { folding: RecordedEvent[]; alongside: Alongside | undefined }
  /** The event parks its tenant, queues, or was released before. */
  refuse(event: RecordedEvent, error: unknown): Refusal
  parkAgain(db: PoolClient, event: RecordedEvent, failure: Failure): Promise<void>
  hold(db: PoolClient): Promise<void>
  /** Call it after the commit. */
  add(tenant: string): void
  remove(tenant: string): void
}

export interface TenantParkingDeps {
  pool: Pool
  clock: Clock
  epoch: Epoch
  /** A rebuild has its own name. */
  worker: string
  version: number
  /** Separates a renewal's parkings from the live ones. */
  rebuildId?: string | undefined
  /** Events released from the live version park nothing again. */
  released?: ReadonlySet<Position>
}

export const tenantParking = async ({
  pool,
  clock,
  epoch,
  worker,
  version,
  rebuildId,
  released = new Set(),
}: TenantParkingDeps): Promise<TenantParking> => {
  const existing = await parkedOf(pool, [worker])
  /** By tenant; a parking by a rebuild keeps its id. */
  const parked = new Map(existing.flatMap(({ id, tenant }) => (tenant === null ? [] : [[tenant, id] as const])))
  const hold = (db: PoolClient) => holdEpoch(db, epoch)
  const newIdOf = (tenant: string) =>
    deriveId('parked work', epoch.worker, version, tenant, ...(rebuildId === undefined ? [] : [rebuildId]))
  const idOf = (tenant: string) => parked.get(tenant) ?? newIdOf(tenant)

  const refOf = (event: RecordedEvent) => {
    const { id, stream, revision, position } = event
    return { id, stream, revision, position, workId: idOf(tenantOf(event)) }
  }
  const putInLine = (events: readonly RecordedEvent[]): Alongside => {
    const refs = events.map(refOf)
    return {
      store: async (db) => {
        await hold(db)
        await insertParkedEvents(db, worker, refs)
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

/** Logs no personal data. */
export const logParked = (log: Logger, projection: string, event: RecordedEvent, { failure }: Refusal): void => {
  const { correlationId } = event.metadata
  if (failure) log.error({ projection, event: event.id, correlationId, failure }, 'tenant parked')
}
