import type { Codec } from '@prosa/kernel/event-store/codec'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/log'
import type { Pool } from 'pg'
import type { ProjectionFigure } from './figures.ts'
import { inTurn } from './in-turn.ts'
import { liveRows } from './live-rows.ts'
import { logParked, type ParkedTenants } from './parked-tenants.ts'
import type { OnFault, Write } from './persevere.ts'
import type { Projection } from './projection.ts'
import type { Alongside } from './write-batch.ts'
import type { WriteTogether } from './write-together.ts'

/** Everything that one stay at the lock writes of a read model, one write after the other. */
export interface LiveWrites {
  /** Where the rows stand. */
  reached(): Position
  /** Folds events and moves on; those of parked tenants are put in line. */
  write: Write
  /** Parks the tenant of an event that cannot be folded, and moves on. */
  park: OnFault
  /** Folds events that waited in line; the checkpoint stays where it is. */
  foldWaiting(events: readonly RecordedEvent[], alongside: Alongside): Promise<void>
  /** Serves a tenant as before once `isReady` says so, which no write of ours can make untrue meanwhile; answers whether it did. */
  resume(tenant: string, isReady: () => Promise<boolean>, store: Alongside['store']): Promise<boolean>
}

export interface LiveWritesDeps {
  codec: Codec
  pool: Pool
  together: WriteTogether
  log: Logger
  figure: ProjectionFigure
  parked: ParkedTenants
}

export const liveWrites = <Row extends object>(
  projection: Projection<Row>,
  { codec, pool, together, log, figure, parked }: LiveWritesDeps,
  from: Position,
): LiveWrites => {
  const foldIn = liveRows(projection, pool, together)
  const turn = inTurn()
  let reached = from

  const moved = (upTo: Position, events: number) => {
    reached = upTo
    figure.position = upTo
    figure.batches += 1
    figure.events += events
  }

  return {
    reached: () => reached,

    write: (given, upTo) =>
      turn(async () => {
        const events = given.filter(({ position }) => position > reached)
        const { folding, alongside } = parked.divide(events)
        await foldIn(await codec.decode(folding), reached, upTo, alongside)
        moved(upTo, events.length)
      }),

    park: (event, error, upTo) =>
      turn(async () => {
        const refusal = parked.refuse(event, error)
        await foldIn([], reached, upTo, refusal)
        parked.add(refusal.tenant)
        moved(upTo, 1)
        logParked(log, projection.name, event, refusal)
        return true
      }),

    foldWaiting: (events, alongside) =>
      turn(async () => foldIn(await codec.decode(events), reached, reached, alongside)),

    resume: (tenant, isReady, store) =>
      turn(async () => {
        if (!(await isReady())) return false
        await foldIn([], reached, reached, { store, parking: { tenant, isParked: false } })
        parked.remove(tenant)
        return true
      }),
  }
}
