import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { serialQueue } from '../async/keyed-queue.ts'
import { deriveId } from '../derive-id.ts'
import type { LockClaim, LockView } from './lock-shares.ts'
import { allLocks, announceLocks, renounceLocks } from './queries.ts'

/** Per silence. */
const heartbeats = 3
const partingMs = 2000

/** Whose locks a session has; PostgreSQL keeps 63 bytes. The machine's name is a container's id. */
const lockSessionName = `prosa-lock ${hostname().slice(0, 40)}:${process.pid}`

/** The advisory lock of the name: at most 60 bits. */
export const lockNumber = (name: string): bigint =>
  BigInt(`0x${deriveId('lock', name).replaceAll('-', '').slice(0, 15)}`)

/**
 * The lock that all share who want another one: it ends with their session, as that one itself. Bits 60 and 61 have the generation, so that
 * four in a row are distinguished.
 */
const wantedBit = 1n << 62n
const generationBit = 60n
const lockBits = (1n << generationBit) - 1n

const announcementOf = (lock: bigint, generation: number): string =>
  String(wantedBit | (BigInt(generation % 4) << generationBit) | lock)

interface LockRow {
  pid: number
  number: string
  isMine: boolean
}

const claimOf = ({ pid: session, number }: LockRow): LockClaim => {
  const bits = BigInt(number)
  const lock = bits & lockBits
  if ((bits & wantedBit) === 0n) return { session, lock: bits, kind: 'holds' }
  return { session, lock, kind: 'wants', generation: Number((bits ^ wantedBit) >> generationBit) }
}

export interface LockSession {
  /** False while held elsewhere, also in this process. Rejects when the session is lost. */
  take(name: string): Promise<boolean>
  /** Never rejects. */
  give(name: string): Promise<void>
  /** Announces that this process wants these locks, by generation, and no others. All processes' claims, and which session is `mine`. */
  survey(wanted: ReadonlyMap<bigint, number>): Promise<Pick<LockView, 'mine' | 'claims'>>
  /** The server may have given the locks to others. */
  lost: AbortSignal
  /** By the process's own clock, for a frozen process. */
  isMine(): boolean
  close(): Promise<void>
}

/** Announces what the session wants, and takes back what it wants no more. */
const announcer = (ask: (text: string, values: unknown[]) => Promise<unknown>) => {
  const announced = new Set<string>()
  return async (wanted: ReadonlyMap<bigint, number>): Promise<void> => {
    const wishes = new Set([...wanted].map(([lock, generation]) => announcementOf(lock, generation)))
    const added = [...wishes].filter((wish) => !announced.has(wish))
    const removed = [...announced].filter((wish) => !wishes.has(wish))
    for (const wish of added) announced.add(wish)
    for (const wish of removed) announced.delete(wish)
    if (added.length > 0) await ask(announceLocks, [added])
    if (removed.length > 0) await ask(renounceLocks, [removed])
  }
}

/** Serial; a failure loses the session. */
const openConnection = (url: string, silenceMs: number) => {
  const client = new pg.Client({
    connectionString: url,
    application_name: lockSessionName,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: silenceMs,
  })
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  client.on('end', () => lost.abort(new Error('the connection with the locks ended')))
  const end = async () => {
    // A half-open connection never reports its end.
    const parting = Promise.race([client.end(), delay(partingMs, undefined, { ref: false })])
    await parting.catch((error) => lost.abort(error))
  }
  let answeredAt = 0
  const serially = serialQueue()
  const askAll = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const answer = serially(async () => {
      lost.signal.throwIfAborted()
      const askedAt = performance.now()
      const { rows } = await client.query<Row>(text, values)
      answeredAt = askedAt
      return rows
    })
    answer.catch((error) => lost.abort(error))
    return answer
  }
  const ask = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row | undefined> =>
    (await askAll<Row>(text, values))[0]
  return { connect: () => client.connect(), ask, askAll, end, lost, answeredAt: () => answeredAt }
}

/** The server ends a silent session, and so its locks. */
const openLockSession = async (url: string, silenceMs: number): Promise<LockSession> => {
  const { connect, ask, askAll, end, lost, answeredAt } = openConnection(url, silenceMs)
  const takenNames = new Set<string>()
  const announce = announcer(ask)
  try {
    await connect()
    await ask(`select set_config('idle_session_timeout', $1, false)`, [String(silenceMs)])
  } catch (error) {
    await end()
    throw error
  }

  const isMine = () => {
    if (!lost.signal.aborted && performance.now() - answeredAt() >= silenceMs)
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
    async survey(wanted) {
      await announce(wanted)
      const rows = await askAll<LockRow>(allLocks)
      return { mine: rows.find(({ isMine }) => isMine)?.pid ?? 0, claims: rows.map(claimOf) }
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
