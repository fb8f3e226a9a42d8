import type { Pool, PoolClient } from 'pg'

/** Another process is in charge of the consumer: what this one wanted to store no longer counts. */
export class Overtaken extends Error {
  override name = 'Overtaken'
}

/** The time in which one process is in charge of a consumer. */
export interface Epoch {
  worker: string
  epoch: string
}

/** Begins a new epoch: whoever was in charge before can store nothing any more. */
export const takeOver = async (db: Pool | PoolClient, worker: string): Promise<Epoch> => {
  const { rows } = await db.query<{ epoch: string }>(
    `insert into worker_epoch (worker, epoch) values ($1, 1)
     on conflict (worker) do update set epoch = worker_epoch.epoch + 1 returning epoch`,
    [worker],
  )
  if (!rows[0]) throw new Error('no epoch came back')
  return { worker, epoch: rows[0].epoch }
}

/** Throws `Overtaken` unless the epoch is still the latest; it then stays so until the transaction ends. */
export const holdEpoch = async (db: PoolClient, { worker, epoch }: Epoch): Promise<void> => {
  const { rowCount } = await db.query('select from worker_epoch where worker = $1 and epoch = $2 for share', [
    worker,
    epoch,
  ])
  if (!rowCount) throw new Overtaken(`${worker} is run by another process`)
}
