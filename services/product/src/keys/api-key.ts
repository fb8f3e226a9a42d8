import type { EventOf } from '@prosa/contracts/events/all-events'
import type { apiKeyEvents } from '@prosa/contracts/events/operations'
import type { Instant } from '@prosa/contracts/values/instant'
import type { KeyReach, KeyScope } from '@prosa/contracts/values/key'
import type { Decider } from '@prosa/kernel/domain/decider'

export type ApiKeyEvent = EventOf<typeof apiKeyEvents>

export type ApiKeyCommand =
  | { type: 'CreateApiKey'; data: Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data'] }
  | { type: 'RevokeApiKey'; data: Record<string, never> }

export type ApiKeyState =
  | { status: 'absent' }
  | {
      status: 'active' | 'revoked'
      reach: KeyReach
      scopes: readonly KeyScope[]
      withPersonal: boolean
      secretHash: string
      expiresAt: Instant
    }

/** Stream `apiKey-<user id>:<key id>`. */
export const apiKey: Decider<ApiKeyCommand, ApiKeyEvent, ApiKeyState, 'key_not_found'> = {
  initial: { status: 'absent' },
  decide: {
    CreateApiKey: ({ status }, data) => (status === 'absent' ? [{ type: 'ApiKeyCreated', data }] : []),
    RevokeApiKey: ({ status }) => {
      if (status === 'absent') return { rejected: 'key_not_found' }
      return status === 'revoked' ? [] : [{ type: 'ApiKeyRevoked', data: {} }]
    },
  },
  evolve: {
    ApiKeyCreated: (_, { reach, scopes, withPersonal, secretHash, expiresAt }) => ({
      status: 'active',
      ...{ reach, scopes, withPersonal, secretHash, expiresAt },
    }),
    ApiKeyRevoked: (state) => (state.status === 'absent' ? state : { ...state, status: 'revoked' }),
  },
}
