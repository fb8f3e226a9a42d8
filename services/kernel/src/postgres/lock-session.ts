import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { serialQueue } from '../async/keyed-queue.ts'
import { deriveId } from '../derive-id.ts'

/** Heartbeats within the silence after which the holder loses its locks. */
const heartbeats = 3
const partingMs = 2000

/** A 63-bit lock number that follows from a name. */
const lockNumber = (name: string): bigint => BigInt(`0x${deriveId('lock', name).replaceAll('-', '').slice(0, 15)}`)

/** One connection, and the locks that hang on it. */
export interface LockSession {
  /** False while somebody else has the lock, in this process or in another. Rejects when the session is lost. */
  take(name: string): Promise<boolean>
  /** Gives back a lock that was taken; never rejects, and after a loss there is nothing to give. */
  give(name: string): Promise<void>
  /** Aborts when the server may have given the locks to others. */
  lost: AbortSignal
  /** Whether they are still held, by this process's own clock: one that was frozen may not have been notified of the loss yet. */
  isMine(): boolean
  close(): Promise<void>
}

/** The server ends the session, and with it the locks, when it has received nothing from it for so long. */
const openLockSession = async (url: string, silenceMs: number): Promise<LockSession> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'prosa-lock',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: silenceMs,
  })
  const lost = new AbortController()
  const held = new Set<string>()
  client.on('error', (error) => lost.abort(error))
  client.on('end', () => lost.abort(new Error('the connection that held the locks ended')))
  const end = async () => {
    // A connection that is half open never reports its end.
    const parting = Promise.race([client.end(), delay(partingMs, undefined, { ref: false })])
    await parting.catch((error) => lost.abort(error))
  }
  let answeredAt = 0
  const inTurn = serialQueue()
  /** Asks the server, one question after the other; what it cannot answer is a loss. */
  const ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row | undefined> => {
    const answer = inTurn(async () => {
      lost.signal.throwIfAborted()
      const askedAt = performance.now()
      const { rows } = await client.query<Row>(text, values)
      answeredAt = askedAt
      return rows[0]
    })
    answer.catch((error) => lost.abort(error))
    return answer
  }
  try {
    await client.connect()
    await ask(`select set_config('idle_session_timeout', $1, false)`, [String(silenceMs)])
  } catch (error) {
    await end()
    throw error
  }

  const isMine = () => {
    if (!lost.signal.aborted && performance.now() - answeredAt >= silenceMs)
      lost.abort(new Error('this process stood still, or was cut off, for too long to still hold the locks'))
    return !lost.signal.aborted
  }
  let isAsking = false
  const beat = async () => {
    if (isAsking || !isMine()) return
    isAsking = true
    await Promise.allSettled([ask('select 1')])
    isAsking = false
  }
  const pulse = setInterval(beat, silenceMs / heartbeats)
  const close = async () => {
    clearInterval(pulse)
    await end()
  }
  lost.signal.addEventListener('abort', close, { once: true })

  return {
    async take(name) {
      // A session may have its own lock again and again: those who share it are kept apart here.
      if (held.has(name)) return false
      held.add(name)
      const row = await ask<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockNumber(name)])
      if (!row?.taken) held.delete(name)
      return row?.taken === true
    },
    async give(name) {
      await Promise.allSettled([ask('select pg_advisory_unlock($1)', [lockNumber(name)])])
      held.delete(name)
    },
    lost: lost.signal,
    isMine,
    close,
  }
}

interface Shared {
  users: number
  session: Promise<LockSession> | undefined
}

const shared = new Map<string, Shared>()

export interface LockSessions {
  /** The session that this process has now, or a new one when the last was lost. Rejects as connecting does. */
  current(): Promise<LockSession>
  leave(): Promise<void>
}

/**
 * The process has one session with a database for all its locks of the same silence, for as long as anybody here wants one: two
 * dozen workers need no two dozen connections, and those who wait in line make no new one for each try.
 */
export const joinLockSessions = (url: string, silenceMs: number): LockSessions => {
  const key = `${silenceMs} ${url}`
  const entry = shared.get(key) ?? { users: 0, session: undefined }
  shared.set(key, entry)
  entry.users++
  return {
    async current() {
      const last = entry.session
      const session = await last?.catch(() => undefined)
      if (session && !session.lost.aborted) return session
      // The first who notices makes the next; the others wait for that one.
      if (entry.session && entry.session !== last) return entry.session
      entry.session = openLockSession(url, silenceMs)
      return entry.session
    },
    async leave() {
      if (--entry.users > 0) return
      shared.delete(key)
      await (await entry.session?.catch(() => undefined))?.close()
    },
  }
}
