import { browserSessions, sessionCookie } from '../sign-in/browser-sessions.ts'
import { authenticatorContract } from './authenticator.contract.ts'
import { cookieAuthenticator } from './cookie-authenticator.ts'

authenticatorContract('the table of sessions', async ({ pool, url }, signal) => ({
  sessions: browserSessions(pool),
  authenticator: cookieAuthenticator(browserSessions(pool, { url, signal })),
  arriving: async (cookie) => (cookie === undefined ? {} : { cookie: `${sessionCookie}=${cookie}` }),
}))
