import { hash as digest, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Pool } from 'pg'
import { type LruMap, lruMap } from '../../lru-map.ts'
import { listen } from '../../postgres/listen.ts'
import { transaction } from '../../postgres/pool.ts'
import type { Session } from '../authentication/authenticator.ts'
import type { CurrentCredential } from './browser-session-queries.ts'
import * as queries from './browser-session-queries.ts'

/** `__Host-`: secure channel, this host only, every path. */
export const sessionCookie = '__Host-prosa'

export const absoluteSeconds = 30 * 24 * 3600
export const idleSeconds = 7 * 24 * 3600

/** One more sign-in ends the oldest session. */
const maxSessions = 200

/** Payload: the token's hash. */
export const revokedChannel = 'prosa_session_revoked'

/** Lifetime and size of the cache. */
const cacheSeconds = 30
const maxCachedSessions = 20_000

interface Issued {
  token: string
  sessionId: string
}

/** Only hashes of tokens are stored. A session ends with the account's password (docs/decisions/0025-current-password.md). */
export interface BrowserSessions {
  /** For accounts without a known password. */
  issue(userId: string): Promise<Issued>
  /** Undefined when `follow` never named this password, or named a later one. */
  issueFor(userId: string, credentialId: string): Promise<Issued | undefined>
  /** Keeps the session when the password changes from `from`, which it proved, to `to`. */
  assign(token: string, credentials: { from: string; to: string }): Promise<void>
  /** Ends sessions of other passwords; outdated calls have no effect. */
  follow(current: CurrentCredential): Promise<void>
  resolve(token: string): Promise<Session | undefined>
  /** From the cache. */
  cached(token: string): Session | undefined
  revoke(token: string): Promise<void>
  /** Called at least once per revoked session of any process. */
  onRevoked(listener: (sessionId: string) => void): void
}

/** Revocations of other processes; nothing is cached without them. */
export interface Revocations {
  url: string
  signal: AbortSignal
}

interface CachedSession {
  session: Session
  /** In milliseconds. */
  until: number
}

const hashOf = (token: string) => digest('sha256', token)
const sessionIdOf = (hash: string) => digest('sha256', `id ${hash}`)

const newToken = () => {
  const token = randomBytes(32).toString('base64url')
  const hash = hashOf(token)
  return { hash, issued: { token, sessionId: sessionIdOf(hash) } }
}

/** By the token's hash; empty while revocations are not received. */
const sessionCache = () => {
  let sessions: LruMap<string, CachedSession> | undefined
  let changes = 0
  return {
    /** A result of a query during a change must not be cached. */
    changes: () => changes,
    start() {
      changes++
      sessions = lruMap(maxCachedSessions)
    },
    stop() {
      changes++
      sessions = undefined
    },
    delete(hash: string) {
      changes++
      sessions?.delete(hash)
    },
    set: (hash: string, session: CachedSession) => sessions?.set(hash, session),
    get(hash: string): Session | undefined {
      const known = sessions?.get(hash)
      return known && performance.now() < known.until ? known.session : undefined
    },
  }
}

export const browserSessions = (pool: Pool, revocations?: Revocations): BrowserSessions => {
  const revoked = new EventEmitter()
  const cache = sessionCache()

  const forget = (hash: string) => {
    cache.delete(hash)
    revoked.emit('revoked', sessionIdOf(hash))
  }
  if (revocations) {
    const { url, signal } = revocations
    const onNotify = (hash: string | undefined) => (hash === undefined ? cache.start() : forget(hash))
    listen(url, revokedChannel, onNotify, signal, { onLost: cache.stop })
  }

  const find = async (hash: string): Promise<Session | undefined> => {
    const changesBefore = cache.changes()
    const asked = performance.now()
    const found = await queries.findSession(pool, hash, { idleSeconds, absoluteSeconds })
    if (!found || found.seconds_left <= 0) return undefined
    if (found.stale)
      await pool.query("update browser_session set seen_at = now() where token_hash = decode($1, 'hex')", [hash])
    const session = {
      userId: found.user_id,
      sessionId: sessionIdOf(hash),
      mustChangePassword: found.must_change_password,
      endsAt: Math.floor(found.ends_at),
    }
    const until = asked + Math.min(cacheSeconds, found.seconds_left) * 1000
    if (cache.changes() === changesBefore) cache.set(hash, { session, until })
    return session
  }

  const endOldest = async (userId: string) => {
    for (const hash of await queries.endOldestSessions(pool, userId, maxSessions, revokedChannel)) forget(hash)
  }

  return {
    async issue(userId) {
      const { hash, issued } = newToken()
      await queries.addSession(pool, hash, userId)
      await endOldest(userId)
      return issued
    },
    async issueFor(userId, credentialId) {
      const { hash, issued } = newToken()
      if (!(await queries.addSessionOf(pool, hash, userId, credentialId))) return undefined
      await endOldest(userId)
      return issued
    },
    assign: (token, credentials) => queries.assignSession(pool, hashOf(token), credentials),
    async follow(current) {
      const ended = await transaction(pool, (db) => queries.followCredential(db, current, revokedChannel))
      for (const hash of ended) forget(hash)
    },
    async resolve(token) {
      const hash = hashOf(token)
      return cache.get(hash) ?? find(hash)
    },
    cached: (token) => cache.get(hashOf(token)),
    async revoke(token) {
      const hash = hashOf(token)
      if (await queries.endSession(pool, hash, revokedChannel)) forget(hash)
    },
    onRevoked(listener) {
      revoked.on('revoked', listener)
    },
  }
}
