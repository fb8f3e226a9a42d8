import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { loseListeners } from '../../testing/lose-listeners.ts'
import { until } from '../../testing/until.ts'
import type { BrowserSessions } from '../sign-in/browser-sessions.ts'
import type { Authenticator, Session } from './authenticator.ts'

export interface OpenedAuthenticator {
  /** Of identity. */
  sessions: BrowserSessions
  /** Of another process. */
  authenticator: Authenticator
  /** What a service gets of a browser's request with this cookie. */
  arriving(cookie: string | undefined): Promise<IncomingHttpHeaders>
}

const ana = randomUUID()
const [oldPassword, newPassword] = [randomUUID(), randomUUID()]

const within2s = 2000

/** Each test has a database. */
export const authenticatorContract = (
  adapter: string,
  open: (database: TestPostgres, signal: AbortSignal) => Promise<OpenedAuthenticator>,
): void => {
  describe(`authentication by ${adapter}`, () => {
    let database: TestPostgres
    let stopping: AbortController
    let opened: OpenedAuthenticator
    beforeEach(async () => {
      database = await kernelDatabase()
      stopping = new AbortController()
      opened = await open(database, stopping.signal)
    })
    afterEach(async () => {
      stopping.abort()
      await database.drop()
    })

    const authenticate = (headers: IncomingHttpHeaders) => opened.authenticator.authenticate(headers)

    /** Signed in, known from memory. */
    const signedIn = async () => {
      const { token, sessionId } = await opened.sessions.issue(ana)
      const headers = await opened.arriving(token)
      const session = await until(async () => {
        await authenticate(headers)
        return opened.authenticator.cached(headers)
      })
      return { token, sessionId, headers, session }
    }

    it('takes nobody for somebody: no cookie, a broken one, one of a stranger’s making', async () => {
      for (const cookie of [undefined, '', '%zz', 'x'.repeat(43), 'x'.repeat(3000), '" or 1=1'])
        expect(await authenticate(await opened.arriving(cookie))).toBeUndefined()
      expect(opened.authenticator.cached({})).toBeUndefined()
    })

    it('knows whose session it is, and until when it holds', async () => {
      const { session, sessionId, headers } = await signedIn()
      expect(session).toEqual({ userId: ana, sessionId, mustChangePassword: false, endsAt: expect.any(Number) })
      const days = (session.endsAt - Date.now()) / 86_400_000
      expect([Math.round(days * 100) / 100, await authenticate(headers)]).toEqual([30, session])
      expect(await opened.authenticator.isActive(headers, session)).toBe(true)
    })

    it('refuses a session within two seconds of its end, whatever was known of it before, and nobody else’s', async () => {
      const leaving = await signedIn()
      const staying = await signedIn()
      const ended: string[] = []
      opened.authenticator.onEnded((sessionId) => ended.push(sessionId))
      await opened.sessions.revoke(leaving.token)
      await until(async () => (await authenticate(leaving.headers)) === undefined, within2s)
      await until(() => ended.includes(leaving.sessionId), within2s)
      expect(opened.authenticator.cached(leaving.headers)).toBeUndefined()
      expect(await opened.authenticator.isActive(leaving.headers, leaving.session)).toBe(false)
      expect(ended).not.toContain(staying.sessionId)
      expect(await authenticate(staying.headers)).toEqual(staying.session)
    })

    it.each<[string, (sessions: BrowserSessions) => Promise<unknown>]>([
      ['another password', (sessions) => sessions.follow({ userId: ana, credentialId: newPassword, epoch: 2 })],
      ['an erased account', (sessions) => sessions.follow({ userId: ana, credentialId: null, epoch: 2 })],
      [
        'too many sign-ins',
        async (sessions) => {
          for (let count = 0; count < 200; count++) await sessions.issue(ana)
        },
      ],
    ])('ends sessions with %s', async (_, end) => {
      const { headers, sessionId } = await signedIn()
      const ended: string[] = []
      opened.authenticator.onEnded((id) => ended.push(id))
      await end(opened.sessions)
      await until(async () => (await authenticate(headers)) === undefined, within2s)
      await until(() => ended.includes(sessionId), within2s)
    })

    it('keeps the session that changed its own password', async () => {
      await opened.sessions.follow({ userId: ana, credentialId: oldPassword, epoch: 1 })
      const issued = await opened.sessions.issueFor(ana, oldPassword)
      if (!issued) throw new Error('not the current password')
      await opened.sessions.assign(issued.token, { from: oldPassword, to: newPassword })
      await opened.sessions.follow({ userId: ana, credentialId: newPassword, epoch: 2 })
      expect(await authenticate(await opened.arriving(issued.token))).toMatchObject({ userId: ana })
    })

    it('says that a temporary password must be changed, and no longer once it was', async () => {
      await opened.sessions.follow({ userId: ana, credentialId: oldPassword, epoch: 1, isTemporary: true })
      const issued = await opened.sessions.issueFor(ana, oldPassword)
      if (!issued) throw new Error('not the current password')
      const arriving = async (): Promise<Session | undefined> => authenticate(await opened.arriving(issued.token))
      expect(await arriving()).toMatchObject({ mustChangePassword: true })
      await opened.sessions.assign(issued.token, { from: oldPassword, to: newPassword })
      await opened.sessions.follow({ userId: ana, credentialId: newPassword, epoch: 2 })
      await until(async () => (await arriving())?.mustChangePassword === false, within2s)
    })

    it('takes nothing from memory while ends are not received, and refuses what ended then', async () => {
      const leaving = await signedIn()
      const staying = await signedIn()
      const listenAgain = await loseListeners(database)
      await until(() => opened.authenticator.cached(staying.headers) === undefined)
      await opened.sessions.revoke(leaving.token)
      expect(await authenticate(leaving.headers)).toBeUndefined()
      expect(await authenticate(staying.headers)).toEqual(staying.session)
      await listenAgain()
      await until(async () => {
        await authenticate(staying.headers)
        return opened.authenticator.cached(staying.headers)
      })
      expect(await authenticate(leaving.headers)).toBeUndefined()
      expect(opened.authenticator.cached(leaving.headers)).toBeUndefined()
      expect(await opened.authenticator.isActive(leaving.headers, leaving.session)).toBe(false)
    })
  })
}
