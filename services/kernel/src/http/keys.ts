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
  /** 401 without a valid key, 403 without the scope; else the request is the holder's, by `actAsHolder`. */
  require(scope: KeyScope): (request: FastifyRequest) => Promise<void>
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
