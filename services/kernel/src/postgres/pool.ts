import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pg, { type Pool, type PoolClient } from 'pg'
import { isUnreachable } from './is-unreachable.ts'

export interface PoolOptions {
  /** Connections at the same time; 10 unless said. */
  max?: number
  /** Hears once of each connection that was lost; the pool replaces them by itself. */
  onError?: (error: Error) => void
  /**
   * How long a statement may take to be answered; 30 s unless said. Those that may take longer say so: see `patient`.
   */
  answerMilliseconds?: number
  /**
   * How long a transaction may stand open without a statement before the server ends it, and with it the locks that it
   * holds: of a process that is frozen, or cut off. 20 s unless said, less than whoever waits for such a lock has
   * patience.
   */
  idleTransactionMilliseconds?: number
}

/**
 * What an index finds is looked up by it. A prepared statement keeps its plan until the table is analyzed again, a minute later
 * or so: planned while there were a few rows, it would read the whole table each time, while messages fill it.
 */
export const preferIndexes = '-c enable_seqscan=off'

/** A connection whose other end is gone is known to be lost after so long, and ten seconds more. */
const keepAliveMilliseconds = 20_000

/**
 * Without a listener the loss of a connection would end the process. Whoever uses a connection hears of its loss from the
 * query itself, and nobody waits for an idle one, so silence loses nothing.
 */
const ignoreLostConnection = () => undefined

/**
 * Connections to `postgres://…`. A query that gets no connection within 5 seconds fails, and so does one whose answer
 * takes too long: its connection may be half open, and is replaced. What it did is unknown then. Values arrive as pg
 * has them: int8 (and so `count(*)`) as text, timestamptz as Date, jsonb parsed.
 */
export const openPool = (
  url: string,
  {
    max = 10,
    onError = ignoreLostConnection,
    answerMilliseconds = 30_000,
    idleTransactionMilliseconds = 20_000,
  }: PoolOptions = {},
): Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    options: preferIndexes,
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMilliseconds,
    query_timeout: answerMilliseconds,
    idle_in_transaction_session_timeout: idleTransactionMilliseconds,
    application_name: 'prosa',
  })
  const reported = new WeakSet<Error>()
  const report = (error: Error) => {
    if (!reported.has(error)) onError(error)
    reported.add(error)
  }
  // The pool itself listens to idle connections only, not to those that are checked out.
  pool.on('connect', (client) => client.on('error', report))
  pool.on('error', report)
  return pool
}

/** Runs `work` in one transaction: commits what it did when it resolves, rolls back when it throws, and throws the same. */
export const transaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away; the server then rolls back by itself.
    if (error instanceof Error && isUnreachable(error)) broken = error
    else
      await client.query('rollback').catch((failure) => {
        broken = failure
      })
    throw error
  } finally {
    client.release(broken)
  }
}

const firstPauseMilliseconds = 50
const longestPauseMilliseconds = 5000

/** Doubles with each failed attempt, up to 5 s, and spreads over half of that, so that processes do not return in step. */
const pauseMilliseconds = (failures: number) =>
  Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** failures) * (0.5 + Math.random() / 2)

export interface ListenOptions {
  /** Hears that the connection is gone, before another one is made: from here on notifications are missed. */
  onLost?: () => void
  /** Hears after every connect, and with every heartbeat that was answered, that nothing was missed up to now. */
  onAlive?: () => void
  /** How often the connection is asked whether it still lives, and how long it may take to answer; 5 s unless said. */
  heartbeatMilliseconds?: number
}

/**
 * Listens on a channel over a connection of its own until the signal aborts, and connects again by itself when that is
 * lost, or silent. `onNotify` gets the payload of each notification, and `undefined` once after every connect: whatever was
 * notified before that was missed. Callers keep a safety poll or hear of the loss, so failed attempts are not reported.
 */
export const listen = (
  url: string,
  channel: string,
  onNotify: (payload: string | undefined) => void,
  signal: AbortSignal,
  options: ListenOptions = {},
): void => {
  void stayConnected(url, channel, onNotify, signal, options)
}

const stayConnected = async (
  url: string,
  channel: string,
  onNotify: (payload: string | undefined) => void,
  signal: AbortSignal,
  { onLost, onAlive, heartbeatMilliseconds = 5000 }: ListenOptions,
): Promise<void> => {
  let failures = 0
  while (!signal.aborted) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5000,
      query_timeout: heartbeatMilliseconds,
      keepAlive: true,
      application_name: 'prosa-listen',
    })
    const close = () => client.end().catch(() => undefined)
    let heartbeat: ReturnType<typeof setInterval> | undefined
    // 'end' follows each of these errors and is what the loop below waits for.
    client.on('error', ignoreLostConnection)
    client.on('notification', ({ payload }) => onNotify(payload ?? ''))
    const ended = once(client, 'end', { signal }).catch(() => undefined)
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      failures = 0
      onNotify(undefined)
      onAlive?.()
      heartbeat = setInterval(() => client.query('select 1').then(() => onAlive?.(), close), heartbeatMilliseconds)
      await ended
    } catch {
      failures++
    } finally {
      clearInterval(heartbeat)
      onLost?.()
      await close()
    }
    await delay(pauseMilliseconds(failures), undefined, { signal }).catch(() => undefined)
  }
}
