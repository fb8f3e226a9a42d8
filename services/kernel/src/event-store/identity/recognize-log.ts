import { randomUUID } from 'node:crypto'
import type { EventMetadata } from '@prosa/contracts/events/metadata'
import type { Pool } from 'pg'
import type { Clock } from '../../clock.ts'
import { type EventStore, type Position, PositionOfAnotherLog } from '../port.ts'
import { claimLogId, confirmLog, findKnownLog, furthestCheckpoint, isMoving } from './queries.ts'

/** The database belongs to another log. Its message is one sentence for who starts the product. */
export class WrongLog extends Error {
  override name = 'WrongLog'
}

/** Of no service: no consumer follows it. Its only event is the log's first, or was added to an older log. */
export const identityStream = 'log-identity'
const identityEvent = 'LogIdentified'

export interface LogIdentity {
  logId: string
  /** The log that this one was copied from; positions of the two differ. */
  copyOf: string | undefined
}

/** Undefined: the log bears no id. */
export const identityOf = async (store: EventStore): Promise<LogIdentity | undefined> => {
  for await (const [first] of store.read(identityStream, { max: 1 })) {
    const { logId, copyOf } = first?.data ?? {}
    if (typeof logId !== 'string') throw new Error(`${identityStream} was not written by this product`)
    return { logId, copyOf: typeof copyOf === 'string' ? copyOf : undefined }
  }
  return undefined
}

/** Idempotent for one id; returns what the log bears. */
export const identifyLog = async (
  store: EventStore,
  { logId, copyOf }: LogIdentity,
  clock: Clock,
): Promise<LogIdentity> => {
  const metadata: EventMetadata = {
    causationId: logId,
    correlationId: logId,
    actor: { kind: 'system', id: identityStream },
    tenant: null,
    schemaVersion: 1,
    recordedAt: clock.now(),
  }
  const data = { logId, ...(copyOf !== undefined && { copyOf }) }
  await store.append(identityStream, 'no_stream', [{ id: logId, type: identityEvent, data, metadata }])
  const found = await identityOf(store)
  if (found === undefined) throw new Error('the identity of the log cannot be read')
  return found
}

export interface StartedWith {
  store: EventStore
  pool: Pool
  clock: Clock
  /** Where the log is, without credentials. */
  address: string
}

/**
 * Compares the id in the log with the one in the database. Throws `WrongLog` before anything is changed, also while the log is moved.
 * Installations of earlier releases have no id: they get one where the log reaches as far as the database has read.
 */
export const recognizeLog = async ({ store, pool, clock, address }: StartedWith): Promise<LogIdentity> => {
  if (await isMoving(pool))
    throw new WrongLog(
      'The log of this database is being moved by npm run move-log: wait for it, or end it, before the start.',
    )
  const known = await findKnownLog(pool)
  const identity = await identityOf(store)
  const found = identity?.logId
  if (known && known.logId !== found && (found !== undefined || known.isConfirmed))
    throw new WrongLog(
      sentence(nameOf(known.logId, known.address), found ? nameOf(found, address) : `${address}, ${noId}`),
    )
  if (!known) {
    const reached = await furthestCheckpoint(pool)
    if (reached !== undefined && !(await holds(store, reached)))
      throw new WrongLog(sentence(logReadTo(reached), found ? nameOf(found, address) : `${address}, ${tooShort}`))
  }
  const claimed = await claimLogId(pool, known?.logId ?? found ?? randomUUID(), address)
  const borne = identity ?? (await identifyLog(store, { logId: claimed, copyOf: undefined }, clock))
  if (borne.logId !== claimed) throw new WrongLog(sentence(nameOf(claimed, address), nameOf(borne.logId, address)))
  await confirmLog(pool, claimed, address)
  return borne
}

const noId = 'which bears no id: it is another one, or was emptied'
const tooShort = 'which does not hold the event that this database read last: it is another one, or was emptied'

export const nameOf = (logId: string, address: string) => `the log ${logId} (${address})`

/** Of databases without an id the form of a position says which kind of log it is. */
const logReadTo = (position: Position): string =>
  `the log that it has read up to ${position} (${position.length > 19 ? 'an EventStoreDB' : 'in PostgreSQL'})`

const sentence = (known: string, given: string): string =>
  `This database belongs to ${known}, but was started with ${given}; nothing was changed: ` +
  'set EVENTSTORE_URL to the log that the database belongs to, or unset it where that is in PostgreSQL.'

/** Any category makes the server check the position. */
const holds = async (store: EventStore, position: Position): Promise<boolean> => {
  try {
    for await (const _ of store.readAll(position, { categories: ['user'] })) return true
    return true
  } catch (error) {
    if (error instanceof PositionOfAnotherLog) return false
    throw error
  }
}

/** Host and port of `esdb://user:password@host:port?…`. */
export const addressOfLog = (eventStoreUrl: string | undefined): string => {
  if (eventStoreUrl === undefined) return 'PostgreSQL'
  const hosts = /^[^:]+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(eventStoreUrl)?.[1]
  return `EventStoreDB at ${hosts ?? 'an unreadable address'}`
}
