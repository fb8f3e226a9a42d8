import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { PoolClient } from 'pg'
import type { Codec } from '../../../event-store/codec.ts'
import { beginning, type Position } from '../../../event-store/port.ts'
import type { Logger } from '../../../observability/log.ts'
import { saveCheckpoint } from '../../engine/checkpoints.ts'
import type { OnFault, Write } from '../../engine/in-halves.ts'
import { logParked, type TenantParking } from '../parking/tenant-parking.ts'
import type { Projection } from '../projection.ts'
import { addKey, deleteRows } from '../table.ts'
import { foldInto } from '../writing/fold-batch.ts'
import { SettledRows } from '../writing/settled-rows.ts'
import type { Alongside } from '../writing/write-batch.ts'
import { copyRows } from './copy-rows.ts'

/** A row untouched for so long will likely stay unchanged. */
const eventsToSettle = 2000

/** A fault of ours or shutdown; the transaction was rolled back. */
export class Stopped extends Error {
  override name = 'Stopped'
}

/** To the log's present end or until `isEnough`; undefined when stopped. */
export type ReadOn = (
  write: Write,
  onFault: OnFault,
  pageSize: number,
  isEnough: (events: number) => boolean | Promise<boolean>,
) => Promise<number | undefined>

export interface Filling<Row extends object> {
  projection: Projection<Row>
  /** The projection under its rebuild's name and table. */
  shadow: Projection<Row>
  codec: Codec
  log: Logger
  parked: TenantParking
  rowsInMemory: number
  readOn: ReadOn
  reached: () => Position
}

const foldInMemory = <Row extends object>({ projection, codec, log, parked }: Filling<Row>) => {
  const rows = new SettledRows<Row>()
  const alongside: Alongside[] = []
  let folded = beginning
  const fold: Write = async (page) => {
    // After a failure the events before the faulty one come again.
    const divided = parked.divide(page.filter(({ position }) => position > folded))
    if (divided.alongside) alongside.push(divided.alongside)
    for (const event of await codec.decode(divided.folding)) {
      foldInto(projection, rows, event)
      folded = event.position
    }
  }
  const park: OnFault = async (event, error) => {
    const refusal = parked.refuse(event, error)
    alongside.push(refusal)
    if (refusal.failure) parked.add(refusal.tenant)
    folded = event.position
    logParked(log, projection.name, event, refusal)
    return true
  }
  return { rows, alongside, fold, park }
}

/** One transaction: writes settled rows during the read, then others, key, parked work and checkpoint. Throws `Stopped`. */
export const fillFromMemory = async <Row extends object>(db: PoolClient, filling: Filling<Row>): Promise<void> => {
  const { shadow, rowsInMemory, readOn, reached } = filling
  const { rows, alongside, fold, park } = foldInMemory(filling)
  let settledAt = 0
  const groups = new PassThrough({ objectMode: true, highWaterMark: 2 })
  // The copy reports the error; without a listener a stream error ends the process.
  groups.on('error', () => undefined)
  const copying = copyRows(db, shadow.table, groups)
  const hand = async (group: Row[]) => {
    if (group.length > 0 && !groups.write(group)) await Promise.race([once(groups, 'drain'), copying])
  }
  // Awaited later; prevents an unhandled rejection.
  copying.catch(() => undefined)
  const handOut = async (events: number) => {
    if (events >= settledAt + eventsToSettle) {
      settledAt = events
      await hand(rows.takeSettled())
    }
    return rows.size > rowsInMemory
  }
  const read = await readOn(fold, park, 1, handOut).catch((error: unknown) => {
    groups.destroy()
    throw error
  })
  if (read === undefined) groups.destroy(new Stopped('a rebuild was stopped'))
  else groups.end(rows.others())
  await copying
  const { keys, rows: corrected } = rows.corrections()
  await deleteRows(db, shadow.table, keys)
  await copyRows(db, shadow.table, [corrected])
  await addKey(db, shadow.table)
  for (const { store } of alongside) await store(db)
  await saveCheckpoint(db, shadow.name, shadow.version, reached())
}
