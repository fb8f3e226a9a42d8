import type { IncomingHttpHeaders } from 'node:http'
import type { JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../clock.ts'
import { lruMap } from '../../lru-map.ts'
import type { Authenticator } from './authenticator.ts'
import type { EndedSessions } from './ended-sessions.ts'
import { type ReadToken, readSessionToken, sessionTokenHeader } from './session-token.ts'

/** About 1 kB each; the gateway gets the same token of a session for half its life. */
const maxCachedTokens = 20_000

export interface TokenAuthenticatorDeps {
  keys: JWTVerifyGetKey
  ended: EndedSessions
  clock: Clock
}

const tokenOf = (headers: IncomingHttpHeaders): string | undefined => {
  const token = headers[sessionTokenHeader]
  // Repeated headers arrive as one, joined by commas, which no token has.
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** By identity's signature: the table of sessions is not read, and cookies prove nothing (docs/decisions/0065-session-tokens.md). */
export const tokenAuthenticator = ({ keys, ended, clock }: TokenAuthenticatorDeps): Authenticator => {
  const verified = lruMap<string, ReadToken>(maxCachedTokens)
  const now = () => Date.parse(clock.now())

  const fromCache = (token: string): ReadToken | undefined => {
    const known = verified.get(token)
    return known && now() < known.expiresAt ? known : undefined
  }

  const verify = async (token: string): Promise<ReadToken | undefined> => {
    const read = await readSessionToken(token, keys, clock)
    if (read) verified.set(token, read)
    return read
  }

  return {
    async authenticate(headers) {
      const token = tokenOf(headers)
      const session = token && (fromCache(token) ?? (await verify(token)))?.session
      if (!session || session.endsAt <= now() || (await ended.hasEnded(session.sessionId))) return undefined
      return session
    },
    cached(headers) {
      const token = tokenOf(headers)
      const session = token && ended.isCurrent() ? fromCache(token)?.session : undefined
      return session && session.endsAt > now() && !ended.endedLately(session.sessionId) ? session : undefined
    },
    isActive: async (_headers, { sessionId, endsAt }) => endsAt > now() && !(await ended.isNoted(sessionId)),
    onEnded: (listener) => ended.onEnded(listener),
  }
}
