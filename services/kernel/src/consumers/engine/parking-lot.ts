import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../clock.ts'
import type { EventStore, Position, RecordedEvent } from '../../event-store/port.ts'
import { transaction } from '../../postgres/pool.ts'
import { announceParked } from './announce-parked.ts'
import { saveCheckpoint, saveInEpoch } from './checkpoints.ts'
import { forgetClaim } from './effect-queries.ts'
import { type Epoch, holdEpoch } from './epochs.ts'
import { isUndecodable } from './failure.ts'
import {
  clearEffect,
  deleteParked,
  type EventRef,
  type Failure,
  findParked,
  firstParkedEvent,
  forgetSettled,
  insertParkedEvent,
  type ParkedRow,
  parkedOf,
  parkedPositions,
  passFailing,
  settleParkedEvent,
  upsertParked,
} from './parked-queries.ts'
import { type ParkedWorkHandler, workerContext } from './parked-work.ts'
import type { Tried } from './retry-work.ts'

/** Parked keys of one consumer, for one epoch. */
export interface ParkingLot {
  /** At the start of the epoch. */
  checkpoint: Position
  isEmpty(): boolean
  isParked(id: string): boolean
  /** True for events after the checkpoint that were parked or settled before this epoch. */
  knows(position: Position): boolean
  park(id: string, event: RecordedEvent, failure: Failure): Promise<void>
  parkBehind(id: string, event: RecordedEvent): Promise<void>
  saveCheckpoint(position: Position): Promise<void>
  /** Records new parkings; returns keys with a decision and, once, those parked as undecodable before this epoch. */
  attend(): Promise<string[]>
  /** Handles queued events in order and parks at the first failure. Idempotent. */
  drain(id: string, handle: (event: RecordedEvent) => Promise<Tried>): Promise<void>
}

export interface ParkingLotDeps {
  epoch: Epoch
  pool: Pool
  store: EventStore
  clock: Clock
  works: ParkedWorkHandler
}

type Fenced = (write: (db: PoolClient) => Promise<void>) => Promise<void>

/** The steps by which a parked key is handled again. */
const parkedSteps = ({ epoch, store, works }: ParkingLotDeps, fenced: Fenced) => {
  const { worker } = epoch
  const read = async ({ id, stream, revision }: EventRef): Promise<RecordedEvent> => {
    for await (const [event] of store.read(stream, { from: revision })) {
      if (event?.id === id) return event
      break
    }
    throw new Error('the log does not hold the parked event')
  }

  const release = async (row: ParkedRow) => {
    await fenced(async (db) => {
      if (row.position !== null) await settleParkedEvent(db, worker, row.position)
      await passFailing(db, row.id)
    })
  }

  /** One retry, one effect: if it breaks off too, the outcome is unknown again. */
  const takeClaimBack = (id: string, effectId: string) =>
    fenced(async (db) => {
      await forgetClaim(db, effectId)
      await clearEffect(db, id)
    })

  const resume = async ({ id, parkingId }: ParkedRow) => {
    await works(id, { type: 'ResumeWork', data: { parkingId } }, workerContext(worker, parkingId))
    await fenced((db) => deleteParked(db, [id]))
  }

  return { read, release, takeClaimBack, resume }
}

/** Loads the parked keys. Writes of an earlier epoch throw `Overtaken`. */
export const parkingLot = async (
  deps: ParkingLotDeps,
  checkpoint: { name: string; version: number; load: () => Promise<Position> },
): Promise<ParkingLot> => {
  const { epoch, pool, clock, works } = deps
  const { worker } = epoch
  const position = await checkpoint.load()
  const known = new Set(await parkedPositions(pool, worker, position))
  const rows = await parkedOf(pool, [worker])
  const parked = new Set(rows.map(({ id }) => id))
  /** Undecodable for an earlier release; this one may decode it. */
  const untried = new Set(rows.flatMap(({ id, errorName }) => (isUndecodable(errorName) ? id : [])))
  let mayHoldSettled = known.size > 0 || parked.size > 0

  const fenced: Fenced = (write) =>
    transaction(pool, async (db) => {
      await holdEpoch(db, epoch)
      await write(db)
    })
  const { read, release, takeClaimBack, resume } = parkedSteps(deps, fenced)

  return {
    checkpoint: position,
    isEmpty: () => parked.size === 0,
    isParked: (id) => parked.has(id),
    knows: (at) => known.has(at),

    async park(id, event, failure) {
      await fenced(async (db) => {
        await upsertParked(db, id, worker, event, failure, clock.now())
        await insertParkedEvent(db, worker, id, event)
      })
      parked.add(id)
      mayHoldSettled = true
    },

    parkBehind: (id, event) => fenced((db) => insertParkedEvent(db, worker, id, event)),

    saveCheckpoint(reached) {
      const { name, version } = checkpoint
      if (!mayHoldSettled) return saveInEpoch(pool, epoch, { name, version, position: reached })
      return fenced(async (db) => {
        await saveCheckpoint(db, name, version, reached)
        await forgetSettled(db, worker, reached)
      })
    },

    async attend() {
      const rows = await parkedOf(pool, [worker])
      for (const row of rows) await announceParked({ pool, works }, row)
      return rows.flatMap(({ id, request }) => (request !== null || untried.has(id) ? id : []))
    },

    async drain(id, handle) {
      const row = await findParked(pool, id)
      const isUntried = untried.delete(id)
      if (!row || (row.request === null && !isUntried)) return
      if (row.request === 'release') await release(row)
      else if (row.effectId !== null) await takeClaimBack(id, row.effectId)
      for (let next = await firstParkedEvent(pool, id); next; next = await firstParkedEvent(pool, id)) {
        const event = next
        const tried = await handle(await read(event))
        if (tried.state === 'aborted') return
        // Unchanged: nothing to record.
        if (tried.state === 'failed' && row.request === null && event.position === row.position) return
        if (tried.state === 'failed')
          return fenced((db) => upsertParked(db, id, worker, event, tried.failure, clock.now()))
        await fenced((db) => settleParkedEvent(db, worker, event.position))
      }
      await resume(row)
      parked.delete(id)
    },
  }
}
