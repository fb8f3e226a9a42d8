import { hash as digest, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Pool } from 'pg'
import { type LruMap, lruMap } from '../lru-map.ts'
import { listen } from '../postgres/listen.ts'

export const browserSessionSchema = `
  create table if not exists browser_session (
    token_hash bytea primary key,
    user_id uuid not null,
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now()
  );
  alter table browser_session add column if not exists credential_id uuid;
  create index if not exists browser_session_user on browser_session (user_id)`

/** `__Host-`: only over a secure channel (or the machine itself), only for this host, for every path. */
export const sessionCookie = '__Host-prosa'

/** Idle for a week or 30 days old: the browser signs in again. */
export const absoluteSeconds = 30 * 24 * 3600
export const idleSeconds = 7 * 24 * 3600

/** Channel on which every revocation is announced, with the hash of its token. */
export const revokedChannel = 'prosa_session_revoked'

/** How long a session that was found may be taken from memory, and how many of them. */
const memorySeconds = 30
const memorySize = 20_000

interface Session {
  userId: string
  sessionId: string
}

/** Who sits in front of a browser. Tokens are opaque random text; only their hashes are stored. */
export interface BrowserSessions {
  /** A new session; the token goes into the cookie and nowhere else. `credentialId` names the password that was proved. */
  issue(userId: string, credentialId?: string): Promise<{ token: string; sessionId: string }>
  /** The session belongs to this password from now on. */
  assign(token: string, credentialId: string): Promise<void>
  resolve(token: string): Promise<Session | undefined>
  /** The same where it is known without a query; undefined says nothing. */
  remembered(token: string): Session | undefined
  revoke(token: string): Promise<void>
  /** Every session of a user, e.g. because the password is a new one; those that belong to `exceptCredentialId` go on. */
  revokeAll(userId: string, exceptCredentialId?: string): Promise<void>
  /** Hears the ids of sessions as they are revoked, here or in another process, so that their sockets can be closed. */
  onRevoked(listener: (sessionId: string) => void): void
}

/** Where to hear of what other processes revoke, until the signal aborts. Without it nothing is kept in memory. */
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

  /** By the hash of the token. Undefined while revocations elsewhere go unheard. */
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
  /** Ends the sessions that fulfil the condition: everywhere soon, and here before it resolves. */
  const revoke = async (condition: string, values: readonly unknown[]) => {
    const { rows } = await pool.query<{ hash: string }>(
      `with ended as (delete from browser_session where ${condition} returning encode(token_hash, 'hex') as hash)
       select hash, pg_notify('${revokedChannel}', hash) from ended`,
      [...values],
    )
    for (const { hash } of rows) forget(hash)
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
    const { rows } = await pool.query<{ user_id: string; stale: boolean; seconds_left: number }>({
      name: 'browser session',
      text: `select user_id, seen_at < now() - interval '1 hour' as stale,
               extract(epoch from least(
                 seen_at + make_interval(secs => ${idleSeconds}),
                 created_at + make_interval(secs => ${absoluteSeconds})
               ) - now())::float8 as seconds_left
             from browser_session where token_hash = decode($1, 'hex')`,
      values: [hash],
    })
    const found = rows[0]
    if (!found || found.seconds_left <= 0) return undefined
    if (found.stale)
      await pool.query("update browser_session set seen_at = now() where token_hash = decode($1, 'hex')", [hash])
    const session = { userId: found.user_id, sessionId: sessionIdOf(hash) }
    const until = asked + Math.min(memorySeconds, found.seconds_left) * 1000
    if (changes === changesBefore) memory?.set(hash, { session, until })
    return session
  }

  return {
    async issue(userId, credentialId) {
      const token = randomBytes(32).toString('base64url')
      const hash = hashOf(token)
      await pool.query(
        "insert into browser_session (token_hash, user_id, credential_id) values (decode($1, 'hex'), $2, $3)",
        [hash, userId, credentialId ?? null],
      )
      return { token, sessionId: sessionIdOf(hash) }
    },
    async assign(token, credentialId) {
      await pool.query("update browser_session set credential_id = $2 where token_hash = decode($1, 'hex')", [
        hashOf(token),
        credentialId,
      ])
    },
    async resolve(token) {
      const hash = hashOf(token)
      return recall(hash) ?? find(hash)
    },
    remembered: (token) => recall(hashOf(token)),
    revoke: (token) => revoke("token_hash = decode($1, 'hex')", [hashOf(token)]),
    revokeAll: (userId, exceptCredentialId) =>
      revoke('user_id = $1 and ($2::uuid is null or credential_id is distinct from $2)', [
        userId,
        exceptCredentialId ?? null,
      ]),
    onRevoked(listener) {
      revoked.on('revoked', listener)
    },
  }
}
