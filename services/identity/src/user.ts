import type { EventOf } from '@prosa/contracts/events/all-events'
import type { identityEvents } from '@prosa/contracts/events/identity'
import type { Decider } from '@prosa/kernel/decider'

export type UserCommand =
  | { type: 'RegisterUser'; data: { firstName: string; lastName: string; email: string; credentialId: string } }
  | { type: 'LogIn'; data: Record<never, never> }
  | { type: 'LogOut'; data: Record<never, never> }

export type UserEvent = EventOf<Omit<typeof identityEvents, 'EmailClaimed'>>

export interface User {
  /** Names the hash of the password that is valid now; null while nobody is registered. */
  credentialId: string | null
}

/** One account. */
export const user: Decider<UserCommand, UserEvent, User, 'email_taken' | 'wrong_credentials'> = {
  initial: { credentialId: null },
  decide: {
    RegisterUser: ({ credentialId }, data) => {
      if (credentialId) return { rejected: 'email_taken' }
      return [{ type: 'UserRegistered', data }]
    },
    LogIn: ({ credentialId }) => {
      if (!credentialId) return { rejected: 'wrong_credentials' }
      return [{ type: 'UserLoggedIn', data: {} }]
    },
    LogOut: ({ credentialId }) => (credentialId ? [{ type: 'UserLoggedOut', data: {} }] : []),
  },
  evolve: {
    UserRegistered: (_, { credentialId }) => ({ credentialId }),
    UserLoggedIn: (state) => state,
    UserLoggedOut: (state) => state,
  },
}
