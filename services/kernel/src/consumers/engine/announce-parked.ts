import type { Pool } from 'pg'
import { markAnnounced, type ParkedRow, streamOfParked } from './parked-queries.ts'
import { type ParkedWorkHandler, workerContext } from './parked-work.ts'

/** Idempotent. */
export const announceParked = async (
  { pool, works }: { pool: Pool; works: ParkedWorkHandler },
  { id, worker, parkingId, eventId, errorName, attempts, isAnnounced }: ParkedRow,
): Promise<void> => {
  if (isAnnounced) return
  const stream = eventId === null ? undefined : await streamOfParked(pool, id, eventId)
  const data = { worker, parkingId, eventId, ...(stream === undefined ? {} : { stream }), errorName, attempts }
  await works(id, { type: 'ParkWork', data }, workerContext(worker, parkingId))
  await markAnnounced(pool, id, parkingId)
}
