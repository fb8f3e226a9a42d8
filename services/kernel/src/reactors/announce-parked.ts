import type { Pool } from 'pg'
import { type ParkedWorkHandler, workerContext } from './parked-work.ts'
import { markAnnounced, type ParkedRow } from './queries.ts'

/** Tells the log of a parking, once; harmless to repeat. */
export const announceParked = async (
  { pool, works }: { pool: Pool; works: ParkedWorkHandler },
  { id, worker, parkingId, eventId, errorName, attempts, isAnnounced }: ParkedRow,
): Promise<void> => {
  if (isAnnounced) return
  const data = { worker, parkingId, eventId, errorName, attempts }
  await works(id, { type: 'ParkWork', data }, workerContext(worker, parkingId))
  await markAnnounced(pool, id, parkingId)
}
