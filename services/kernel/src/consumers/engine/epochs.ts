import type { Pool, PoolClient } from 'pg'

/** Another process has the lock: this write is refused. */
export class Overtaken extends Error {
  override name = 'Overtaken'
}

export interface Epoch {
  worker: string
  epoch: string
}

/** Writes of earlier epochs are refused from now on. */
export const takeOver = async (db: Pool | PoolClient, worker: string): Promise<Epoch> => {
  const { rows } = await db.query<{ epoch: string }>(
    `insert into worker_epoch (worker, epoch) values ($1, 1)
     on conflict (worker) do update set epoch = worker_epoch.epoch + 1 returning epoch`,
    [worker],
  )
  if (!rows[0]) throw new Error('no epoch came back')
  return { worker, epoch: rows[0].epoch }
}

/** Locks the epoch for the transaction; throws `Overtaken` unless it is the latest. */
export const holdEpoch = async (db: PoolClient, { worker, epoch }: Epoch): Promise<void> => {
  const { rowCount } = await db.query('select from worker_epoch where worker = $1 and epoch = $2 for share', [
    worker,
    epoch,
  ])
  if (!rowCount) throw new Overtaken(`${worker} is run by another process`)
}
