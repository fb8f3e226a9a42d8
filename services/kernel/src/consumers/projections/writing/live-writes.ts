import type { Pool } from 'pg'
import { serialQueue } from '../../../async/keyed-queue.ts'
import type { Codec } from '../../../event-store/codec.ts'
import type { Position, RecordedEvent } from '../../../event-store/port.ts'
import type { Logger } from '../../../observability/log.ts'
import type { ConsumerStatus } from '../../engine/consumer-status.ts'
import { Overtaken } from '../../engine/epochs.ts'
import type { OnFault, Write } from '../../engine/in-halves.ts'
import { logParked, type TenantParking } from '../parking/tenant-parking.ts'
import type { Projection } from '../projection.ts'
import { liveRows } from './live-rows.ts'
import type { Alongside } from './write-batch.ts'
import type { WriteTogether } from './write-together.ts'

/** All writes of a read model in one session, serially. */
export interface LiveWrites {
  reached(): Position
  /** Queues events of parked tenants. */
  write: Write
  park: OnFault
  /** The checkpoint stays. */
  foldWaiting(events: readonly RecordedEvent[], alongside: Alongside): Promise<void>
  /** Unparks the tenant if `isReady`, which none of our writes can change. */
  resume(tenant: string, isReady: () => Promise<boolean>, store: Alongside['store']): Promise<boolean>
  /** Swaps the rows while none is written; `work` returns success. Later writes throw `Overtaken`. */
  exchange(work: (reached: Position) => Promise<boolean>): Promise<boolean>
}

export interface LiveWritesDeps {
  codec: Codec
  pool: Pool
  together: WriteTogether
  log: Logger
  status: ConsumerStatus
  parked: TenantParking
}

export const liveWrites = <Row extends object>(
  projection: Projection<Row>,
  { codec, pool, together, log, status, parked }: LiveWritesDeps,
  from: Position,
): LiveWrites => {
  const foldIn = liveRows(projection, pool, together)
  const queue = serialQueue()
  let reached = from
  let isReplaced = false
  const serially = <T>(work: () => Promise<T>): Promise<T> =>
    queue(async () => {
      if (isReplaced) throw new Overtaken(`${projection.name} was built anew`)
      return work()
    })

  const moved = (upTo: Position, events: number) => {
    reached = upTo
    status.position = upTo
    status.batches += 1
    status.events += events
  }

  return {
    reached: () => reached,

    write: (given, upTo) =>
      serially(async () => {
        const events = given.filter(({ position }) => position > reached)
        const { folding, alongside } = parked.divide(events)
        await foldIn(await codec.decode(folding), reached, upTo, alongside)
        moved(upTo, events.length)
      }),

    park: (event, error, upTo) =>
      serially(async () => {
        const refusal = parked.refuse(event, error)
        await foldIn([], reached, upTo, refusal)
        parked.add(refusal.tenant)
        moved(upTo, 1)
        logParked(log, projection.name, event, refusal)
        return true
      }),

    foldWaiting: (events, alongside) =>
      serially(async () => foldIn(await codec.decode(events), reached, reached, alongside)),

    resume: (tenant, isReady, store) =>
      serially(async () => {
        if (!(await isReady())) return false
        await foldIn([], reached, reached, { store, parking: { tenant, isParked: false } })
        parked.remove(tenant)
        return true
      }),

    exchange: (work) =>
      serially(async () => {
        isReplaced = await work(reached)
        return isReplaced
      }),
  }
}
