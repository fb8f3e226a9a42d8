import type { KeyReach, KeyScope } from '@prosa/contracts/values/key'
import type { FastifyRequest } from 'fastify'

/** A key that a program presented, when it was checked. */
export interface VerifiedKey {
  id: string
  userId: string
  reach: KeyReach
  withPersonal: boolean
}

export interface KeyGate {
  /** 401 without a valid key, 403 without the scope; sets `request.apiKey`. */
  require(scope: KeyScope): (request: FastifyRequest) => Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only where the endpoint's record names a `key`. */
    apiKey: VerifiedKey
  }
}
