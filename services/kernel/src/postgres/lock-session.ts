import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { serialQueue } from '../async/keyed-queue.ts'
import { deriveId } from '../derive-id.ts'

/** Per silence. */
const heartbeats = 3
const partingMs = 2000

/** Whose locks a session has; PostgreSQL keeps 63 bytes. The machine's name is a container's id. */
const lockSessionName = `prosa-lock ${hostname().slice(0, 40)}:${process.pid}`

/** The advisory lock of the name. */
export const lockNumber = (name: string): bigint =>
  BigInt(`0x${deriveId('lock', name).replaceAll('-', '').slice(0, 15)}`)

export interface LockSession {
  /** False while held elsewhere, also in this process. Rejects when the session is lost. */
  take(name: string): Promise<boolean>
  /** Never rejects. */
  give(name: string): Promise<void>
  /** The server may have given the locks to others. */
  lost: AbortSignal
  /** By the process's own clock, for a frozen process. */
  isMine(): boolean
  close(): Promise<void>
}

/** The server ends a silent session, and so its locks. */
const openLockSession = async (url: string, silenceMs: number): Promise<LockSession> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: lockSessionName,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: silenceMs,
  })
  const lost = new AbortController()
  const takenNames = new Set<string>()
  client.on('error', (error) => lost.abort(error))
  client.on('end', () => lost.abort(new Error('the connection with the locks ended')))
  const end = async () => {
    // A half-open connection never reports its end.
    const parting = Promise.race([client.end(), delay(partingMs, undefined, { ref: false })])
    await parting.catch((error) => lost.abort(error))
  }
  let answeredAt = 0
  const serially = serialQueue()
  /** Serial; a failure loses the session. */
  const ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row | undefined> => {
    const answer = serially(async () => {
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
      lost.abort(new Error('this process was frozen or disconnected for too long to still hold the locks'))
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
      // A session may take its own lock again, so sharers are excluded here.
      if (takenNames.has(name)) return false
      takenNames.add(name)
      const row = await ask<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockNumber(name)])
      if (!row?.taken) takenNames.delete(name)
      return row?.taken === true
    },
    async give(name) {
      await Promise.allSettled([ask('select pg_advisory_unlock($1)', [lockNumber(name)])])
      takenNames.delete(name)
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
  /** A new session after a loss. Rejects when connecting fails. */
  current(): Promise<LockSession>
  leave(): Promise<void>
}

/** One session per database and silence: dozens of workers share a connection. */
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
