import { createHash, randomUUID } from 'node:crypto'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccounts } from '../accounts/accounts.ts'
import { type IdentityProcess, interleavedIdentity } from '../testing/interleaved-identity.ts'
import { marina, testIdentity } from '../testing/test-identity.ts'

const ownPassword = 'a senha da dona'

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
    await setPassword(email, ownPassword)
    for (let time = 0; time < 2; time++) {
      const again = await send()
      expect([again.status, again.cookie, again.body.errors]).toEqual([
        409,
        undefined,
        [{ field: 'email', message: 'Já existe uma conta com este e-mail.' }],
      ])
    }
    expect(await prosa.isSignedIn(first.cookie ?? '')).toBe(false)
    expect(await prosa.login(email, ownPassword)).toBe(200)
    const hashes = await prosa.ports.pool.query("select 1 from secret where kind = 'password'")
    const accounts = await prosa.ports.pool.query('select 1 from current_credential where credential_id is not null')
    expect(hashes.rowCount).toBe(accounts.rowCount)
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

  const users = () => openAccounts(prosa.ports).users

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

  /** All start from the first password. */
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
      'reset the password': (at: IdentityProcess) => ask(at, 'reset-password', { token, password: ownPassword }),
      'change the password': (at: IdentityProcess) => ask(at, 'password', changed, { cookie: session, method: 'PUT' }),
      'erase the account': (at: IdentityProcess) =>
        ask(at, 'erase-account', { password: marina.password }, { cookie: session }),
    }
    await ask(prosa.other, 'login', login, { key: `login ${key}` })
    const userId = String(body.id)
    const { credentialId } = await users().load(userId, userId)
    if (!session) throw new Error('the registration signs in')
    return { email, userId, credentialId, session, happening }
  }
  type Account = Awaited<ReturnType<typeof overlapping>>
  type Happening = keyof Account['happening']
  const ends: ReadonlySet<Happening> = new Set(['reset the password', 'change the password', 'erase the account'])

  const intruders = async ({ userId, credentialId, session }: Account, replies: readonly (Reply | undefined)[]) => {
    const { credentialId: current } = await users().load(userId, userId)
    if (current === credentialId) return []
    const holding = async (token: string | undefined) =>
      token !== undefined && (await prosa.ports.browserSessions.resolve(token)) !== undefined
    const found: string[] = []
    for (const [index, reply] of replies.entries()) if (await holding(reply?.session)) found.push(`reply ${index}`)
    const { rows } = await prosa.ports.pool.query<{ own: string | null; next: string | null }>(
      'select credential_id as own, next_credential_id as next from browser_session where token_hash = $1',
      [createHash('sha256').update(session).digest()],
    )
    const hasSetIt = current !== null && rows.some(({ own, next }) => own === current || next === current)
    if (!hasSetIt && (await holding(session))) found.push('the first session')
    return found
  }

  /** `interleave` orders the steps; `reactions` the reactors. */
  const overlap = async (
    chosen: readonly Happening[],
    order: readonly number[],
    deaths: readonly (number | undefined)[],
    reactions: readonly boolean[],
  ) => {
    const account = await overlapping()
    const { email, userId, happening } = account
    const requests = chosen.map((name, index) => () => {
      const at = prosa.all[index]
      if (!at) throw new Error('more requests than processes')
      return happening[name](at)
    })
    let turn = 0
    const afterEach = async (replies: readonly (Reply | undefined)[]) => {
      if (reactions[turn++ % reactions.length]) await prosa.react(userId)
      const isOver = replies.some((reply, index) => reply?.status === 200 && ends.has(chosen[index] ?? 'log in'))
      if (isOver) expect(await intruders(account, replies)).toEqual([])
    }
    const { replies, steps } = await prosa.interleave(requests, order, deaths, afterEach)
    await prosa.react(userId)
    expect(await intruders(account, replies)).toEqual([])
    const { isErased } = await users().load(userId, userId)
    const passwords = [marina.password, ownPassword, 'uma terceira senha']
    const logins = await Promise.all(passwords.map((password) => ask(prosa.other, 'login', { email, password })))
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(isErased ? 0 : 1)
    return steps
  }

  const entering = ['register again', 'log in', 'log in, repeated'] as const
  const ending = ['reset the password', 'change the password', 'erase the account'] as const
  const allPairs = entering.flatMap((enter) => ending.map((end) => [enter, end] as const))
  const pairs = shortOrLong(
    allPairs.filter((_, index) => index % 4 === 0),
    allPairs,
  )

  it.each(pairs)(
    'leave no session to those who know the former password alone: %s, and between any two steps of it %s',
    async (enter, end) => {
      let taken = 1
      for (let before = 1; before <= taken; before++)
        taken = (await overlap([enter, end], [...Array(before).fill(0), ...Array(40).fill(1)], [], [true]))[0] ?? 0
    },
    120_000,
  )

  /** Allows a whole request between two steps of another. */
  const turns = fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 15 })).map(([who, steps]) => Array(steps).fill(who))

  it('leave none to them in any other order, with processes that die, and the owner the password that was set', async () => {
    const property = fc.asyncProperty(
      fc.shuffledSubarray([...entering, ...ending], { minLength: 2, maxLength: 5 }),
      fc.array(turns, { minLength: 5, maxLength: 30 }).map((found) => found.flat()),
      fc.array(fc.option(fc.nat(12), { nil: undefined, freq: 4 }), { minLength: 5, maxLength: 5 }),
      fc.array(fc.boolean(), { minLength: 10, maxLength: 20 }),
      async (...given) => {
        await overlap(...given)
      },
    )
    await fc.assert(property, { numRuns: shortOrLong(10, 400) })
  }, 600_000)
})
