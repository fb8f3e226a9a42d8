import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { silentLog } from '../../observability/log.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { until } from '../../testing/until.ts'
import { browserSessions, sessionCookie } from '../sign-in/browser-sessions.ts'
import { authenticatorContract } from './authenticator.contract.ts'
import { cookieAuthenticator } from './cookie-authenticator.ts'
import { endedSessions } from './ended-sessions.ts'
import { sessionTokenHeader } from './session-token.ts'
import { signingKeys } from './signing-keys.ts'
import { tokenAuthenticator } from './token-authenticator.ts'
import { tokenIssuer } from './token-issuer.ts'

const box = secretBox(randomBytes(32))
const clock = systemClock
const roles = { of: async () => ['admin' as const] }

const open = async (database: TestPostgres, signal: AbortSignal) => {
  const { pool, url: databaseUrl } = database
  const sessions = browserSessions(pool)
  const keys = signingKeys({ pool, box, clock })
  const issuer = tokenIssuer({ authenticator: cookieAuthenticator(sessions), roles, keys, clock })
  const ended = endedSessions({ pool, databaseUrl, log: silentLog(), signal })
  const authenticator = tokenAuthenticator({
    keys: async (...asked) => createLocalJWKSet(await issuer.published())(...asked),
    ended,
    clock,
  })
  const arriving = async (cookie: string | undefined): Promise<IncomingHttpHeaders> => {
    const token = await issuer.tokenFor(cookie === undefined ? {} : { cookie: `${sessionCookie}=${cookie}` })
    // The cookie arrives as well, and proves nothing.
    const headers = cookie === undefined ? {} : { cookie: `${sessionCookie}=${cookie}` }
    return token === undefined ? headers : { ...headers, [sessionTokenHeader]: token }
  }
  return { sessions, authenticator, arriving, keys, issuer, ended }
}

