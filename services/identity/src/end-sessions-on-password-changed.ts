import { parseStream } from '@prosa/contracts/streams'
import type { Ports } from '@prosa/kernel/ports'
import type { Reactor } from '@prosa/kernel/reactors/reactor'
import type { Accounts } from './accounts.ts'

/** Ends the sessions of a user that belong to another password than the one that is valid now. */
export type EndOutdatedSessions = (userId: string) => Promise<void>

export const endOutdatedSessions =
  ({ browserSessions }: Pick<Ports, 'browserSessions'>, { users }: Pick<Accounts, 'users'>): EndOutdatedSessions =>
  async (userId) => {
    const { credentialId } = await users.load(userId, userId)
    await browserSessions.revokeAll(userId, credentialId ?? undefined)
  }

/** The routes end them before they answer; this is for the request that was cut short after the password was set. */
export const endSessionsOnPasswordChanged = (end: EndOutdatedSessions): Reactor => ({
  name: 'end-sessions-on-password-changed',
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    PasswordChanged: ({ stream }) => end(parseStream(stream).id),
  },
})
