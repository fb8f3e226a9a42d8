import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Ports } from '@prosa/kernel/ports'
import type { Accounts } from '../accounts/accounts.ts'

/** Ends sessions of other passwords. */
export type FollowCredential = (userId: string) => Promise<void>

export const followCredential =
  ({ browserSessions }: Pick<Ports, 'browserSessions'>, { users }: Pick<Accounts, 'users'>): FollowCredential =>
  async (userId) => {
    const { credentialId, credentialEpoch: epoch, mustChangePassword } = await users.load(userId, userId)
    await browserSessions.follow({ userId, credentialId, epoch, isTemporary: mustChangePassword })
  }

/** Routes do this before replying; this covers interrupted requests. */
export const endSessionsOnCredentialChanged = (follow: FollowCredential): Reactor => ({
  name: 'end-sessions-on-credential-changed',
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    UserRegistered: ({ stream }) => follow(parseStream(stream).id),
    PasswordChanged: ({ stream }) => follow(parseStream(stream).id),
    TemporaryPasswordSet: ({ stream }) => follow(parseStream(stream).id),
    UserErased: ({ stream }) => follow(parseStream(stream).id),
  },
})
