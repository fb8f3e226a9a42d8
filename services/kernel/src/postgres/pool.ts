import pg, { type Pool, type PoolClient } from 'pg'
import { isUnreachable } from './is-unreachable.ts'

export interface PoolOptions {
  /** 10 by default. */
  max?: number
  /** The pool replaces the connection. */
  onError?: (error: Error) => void
  /** Per statement, 30 s by default; see `withoutTimeout`. */
  answerMs?: number
  /** The server then ends a frozen process's transaction, with its locks. 20 s by default, less than the time-out of waiters. */
  idleTransactionMs?: number
  /** See `preferIndexes`. */
  prefersIndexes?: boolean
}

/**
 * A prepared plan lasts until the next analyze: made for few rows, it would scan a growing table. Only for connections that write log and
 * read models by key.
 */
export const preferIndexes = '-c enable_seqscan=off'

/** Ten seconds later a dead connection is detected. */
const keepAliveMs = 20_000

/** Without a listener a lost connection ends the process. The failed query shows the loss. */
const ignoreLostConnection = () => undefined

/**
 * Waits at most 5 seconds for a connection. After an answer time-out the connection is replaced and the outcome unknown. int8 (and
 * `count(*)`) arrives as text, timestamptz as Date, jsonb parsed.
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
  // The pool listens only to idle connections.
  pool.on('connect', (client) => client.on('error', report))
  pool.on('error', report)
  return pool
}

export const transaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // Closes a connection that cannot roll back; the server then does.
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
