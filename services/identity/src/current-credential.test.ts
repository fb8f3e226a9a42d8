import { createHash, randomUUID } from 'node:crypto'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccounts } from './accounts.ts'
import { type IdentityProcess, interleavedIdentity } from './testing/interleaved-identity.ts'
import { marina, testIdentity } from './testing/test-identity.ts'

const ownersPassword = 'a senha da dona'

describe('a registration that is sent again', () => {
  let prosa: Awaited<ReturnType<typeof testIdentity>>
  let people = 0
  beforeAll(async () => {
    prosa = await testIdentity({ roleList: { admin: ['listada@example.com'], analyst: [] } })
  })
  afterAll(() => prosa.stop())

  const register = async (email = `pessoa${++people}@example.com`) => {
    const key = randomUUID()
    const send = () => prosa.post('register', { ...marina, email }, undefined, key)
    return { email, send, first: await send() }
  }
  const setPassword = async (email: string, password: string) => {
    const { body } = await prosa.post('forgot-password', { email })
    const token = new URL(String(body.resetLink)).searchParams.get('token')
    expect((await prosa.post('reset-password', { token, password })).status).toBe(200)
  }

  it('signs in as long as the account has the password that it holds', async () => {
    const { first, send } = await register()
    const again = await send()
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await prosa.isSignedIn(again.cookie ?? '')).toBe(true)
    expect(await prosa.historyOf(first.body.id)).toEqual(['UserRegistered'])
  })

  it('signs nobody in once the owner of the address has set another password, also where that is an administrator', async () => {
    const { email, first, send } = await register('listada@example.com')
    await setPassword(email, ownersPassword)
    for (let time = 0; time < 2; time++) {
      const again = await send()
      expect([again.status, again.cookie, again.body.errors]).toEqual([
        409,
        undefined,
        [{ field: 'email', message: 'Já existe uma conta com este e-mail.' }],
      ])
    }
    expect(await prosa.isSignedIn(first.cookie ?? '')).toBe(false)
    expect(await prosa.login(email, ownersPassword)).toBe(200)
    const kept = await prosa.ports.pool.query("select 1 from secret where kind = 'password'")
    const accounts = await prosa.ports.pool.query('select 1 from current_credential where credential_id is not null')
    expect(kept.rowCount).toBe(accounts.rowCount)
  })

  it('signs nobody in to an erased account, nor to one that has moved to another address', async () => {
    const erased = await register()
    const { cookie } = erased.first
    expect((await prosa.post('erase-account', { password: marina.password }, cookie)).status).toBe(200)
    const moved = await register()
    const profile = { ...marina, email: `nova-${moved.email}`, currentPassword: marina.password }
    const { password: _, ...saved } = profile
    expect((await prosa.put('user', saved, moved.first.cookie)).status).toBe(200)
    for (const { send } of [erased, moved]) expect(await send()).toMatchObject({ status: 409, cookie: undefined })
  })

  it('is somebody else’s when the body is another one, a day later under the same key too', async () => {
    const key = 'uma chave qualquer'
    const emails = [`pessoa${++people}@example.com`, `pessoa${++people}@example.com`]
    const ids: string[] = []
    for (const email of emails) {
      const { status, body } = await prosa.post('register', { ...marina, email }, undefined, key)
      expect([email, status]).toEqual([email, 201])
      ids.push(body.id)
      prosa.putForward(25 * 60)
    }
    expect(new Set(ids).size).toBe(2)
  })

  it('leaves a session from before passwords were followed alone until the reactor has come to the account', async () => {
    const { id } = await prosa.register({ email: `pessoa${++people}@example.com` })
    await until(
      async () => (await prosa.ports.pool.query('select 1 from current_credential where user_id = $1', [id])).rowCount,
    )
    await prosa.ports.pool.query('delete from current_credential where user_id = $1', [id])
    const { token } = await prosa.ports.browserSessions.issue(id)
    expect(await prosa.ports.browserSessions.resolve(token)).toBeDefined()
    await prosa.post('login', { email: `pessoa${people}@example.com`, password: marina.password })
    expect(await prosa.ports.browserSessions.resolve(token)).toBeUndefined()
  })
})

