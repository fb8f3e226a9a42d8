import { announceParked } from '../consumers/engine/announce-parked.ts'
import { findParked } from '../consumers/engine/parked-queries.ts'
import { parkedWorkHandler } from '../consumers/engine/parked-work.ts'
import type { CommandContext } from '../domain/command-handler.ts'
import type { Ports } from '../ports.ts'

type Decision = 'RetryWork' | 'ReleaseWork'

/** Returns false for an unknown id. */
export type DecideOnParked = (id: string, type: Decision, context: CommandContext) => Promise<boolean>

export const decideOnParked = ({
  store,
  codec,
  clock,
  pool,
}: Pick<Ports, 'store' | 'codec' | 'clock' | 'pool'>): DecideOnParked => {
  const works = parkedWorkHandler({ store, codec, clock })
  return async (id, type, context) => {
    const row = await findParked(pool, id)
    if (!row) return false
    // A decision must come after `WorkParked`, which the worker appends shortly after it parks.
    await announceParked({ pool, works }, row)
    return (await works(id, { type, data: { parkingId: row.parkingId } }, context)).ok
  }
}
