import { createHash, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Pool } from 'pg'

export const browserSessionSchema = `
  create table if not exists browser_session (
    token_hash bytea primary key,
    user_id uuid not null,
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now()
  );
  create index if not exists browser_session_user on browser_session (user_id)`

/** `__Host-`: only over a secure channel (or the machine itself), only for this host, for every path. */
export const sessionCookie = '__Host-prosa'

/** Idle for a week or 30 days old: the browser signs in again. */
export const absoluteSeconds = 30 * 24 * 3600
const idleSeconds = 7 * 24 * 3600

/** Who sits in front of a browser. Tokens are opaque random text; only their hashes are stored. */
export interface BrowserSessions {
  /** A new session; the token goes into the cookie and nowhere else. */
  issue(userId: string): Promise<{ token: string; sessionId: string }>
  resolve(token: string): Promise<{ userId: string; sessionId: string } | undefined>
  revoke(token: string): Promise<void>
  /** Hears the session ids that were revoked in this process, so that their sockets can be closed. */
  onRevoked(listener: (sessionId: string) => void): void
}

export const browserSessions = (pool: Pool): BrowserSessions => {
  const revoked = new EventEmitter()
  const hash = (token: string) => createHash('sha256').update(token).digest()
  const sessionIdOf = (token: string) => hash(`id ${token}`).toString('hex')
  return {
    async issue(userId) {
      const token = randomBytes(32).toString('base64url')
      await pool.query('insert into browser_session (token_hash, user_id) values ($1, $2)', [hash(token), userId])
      return { token, sessionId: sessionIdOf(token) }
    },
    async resolve(token) {
      const { rows } = await pool.query<{ user_id: string; stale: boolean }>(
        `select user_id, seen_at < now() - interval '1 hour' as stale from browser_session
         where token_hash = $1
           and seen_at > now() - make_interval(secs => ${idleSeconds})
           and created_at > now() - make_interval(secs => ${absoluteSeconds})`,
        [hash(token)],
      )
      const session = rows[0]
      if (!session) return undefined
      if (session.stale)
        await pool.query('update browser_session set seen_at = now() where token_hash = $1', [hash(token)])
      return { userId: session.user_id, sessionId: sessionIdOf(token) }
    },
    async revoke(token) {
      await pool.query('delete from browser_session where token_hash = $1', [hash(token)])
      revoked.emit('revoked', sessionIdOf(token))
    },
    onRevoked(listener) {
      revoked.on('revoked', listener)
    },
  }
}
