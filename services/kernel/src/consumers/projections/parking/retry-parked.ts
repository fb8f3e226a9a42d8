import type { Pool } from 'pg'
import { repeat } from '../../../async/retry.ts'
import type { EventStore, RecordedEvent } from '../../../event-store/port.ts'
import type { Logger } from '../../../observability/log.ts'
import { announceParked } from '../../engine/announce-parked.ts'
import { Overtaken } from '../../engine/epochs.ts'
import { inHalves } from '../../engine/in-halves.ts'
import { loggable } from '../../engine/loggable.ts'
import {
  deleteParked,
  type EventRef,
  firstParkedEvents,
  type ParkedRow,
  parkedOf,
  passFailing,
  settleParkedEvent,
} from '../../engine/parked-queries.ts'
import { type ParkedWorkHandler, workerContext } from '../../engine/parked-work.ts'
import { transientPauseMs } from '../../engine/retry-work.ts'
import { deleteParkedEvents } from '../queries.ts'
import type { LiveWrites } from '../writing/live-writes.ts'
import { failureToFold, type TenantParking } from './tenant-parking.ts'

const attendMs = 200
/** Batch size, so that other tenants are served in between. */
const maxAtOnce = 500

export interface RetryDeps {
  pool: Pool
  store: EventStore
  works: ParkedWorkHandler
  log: Logger
  worker: string
  parked: TenantParking
  writes: LiveWrites
}

/** Records parkings, retries each parked tenant once at start (the code may be fixed), carries out decisions. Throws `Overtaken`. */
export const retryParked = async (deps: RetryDeps, until: AbortSignal): Promise<void> => {
  const { pool, works, log, worker, parked } = deps
  const untried = new Set((await parkedOf(pool, [worker])).map(({ id }) => id))
  const attend = async () => {
    for (const row of await parkedOf(pool, [worker])) {
      await announceParked({ pool, works }, row)
      if (row.request === null && !untried.has(row.id)) continue
      await retryTenant(deps, row, until)
      untried.delete(row.id)
      if (until.aborted) return
    }
  }
  const onFailure = (error: unknown) => {
    if (error instanceof Overtaken) throw error
    log.warn({ worker, ...loggable(error) }, 'parked tenants could not be tried again')
  }
  const pauseAfter = (failures: number) => (failures === 0 ? attendMs : transientPauseMs(failures))
  await repeat(async () => parked.isEmpty() || attend(), { signal: until, pauseAfter, onFailure })
}

/** Idempotent. */
const retryTenant = async (
  { pool, store, works, log, worker, parked, writes }: RetryDeps,
  row: ParkedRow,
  until: AbortSignal,
): Promise<void> => {
  const { id, parkingId, position, request } = row
  const { tenant } = row
  if (tenant === null) return
  if (request === 'release')
    await writes.foldWaiting([], {
      store: async (db) => {
        await parked.hold(db)
        if (position !== null) await settleParkedEvent(db, worker, position)
        await passFailing(db, id)
      },
    })

  const foldWaiting = (events: readonly RecordedEvent[]) =>
    writes.foldWaiting(events, {
      store: async (db) => {
        await parked.hold(db)
        await deleteParkedEvents(
          db,
          worker,
          events.map((event) => event.position),
        )
      },
    })
  const parkAgain = async (event: RecordedEvent, error: unknown) => {
    // Unchanged: nothing to record.
    if (request === null && event.position === position) return false
    const failure = failureToFold(error)
    await writes.foldWaiting([], { store: (db) => parked.parkAgain(db, event, failure) })
    log.error({ worker, event: event.id, parkedWork: id, failure }, 'tenant parked again')
    return false
  }
  const advance = inHalves(foldWaiting, parkAgain)
  const nothingWaits = async () => (await firstParkedEvents(pool, id, 1)).length === 0

  while (!until.aborted) {
    const events = await readRefs(store, await firstParkedEvents(pool, id, maxAtOnce))
    const last = events.at(-1)
    if (last) {
      if (!(await advance(events, last.position))) return
      continue
    }
    await works(id, { type: 'ResumeWork', data: { parkingId } }, workerContext(worker, parkingId))
    const isResumed = await writes.resume(tenant, nothingWaits, async (db) => {
      await parked.hold(db)
      await deleteParked(db, [id])
    })
    if (isResumed) return log.info({ worker, parkedWork: id }, 'a parked tenant is served again')
  }
}

/** Positions come in log order. */
const readRefs = async (store: EventStore, refs: readonly EventRef[]): Promise<RecordedEvent[]> => {
  const spans = new Map<string, { from: bigint; to: bigint }>()
  for (const { stream, revision } of refs)
    spans.set(stream, { from: spans.get(stream)?.from ?? revision, to: revision })
  const found = new Map<string, RecordedEvent>()
  for (const [stream, { from, to }] of spans)
    for await (const page of store.read(stream, { from })) {
      for (const event of page) found.set(event.id, event)
      if ((page.at(-1)?.revision ?? to) >= to) break
    }
  return refs.map(({ id, position }) => {
    const event = found.get(id)
    if (!event) throw new Error('the log does not hold a parked event')
    const { type, data, metadata, stream, revision } = event
    return { id, type, data, metadata, stream, revision, position }
  })
}
