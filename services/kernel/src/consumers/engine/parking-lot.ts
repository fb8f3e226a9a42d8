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
  type EventPlace,
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
import type { Tried } from './try-often.ts'

/** The keys of one consumer that wait for an administrator, for as long as this process is in charge of it. */
export interface ParkingLot {
  /** Where the consumer stood when this process took it over. */
  checkpoint: Position
  isEmpty(): boolean
  isParked(id: string): boolean
  /** Whether an event after the checkpoint was parked, or settled after it had been, before this process took over. */
  knows(position: Position): boolean
  park(id: string, event: RecordedEvent, failure: Failure): Promise<void>
  parkBehind(id: string, event: RecordedEvent): Promise<void>
  saveCheckpoint(position: Position): Promise<void>
  /**
   * Appends new parkings to the log and answers the keys about which an administrator has decided; once, also those that wait for what
   * could not be read before this process took over.
   */
  attend(): Promise<string[]>
  /**
   * Carries out what was decided about a key, or tries it again: handles what waits in line, in order. Stops at an event that fails, which is
   * then what the key is parked for. May be repeated wherever it broke off.
   */
  drain(id: string, handle: (event: RecordedEvent) => Promise<Tried>): Promise<void>
}

export interface ParkingLotDeps {
  epoch: Epoch
  pool: Pool
  store: EventStore
  clock: Clock
  works: ParkedWorkHandler
}

/** What is parked when the epoch begins. What a process of an epoch before still wants to store is refused, with `Overtaken`. */
export const parkingLot = async (
  { epoch, pool, store, clock, works }: ParkingLotDeps,
  checkpoint: { name: string; version: number; load: () => Promise<Position> },
): Promise<ParkingLot> => {
  const { worker } = epoch
  const position = await checkpoint.load()
  const known = new Set(await parkedPositions(pool, worker, position))
  const rows = await parkedOf(pool, [worker])
  const parked = new Set(rows.map(({ id }) => id))
  /** Parked by what a process of an earlier release cannot read; nothing was done with it, and this one may read it. */
  const untried = new Set(rows.flatMap(({ id, errorName }) => (isUndecodable(errorName) ? id : [])))
  let mayHoldSettled = known.size > 0 || parked.size > 0

  const fenced = (write: (db: PoolClient) => Promise<void>): Promise<void> =>
    transaction(pool, async (db) => {
      await holdEpoch(db, epoch)
      await write(db)
    })

  const read = async ({ id, stream, revision }: EventPlace): Promise<RecordedEvent> => {
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

  /** Asked for once, made anew once: if that is cut short as well, the effect is unknown again. */
  const takeClaimBack = (id: string, effectId: string) =>
    fenced(async (db) => {
      await forgetClaim(db, effectId)
      await clearEffect(db, id)
    })

  const resume = async ({ id, parkingId }: ParkedRow) => {
    await works(id, { type: 'ResumeWork', data: { parkingId } }, workerContext(worker, parkingId))
    await fenced((db) => deleteParked(db, [id]))
    parked.delete(id)
  }

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
        // As it was: there is nothing new to record.
        if (tried.state === 'failed' && row.request === null && event.position === row.position) return
        if (tried.state === 'failed')
          return fenced((db) => upsertParked(db, id, worker, event, tried.failure, clock.now()))
        await fenced((db) => settleParkedEvent(db, worker, event.position))
      }
      await resume(row)
    },
  }
}
