import type { IncomingHttpHeaders } from 'node:http'
import type { KeyReach, KeyScope } from '@prosa/contracts/values/key'
import type { FastifyRequest } from 'fastify'

/** A key that a program presented, when it was checked; or a session of a browser. */
export interface VerifiedKey {
  /** The account's own for a session. */
  id: string
  userId: string
  reach: KeyReach
  withPersonal: boolean
  /** The headers that prove the session, where there is no key. */
  session?: IncomingHttpHeaders
}

export interface KeyGate {
  /** 401 without a valid key, 403 without the scope; else the request is the holder's, by `actAsHolder`. `alsoInBrowser`: a session is enough. */
  require(scope: KeyScope, alsoInBrowser: boolean): (request: FastifyRequest) => Promise<void>
}

/** Budgets, limits and positions are the account's; a session that came along counts for nothing. */
export const actAsHolder = (request: FastifyRequest, key: VerifiedKey): void => {
  request.apiKey = key
  request.signedIn = { id: key.userId, sessionId: `key ${key.id}` }
  request.user = request.signedIn
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only where the endpoint's record names a `key`. */
    apiKey: VerifiedKey
  }
}
