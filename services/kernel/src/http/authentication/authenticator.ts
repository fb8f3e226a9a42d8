import type { IncomingHttpHeaders } from 'node:http'

export interface Session {
  userId: string
  sessionId: string
  /** The session only permits setting a new password. */
  mustChangePassword: boolean
  /** Milliseconds since 1970, at the latest. */
  endsAt: number
}

/** Whose request it is, by its headers alone. */
export interface Authenticator {
  /** Undefined for visitors and whatever proves no session. Throws while it cannot know. */
  authenticate(headers: IncomingHttpHeaders): Promise<Session | undefined>
  /** From memory, without a query; undefined also where memory does not know. */
  cached(headers: IncomingHttpHeaders): Session | undefined
  /** For sockets: whether the session that these headers once proved still holds. */
  isActive(headers: IncomingHttpHeaders, session: Session): Promise<boolean>
  /** At least once for each session that ends anywhere, within two seconds. */
  onEnded(listener: (sessionId: string) => void): void
}
