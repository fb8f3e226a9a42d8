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
  /** 401 without a valid key, 403 without the scope; sets `request.apiKey`. `alsoInBrowser`: a session is enough. */
  require(scope: KeyScope, alsoInBrowser: boolean): (request: FastifyRequest) => Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only where the endpoint's record names a `key`. */
    apiKey: VerifiedKey
  }
}
