import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Clock } from '../../clock.ts'
import { findKnownLog, furthestCheckpoint, type KnownLog } from '../identity/queries.ts'
import { identifyLog, identityOf, type LogIdentity, nameOf } from '../identity/recognize-log.ts'
import { beginning, type EventStore, type Position } from '../port.ts'
import { CannotMove } from './cannot-move.ts'
import { copyLog, type Verified, verifyCopy } from './copy-log.ts'
import {
  analyzePositions,
  atOnce,
  changeLog,
  createPositions,
  deleteSnapshots,
  forgetBlocks,
  forgetLogTimes,
  forgetReadModels,
  insertPositions,
  isProductRunning,
  knowsOfLogs,
  movePositions,
  takeMoveLock,
} from './queries.ts'

export interface LogAt {
  store: EventStore
  /** Without credentials. */
  address: string
}

/** `done` and `total` in the unit of the source's positions, or streams. */
export type OnProgress = (phase: 'copying' | 'comparing' | 'comparing streams', done: number, total: number) => void

export interface Move {
  databaseUrl: string
  source: LogAt
  target: LogAt
  /** Tables whose column `position` is one of the log; read models are built anew. */
  positionTables: readonly string[]
  clock: Clock
  onProgress: OnProgress
}

export type Moved = { state: 'moved'; verified: Verified } | { state: 'moved before' }

const withSession = async <T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> => {
  const db = new pg.Client({ connectionString: url, application_name: 'prosa-move-log', keepAlive: true })
  const lost = new Promise<never>((_, reject) => db.on('error', reject))
  lost.catch(() => undefined)
  await db.connect()
  try {
    // Without the session there is no lock.
    return await Promise.race([work(db), lost])
  } finally {
    await db.end().catch(() => undefined)
  }
}

const requireStopped = async (db: pg.Client): Promise<void> => {
  if (await isProductRunning(db))
    throw new CannotMove('Prosa is running on this database: stop all its processes, then move the log.')
}

const requireKnown = async (db: pg.Client): Promise<KnownLog> => {
  const known = (await knowsOfLogs(db)) ? await findKnownLog(db) : undefined
  if (known?.isConfirmed) return known
  throw new CannotMove(
    'This database does not know its log yet: start this version of Prosa once as before, stop it, then move.',
  )
}

/** The target is empty, a copy of the source, or the log that the source was copied from. */
const identifyTarget = async (source: LogIdentity, { target, clock }: Move): Promise<LogIdentity> => {
  const found = await identityOf(target.store)
  if (found && (found.copyOf === source.logId || source.copyOf === found.logId)) return found
  const of = found ? `is ${nameOf(found.logId, target.address)}` : `(${target.address}) holds events`
  const refusal = new CannotMove(`The other log ${of}, which is no copy of this one: empty it, or name another.`)
  if (found) throw refusal
  for await (const { events } of target.store.readWhole(beginning)) if (events.length > 0) throw refusal
  return identifyLog(target.store, { logId: randomUUID(), copyOf: source.logId }, clock)
}

const isUnchangedSince = async ({ store }: LogAt, last: Position): Promise<boolean> => {
  for await (const { events } of store.readWhole(last)) if (events.length > 0) return false
  return true
}

/**
 * Copies the source and makes the database belong to the copy, in one transaction at the end: until then it belongs to the source, and a
 * move that broke off goes on after the last event that was copied. Throws `CannotMove`, and what the stores throw.
 */
export const moveLog = (move: Move): Promise<Moved> =>
  withSession(move.databaseUrl, async (db) => {
    const { source, target, onProgress } = move
    if (!(await takeMoveLock(db)))
      throw new CannotMove('Another move of this log runs, or Prosa is starting: wait for it, then move the log.')
    await requireStopped(db)
    const known = await requireKnown(db)
    if ((await identityOf(target.store))?.logId === known.logId) return { state: 'moved before' }
    const identity = await identityOf(source.store)
    if (identity?.logId !== known.logId)
      throw new CannotMove(
        `This database belongs to ${nameOf(known.logId, known.address)}, which is not the log to be moved (${source.address}).`,
      )
    const { logId } = await identifyTarget(identity, move)

    let total = Number((await furthestCheckpoint(db)) ?? 0)
    const follow = (phase: 'copying' | 'comparing') => (reached: Position) => {
      total = Math.max(total, Number(reached))
      onProgress(phase, Number(reached), total)
    }
    await copyLog(source.store, target.store, follow('copying'))
    await createPositions(db)
    let last = beginning
    const verified = await verifyCopy(source.store, target.store, {
      onEvent: follow('comparing'),
      async onPositions(from, to) {
        await insertPositions(db, from, to)
        last = from.at(-1) ?? last
      },
      onStream: (done, streams) => onProgress('comparing streams', done, streams),
    })
    await requireStopped(db)
    if (!(await isUnchangedSince(source, last)))
      throw new CannotMove(
        'Events were appended to the log while it was moved: stop all processes of Prosa, then move it again.',
      )
    await exchange(db, move, { from: known.logId, to: logId })
    return { state: 'moved', verified }
  })

const exchange = async (
  db: pg.Client,
  { positionTables, target }: Move,
  { from, to }: { from: string; to: string },
): Promise<void> => {
  await analyzePositions(db)
  await atOnce(db, async () => {
    await forgetReadModels(db)
    for (const table of positionTables) await movePositions(db, table)
    await deleteSnapshots(db)
    await forgetLogTimes(db)
    await forgetBlocks(db)
    if (!(await changeLog(db, from, to, target.address)))
      throw new CannotMove('The database was given to another log while this one was moved: nothing was changed.')
  })
}
