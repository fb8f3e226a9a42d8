import pg, { type Pool, type PoolClient } from 'pg'
import { isUnreachable } from './is-unreachable.ts'

export interface PoolOptions {
  /** Connections at the same time; 10 by default. */
  max?: number
  /** Called once for each connection that was lost; the pool replaces it. */
  onError?: (error: Error) => void
  /** How long a statement may take to be answered; 30 s by default. For those that may take longer see `withoutTimeout`. */
  answerMs?: number
  /**
   * How long a transaction may stand open without a statement before the server ends it, and with it the locks that it holds:
   * of a process that is frozen, or cut off. 20 s by default, less than the time-out of those who wait for such a lock.
   */
  idleTransactionMs?: number
  /** For connections that run nothing but statements that `preferIndexes` is for. */
  prefersIndexes?: boolean
}

/**
 * What an index finds is looked up by it. A prepared statement keeps its plan until the table is analyzed again, a minute later
 * or so: planned while there were a few rows, it would read the whole table each time, while messages fill it. Only for
 * connections of their own that write the log and the read models by key: whoever reads much of a table is better off without,
 * and who plans a statement each time needs no help.
 */
export const preferIndexes = '-c enable_seqscan=off'

/** A connection whose other end is gone is known to be lost after so long, and ten seconds more. */
const keepAliveMs = 20_000

/**
 * Without a listener the loss of a connection would end the process. Whoever uses a connection is notified of its loss by the
 * failed query, and nobody waits for an idle one, so ignoring it loses nothing.
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
    answerMs = 30_000,
    idleTransactionMs = 20_000,
    prefersIndexes = false,
  }: PoolOptions = {},
): Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    ...(prefersIndexes && { options: preferIndexes }),
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
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