authenticatorContract('tokens of identity', open)

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a token', () => {
  const ana = randomUUID()
  let database: TestPostgres
  const stopping = new AbortController()
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    database = await kernelDatabase()
    opened = await open(database, stopping.signal)
    await until(() => opened.ended.isCurrent())
  })
  afterAll(async () => {
    stopping.abort()
    await database.drop()
  })

  const tokenOf = async (user = ana) => {
    const { token, sessionId } = await opened.sessions.issue(user)
    const headers = await opened.arriving(token)
    return { token: String(headers[sessionTokenHeader]), cookie: token, sessionId, headers }
  }
  const authenticate = (token: string) => opened.authenticator.authenticate({ [sessionTokenHeader]: token })
  const partsOf = (token: string) => token.split('.') as [string, string, string]
  const read = (part: string): JWTPayload => JSON.parse(Buffer.from(part, 'base64url').toString())

  const seconds = () => Math.floor(Date.now() / 1000)
  const signed = async (
    changes: JWTPayload,
    { kid, privateKey }: { kid: string; privateKey: CryptoKey } | { kid: string; privateKey: unknown } = {
      kid: '',
      privateKey: undefined,
    },
  ) => {
    const [, body] = partsOf((await tokenOf()).token)
    const own = await opened.keys.current()
    return new SignJWT({ ...read(body), ...changes })
      .setProtectedHeader({ alg: 'EdDSA', kid: kid || own.kid })
      .sign((privateKey as CryptoKey | undefined) ?? own.privateKey)
  }

  it('names issuer, audience, subject, tenant, roles, session and key, and lives a minute', async () => {
    const { token, sessionId } = await tokenOf()
    const [head, body] = partsOf(token)
    const { iat = 0, ...claims } = read(body)
    expect(read(head)).toEqual({ alg: 'EdDSA', kid: (await opened.keys.current()).kid })
    expect(claims).toEqual({
      iss: 'prosa identity',
      aud: 'prosa services',
      sub: ana,
      tenant: ana,
      roles: ['admin'],
      sid: sessionId,
      must_change_password: false,
      session_ends: expect.any(Number),
      nbf: iat,
      exp: iat + 60,
    })
    expect(await authenticate(await signed({}))).toMatchObject({ userId: ana })
  })

  it.each<[string, () => Promise<string>]>([
    [
      'without a signature (alg none)',
      async () => {
        const [, body] = partsOf((await tokenOf()).token)
        return `${base64url({ alg: 'none' })}.${body}.`
      },
    ],
    [
      'signed with the public key as a secret (HS256)',
      async () => {
        const [, body] = partsOf((await tokenOf()).token)
        const { kid } = await opened.keys.current()
        const [key] = (await opened.issuer.published()).keys
        const unsigned = `${base64url({ alg: 'HS256', kid })}.${body}`
        const secret = Buffer.from(String(key?.x), 'base64url')
        return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
      },
    ],
    [
      'by another key under our name',
      async () => {
        const { privateKey } = await generateKeyPair('EdDSA')
        return signed({}, { kid: (await opened.keys.current()).kid, privateKey })
      },
    ],
    [
      'by a key that nobody published',
      async () => signed({}, { kid: 'another', privateKey: (await generateKeyPair('EdDSA')).privateKey }),
    ],
    [
      'that brings its own key',
      async () => {
        const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
        const { d: _, ...jwk } = await exportJWK(privateKey)
        const [, body] = partsOf((await tokenOf()).token)
        return new SignJWT(read(body)).setProtectedHeader({ alg: 'EdDSA', jwk }).sign(privateKey)
      },
    ],
    ['of another issuer', () => signed({ iss: 'somebody' })],
    ['for another audience', () => signed({ aud: 'somebody' })],
    ['that is over', () => signed({ iat: seconds() - 70, nbf: seconds() - 70, exp: seconds() - 10 })],
    ['that does not hold yet', () => signed({ nbf: seconds() + 30 })],
    ['from the future', () => signed({ iat: seconds() + 30, nbf: seconds() + 30, exp: seconds() + 90 })],
    ['that lives longer than a minute', () => signed({ exp: seconds() + 3600 })],
    ['without an end', () => signed({ exp: undefined })],
    ['without a session', () => signed({ sid: undefined })],
    ['of another tenant', () => signed({ tenant: randomUUID() })],
    ['of a session that is over', () => signed({ session_ends: Date.now() - 1 })],
    [
      'whose subject was changed',
      async () => {
        const [head, body, signature] = partsOf((await tokenOf()).token)
        const other = randomUUID()
        return `${head}.${base64url({ ...read(body), sub: other, tenant: other })}.${signature}`
      },
    ],
    ['twice', async () => `${(await tokenOf()).token}, ${(await tokenOf()).token}`],
    ['of 10,000 letters', async () => 'a'.repeat(10_000)],
    ['of 3 kB of dots', async () => '.'.repeat(3000)],
    ['that is the cookie', async () => (await tokenOf()).cookie],
  ])('is nobody’s: one %s', async (_, make) => {
    expect(await authenticate(await make())).toBeUndefined()
  })

  it('is what proves a session: a cookie alone is nobody’s', async () => {
    const { cookie } = await tokenOf()
    const headers = { cookie: `${sessionCookie}=${cookie}` }
    expect(await opened.authenticator.authenticate(headers)).toBeUndefined()
    expect(opened.authenticator.cached(headers)).toBeUndefined()
  })

  it('is refused after the sign-out in the process that never saw it, too', async () => {
    const { token, cookie } = await tokenOf()
    await opened.sessions.revoke(cookie)
    const later = await open(database, stopping.signal)
    await until(() => later.ended.isCurrent())
    expect(await later.authenticator.authenticate({ [sessionTokenHeader]: token })).toBeUndefined()
  })

  it('is refused once its session’s row is gone, however that came about', async () => {
    const { token, sessionId } = await tokenOf()
    expect(await authenticate(token)).toMatchObject({ sessionId })
    await database.pool.query('delete from browser_session')
    await until(async () => (await authenticate(token)) === undefined, 2000)
  })

  it('is checked without the table of sessions', async () => {
    const { token } = await tokenOf()
    const ends = (await opened.keys.current()).kid
    await database.pool.query('alter table browser_session rename to elsewhere')
    try {
      const other = await open(database, stopping.signal)
      await until(() => other.ended.isCurrent())
      const session = await other.authenticator.authenticate({ [sessionTokenHeader]: token })
      expect([session?.userId, await other.authenticator.isActive({}, session ?? expect.fail())]).toEqual([ana, true])
      expect((await other.keys.current()).kid).toBe(ends)
    } finally {
      await database.pool.query('alter table elsewhere rename to browser_session')
    }
  })

  it('cannot be judged while the keys cannot be fetched: an error, not a refusal', async () => {
    const { token } = await tokenOf()
    const keys = async () => {
      throw new TypeError('fetch failed')
    }
    const away = tokenAuthenticator({ keys, ended: opened.ended, clock })
    await expect(away.authenticate({ [sessionTokenHeader]: token })).rejects.toThrow('fetch failed')
  })
})