describe('registrations, logins, new passwords and erasures that overlap in any way', () => {
  let prosa: Awaited<ReturnType<typeof interleavedIdentity>>
  let people = 0
  beforeAll(async () => {
    prosa = await interleavedIdentity(5)
  }, 60_000)
  afterAll(() => prosa?.close())

  const ask = async (
    { app }: IdentityProcess,
    path: string,
    payload: object,
    { cookie, key, method = 'POST' }: { cookie?: string; key?: string; method?: 'POST' | 'PUT' } = {},
  ) => {
    const headers = { ...(key && { [idempotencyKeyHeader]: key }), ...(cookie && { cookie: `__Host-prosa=${cookie}` }) }
    const reply = await app.inject({ method, url: `/api/auth/${path}`, payload, headers })
    const session = reply.cookies.find(({ name }) => name === '__Host-prosa')?.value
    return { status: reply.statusCode, body: reply.json(), session: session || undefined }
  }

  type Reply = Awaited<ReturnType<typeof ask>>

  /** An account and the six things that can happen to it at the same time, each with the password that was right at first. */
  const overlapping = async () => {
    const email = `pessoa${++people}@example.com`
    const key = randomUUID()
    const registration = { ...marina, email }
    const { body, session } = await ask(prosa.other, 'register', registration, { key })
    const { body: asked } = await ask(prosa.other, 'forgot-password', { email })
    const token = new URL(String(asked.resetLink)).searchParams.get('token')
    const login = { email, password: marina.password }
    const changed = { currentPassword: marina.password, newPassword: 'uma terceira senha' }
    const happening = {
      'register again': (at: IdentityProcess) => ask(at, 'register', registration, { key }),
      'log in': (at: IdentityProcess) => ask(at, 'login', login),
      'log in, repeated': (at: IdentityProcess) => ask(at, 'login', login, { key: `login ${key}` }),
      'reset the password': (at: IdentityProcess) => ask(at, 'reset-password', { token, password: ownersPassword }),
      'change the password': (at: IdentityProcess) => ask(at, 'password', changed, { cookie: session, method: 'PUT' }),
      'erase the account': (at: IdentityProcess) =>
        ask(at, 'erase-account', { password: marina.password }, { cookie: session }),
    }
    await ask(prosa.other, 'login', login, { key: `login ${key}` })
    return { email, userId: String(body.id), session, happening }
  }
  type Happening = keyof Awaited<ReturnType<typeof overlapping>>['happening']
  const ends: ReadonlySet<Happening> = new Set(['reset the password', 'change the password', 'erase the account'])

  const users = () => openAccounts(prosa.ports).users

  /** The sessions of a user that hold, by the hash of their token, that belong to another password than the current one. */
  const outdated = async (userId: string, sessions: readonly (string | undefined)[]) => {
    const { credentialId } = await users().load(userId, userId)
    const holding = []
    for (const token of sessions) {
      if (!token || !(await prosa.ports.browserSessions.resolve(token))) continue
      const { rows } = await prosa.ports.pool.query<{ credential_id: string | null }>(
        'select credential_id from browser_session where token_hash = $1',
        [createHash('sha256').update(token).digest()],
      )
      holding.push(rows[0]?.credential_id)
    }
    return holding.filter((of) => of !== credentialId || credentialId === null)
  }

  const runs = shortOrLong(40, 1500)
  const names: readonly Happening[] = [
    'register again',
    'log in',
    'log in, repeated',
    'reset the password',
    'change the password',
    'erase the account',
  ]

  it('never leave a session that works and belongs to a password that is not the current one', async () => {
    const property = fc.asyncProperty(
      fc.shuffledSubarray([...names], { minLength: 2, maxLength: 5 }),
      fc.array(fc.nat(4), { minLength: 30, maxLength: 60 }),
      fc.array(fc.option(fc.nat(8), { nil: undefined, freq: 3 }), { minLength: 5, maxLength: 5 }),
      async (chosen, picks, deaths) => {
        const { email, userId, session, happening } = await overlapping()
        const requests = chosen.map((name, index) => () => {
          const at = prosa.all[index]
          if (!at) throw new Error('more requests than processes')
          return happening[name](at)
        })
        const sessionsOf = (replies: readonly (Reply | undefined)[]) => [
          session,
          ...replies.map((reply) => reply?.session),
        ]
        // Whoever is answered that the password is another one, or the account gone, finds it so at once.
        let answered = 0
        const afterEach = async (replies: readonly (Reply | undefined)[]) => {
          const done = replies.filter(
            (reply, index) => reply?.status === 200 && ends.has(chosen[index] ?? 'log in'),
          ).length
          if (done === answered) return
          answered = done
          expect(await outdated(userId, sessionsOf(replies))).toEqual([])
        }
        const replies = await prosa.interleave(requests, picks, deaths, afterEach)
        // What a dead process left undone is done by the reactors.
        await prosa.react(userId)
        expect(await outdated(userId, sessionsOf(replies))).toEqual([])
        const { isErased } = await users().load(userId, userId)
        const logins = []
        for (const password of [marina.password, ownersPassword, 'uma terceira senha'])
          logins.push((await ask(prosa.other, 'login', { email, password })).status)
        expect(logins.filter((status) => status === 200)).toHaveLength(isErased ? 0 : 1)
      },
    )
    await fc.assert(property, { numRuns: runs })
  }, 300_000)
})
