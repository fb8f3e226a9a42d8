import { hash as digest, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Pool } from 'pg'
import { type LruMap, lruMap } from '../lru-map.ts'
import { listen } from '../postgres/listen.ts'
import { transaction } from '../postgres/pool.ts'
import type { CurrentCredential } from './browser-session-queries.ts'
import * as queries from './browser-session-queries.ts'

/** `__Host-`: only over a secure channel (or the machine itself), only for this host, for every path. */
export const sessionCookie = '__Host-prosa'

/** Idle for a week or 30 days old: the browser signs in again. */
export const absoluteSeconds = 30 * 24 * 3600
export const idleSeconds = 7 * 24 * 3600

/** Browsers that one account is signed in with: who signs in with one more is signed out of the oldest. */
const maxSessions = 200

/** Channel on which every revocation is announced, with the hash of its token. */
export const revokedChannel = 'prosa_session_revoked'

/** How long a session that was found may be taken from memory, and how many of them. */
const memorySeconds = 30
const memorySize = 20_000

interface Session {
  userId: string
  sessionId: string
  /** The password was set by somebody else: until the user has set another one, the session is good for that only. */
  mustChangePassword: boolean
}

/** A new session; the token goes into the cookie and nowhere else. */
interface Issued {
  token: string
  sessionId: string
}

/**
 * Who sits in front of a browser. Tokens are opaque random text; only their hashes are stored. A session belongs to the
 * password that was proved for it, and holds only as long as that is the account's: docs/decisions/0025-current-password.md.
 */
export interface BrowserSessions {
  /** For accounts of which no password is known here; it ends as soon as one is. */
  issue(userId: string): Promise<Issued>
  /** For who proved this password just now; undefined when `follow` never named it, or another one since. */
  issueFor(userId: string, credentialId: string): Promise<Issued | undefined>
  /** The session, whose user proved the password `from` just now, goes on when the account's password becomes `to`. */
  assign(token: string, credentials: { from: string; to: string }): Promise<void>
  /** Which password the account has by now: every session that belongs to another one ends. What comes late changes nothing. */
  follow(current: CurrentCredential): Promise<void>
  resolve(token: string): Promise<Session | undefined>
  /** The same where it is known without a query; undefined where it is not. */
  remembered(token: string): Session | undefined
  revoke(token: string): Promise<void>
  /** Called at least once with the id of each session that is revoked, here or in another process, so that its sockets can be closed. */
  onRevoked(listener: (sessionId: string) => void): void
}

/** Where revocations of other processes are announced, until the signal aborts. Without it nothing is kept in memory. */
export interface Revocations {
  url: string
  signal: AbortSignal
}

interface Remembered {
  session: Session
  /** On this process's stopwatch, in milliseconds. */
  until: number
}

export const browserSessions = (pool: Pool, revocations?: Revocations): BrowserSessions => {
  const revoked = new EventEmitter()
  const hashOf = (token: string) => digest('sha256', token)
  const sessionIdOf = (hash: string) => digest('sha256', `id ${hash}`)

  /** By the hash of the token. Undefined while revocations elsewhere are not received. */
  let memory: LruMap<string, Remembered> | undefined
  /** Counts whatever may have made an answer of the database wrong that is still on its way. */
  let changes = 0

  const startMemory = () => {
    changes++
    memory = lruMap(memorySize)
  }
  const stopMemory = () => {
    changes++
    memory = undefined
  }
  const forget = (hash: string) => {
    changes++
    memory?.delete(hash)
    revoked.emit('revoked', sessionIdOf(hash))
  }
  if (revocations) {
    const { url, signal } = revocations
    const onNotify = (hash: string | undefined) => (hash === undefined ? startMemory() : forget(hash))
    listen(url, revokedChannel, onNotify, signal, { onLost: stopMemory })
  }

  const recall = (hash: string): Session | undefined => {
    const known = memory?.get(hash)
    return known && performance.now() < known.until ? known.session : undefined
  }

  const find = async (hash: string): Promise<Session | undefined> => {
    const changesBefore = changes
    const asked = performance.now()
    const found = await queries.findSession(pool, hash, { idleSeconds, absoluteSeconds })
    if (!found || found.seconds_left <= 0) return undefined
    if (found.stale)
      await pool.query("update browser_session set seen_at = now() where token_hash = decode($1, 'hex')", [hash])
    const session = {
      userId: found.user_id,
      sessionId: sessionIdOf(hash),
      mustChangePassword: found.must_change_password,
    }
    const until = asked + Math.min(memorySeconds, found.seconds_left) * 1000
    if (changes === changesBefore) memory?.set(hash, { session, until })
    return session
  }

  const endOldest = async (userId: string) => {
    for (const hash of await queries.endOldestSessions(pool, userId, maxSessions, revokedChannel)) forget(hash)
  }

  const newToken = () => {
    const token = randomBytes(32).toString('base64url')
    const hash = hashOf(token)
    return { hash, issued: { token, sessionId: sessionIdOf(hash) } }
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
      return recall(hash) ?? find(hash)
    },
    remembered: (token) => recall(hashOf(token)),
    async revoke(token) {
      const hash = hashOf(token)
      if (await queries.endSession(pool, hash, revokedChannel)) forget(hash)
    },
    onRevoked(listener) {
      revoked.on('revoked', listener)
    },
  }
}
