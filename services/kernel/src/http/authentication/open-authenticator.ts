import { createRemoteJWKSet } from 'jose'
import type { Pool } from 'pg'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../observability/log.ts'
import { type BrowserSessions, browserSessions } from '../sign-in/browser-sessions.ts'
import type { Authenticator } from './authenticator.ts'
import { cookieAuthenticator } from './cookie-authenticator.ts'
import { endedSessions } from './ended-sessions.ts'
import { tokenAuthenticator } from './token-authenticator.ts'

/** Of identity; the gateway leads nobody there. */
export const keysPath = '/internal/keys'

export interface AuthenticationSettings {
  pool: Pool
  databaseUrl: string
  clock: Clock
  log: Logger
  signal: AbortSignal
  /** Identity's address, where tokens prove sessions. */
  tokensOf: string | undefined
}

/** With tokens, nothing reads the table of sessions. */
export const openAuthenticator = ({
  pool,
  databaseUrl,
  clock,
  log,
  signal,
  tokensOf,
}: AuthenticationSettings): { sessions: BrowserSessions; authenticator: Authenticator } => {
  if (tokensOf === undefined) {
    const sessions = browserSessions(pool, { url: databaseUrl, signal })
    return { sessions, authenticator: cookieAuthenticator(sessions) }
  }
  const ended = endedSessions({ pool, databaseUrl, log, signal })
  const keys = createRemoteJWKSet(new URL(keysPath, tokensOf))
  return { sessions: browserSessions(pool), authenticator: tokenAuthenticator({ keys, ended, clock }) }
}
