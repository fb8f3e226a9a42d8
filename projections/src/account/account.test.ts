import { Readable } from 'node:stream'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { photoFileName } from '@prosa/contracts/photo-file-name'
import { termsWritten } from '@prosa/contracts/values/terms'
import { later } from '@prosa/kernel/clock'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { accountRoles, readRoleHolders } from './queries.ts'

const user = idOf('user')
const person = { firstName: 'Ana', lastName: 'Souza', email: 'ana@padaria.com.br' }
const registered = { type: 'UserRegistered', data: { ...person, credentialId: idOf('credential') } } as const
const trial = (endsAt: string) => ({ type: 'TrialStarted', data: { endsAt } }) as const

describe('GET /api/auth/user', () => {
  const clock = { now: () => at(3600) }
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections(clock)
  })
  afterAll(() => prosa.stop())

  it('asks visitors to sign in', async () => {
    const { status, body } = await prosa.get('/api/auth/user')
    expect([status, body.type]).toEqual([401, 'not_signed_in'])
  })

  it('waits for the trial that follows a registration', async () => {
    const position = await prosa.append(user, `user-${user}`, registered)
    const asked = prosa.get('/api/auth/user', user, position)
    await prosa.ports.readModels.reached(['account'], position, 2000)
    await prosa.append(user, `subscription-${user}`, trial(at(7200)))
    expect((await asked).body).toEqual({
      id: user,
      ...person,
      isEmailConfirmed: false,
      mustChangePassword: false,
      profileImageUrl: null,
      company: { name: null, notifications: false, analytics: true },
      createdAt: at(0),
      subscriptionStatus: 'active',
      subscriptionEnd: at(7200),
      isTrial: true,
      roles: [],
      terms: { version: termsWritten, accepted: null },
    })
  })

  it('tells visitors the version of the terms, and a user the latest accepted with its time', async () => {
    expect(await prosa.get('/api/terms')).toMatchObject({ status: 200, body: { version: termsWritten } })
    const reader = idOf('reader')
    const accepted = (version: string) => ({ type: 'TermsAccepted', data: { version } }) as const
    await prosa.append(reader, `user-${reader}`, registered)
    await prosa.append(reader, `subscription-${reader}`, trial(at(7200)))
    await prosa.append(reader, `user-${reader}`, accepted('2026-11-27'))
    const latest = await prosa.append(reader, `user-${reader}`, accepted('2027-03-01'))
    const { body } = await prosa.get('/api/auth/user', reader, latest)
    expect(body.terms).toEqual({
      version: termsWritten,
      accepted: { version: '2027-03-01', at: expect.any(String) },
    })
  })

  it('shows a corrected name, a new address and the roles as they are now', async () => {
    const admin = idOf('admin')
    const events = [
      registered,
      { type: 'UserRenamed', data: { firstName: 'Ana Maria', lastName: 'Lima' } },
      {
        type: 'EmailChanged',
        data: { email: 'ana@lima.com.br', changeId: idOf('change'), formerEmail: person.email, formerChangeId: null },
      },
      { type: 'RoleGranted', data: { role: 'analyst' } },
      { type: 'RoleGranted', data: { role: 'admin' } },
    ] as const
    for (const event of events) await prosa.append(admin, `user-${admin}`, event)
    const granted = await prosa.append(admin, `subscription-${admin}`, trial(at(7200)))
    const { body } = await prosa.get('/api/auth/user', admin, granted)
    expect(body).toMatchObject({ firstName: 'Ana Maria', lastName: 'Lima', email: 'ana@lima.com.br' })
    expect(body.roles).toEqual(['analyst', 'admin'])
    expect(await readRoleHolders(prosa.ports.pool)).toEqual([admin])

    const revoked = await prosa.append(admin, `user-${admin}`, { type: 'RoleRevoked', data: { role: 'admin' } })
    await prosa.ports.readModels.reached(['account'], revoked, 2000)
    expect(await accountRoles(prosa.ports.pool).of(admin)).toEqual(['analyst'])
    expect(await accountRoles(prosa.ports.pool).of(idOf('nobody'))).toEqual([])
  })

  it('shows what was paid, what went back and what was cancelled', async () => {
    const buyer = idOf('buyer')
    const subscription = async (event: AnyEvent) => {
      const position = await prosa.append(buyer, `subscription-${buyer}`, event)
      const { subscriptionStatus, subscriptionEnd, isTrial } = (await prosa.get('/api/auth/user', buyer, position)).body
      return [subscriptionStatus, subscriptionEnd, isTrial]
    }
    const order = { orderId: 'order-1', subscriptionId: 'sub-1', productId: null }
    await prosa.append(buyer, `user-${buyer}`, registered)
    expect(await subscription(trial(at(7200)))).toEqual(['active', at(7200), true])
    const paid = { ...order, until: at(9000), endsAt: at(9000), status: 'active' } as const
    expect(await subscription({ type: 'AccessGranted', data: paid })).toEqual(['active', at(9000), false])
    const cancelled = { subscriptionId: 'sub-1', status: 'cancelled' } as const
    expect(await subscription({ type: 'RenewalCancelled', data: cancelled })).toEqual(['cancelled', at(9000), false])
    const back = { orderId: 'order-1', cause: 'refund', endsAt: null, status: 'expired' } as const
    const [status, end] = await subscription({ type: 'AccessRevoked', data: back })
    expect([status, Date.parse(String(end)) < Date.parse(at(3600))]).toEqual(['expired', true])
  })

  it('shows the free period again once a stranger’s payment went back, and the longer of both before', async () => {
    const buyer = idOf('bought for')
    const subscription = async (event: AnyEvent) => {
      const position = await prosa.append(buyer, `subscription-${buyer}`, event)
      const { subscriptionStatus, subscriptionEnd, isTrial } = (await prosa.get('/api/auth/user', buyer, position)).body
      return [subscriptionStatus, subscriptionEnd, isTrial]
    }
    const trialEnd = later(new Date().toISOString(), 10 * 24 * 3600 * 1000)
    const order = { orderId: 'order-1', subscriptionId: null, productId: null }
    await prosa.append(buyer, `user-${buyer}`, registered)
    await subscription(trial(trialEnd))
    const old = { ...order, until: at(7200), endsAt: trialEnd, status: 'active', by: 'trial' } as const
    expect(await subscription({ type: 'AccessGranted', data: old })).toEqual(['active', trialEnd, true])
    const paid = later(trialEnd, 1000)
    const longer = { ...order, orderId: 'order-2', until: paid, endsAt: paid, status: 'active', by: 'order' } as const
    expect(await subscription({ type: 'AccessGranted', data: longer })).toEqual(['active', paid, false])
    const back = { orderId: 'order-2', cause: 'chargeback', endsAt: trialEnd, status: 'active', by: 'trial' } as const
    expect(await subscription({ type: 'AccessRevoked', data: back })).toEqual(['active', trialEnd, true])
  })

  it('shows a picture to its account and to administrators, and to nobody else', async () => {
    const [tenant, admin, photoId, nextId] = [idOf('pictured'), idOf('chief'), idOf('photo'), idOf('next photo')]
    const change = (id: string, formerPhotoId: string | null): AnyEvent => ({
      type: 'ProfilePhotoChanged',
      data: { photoId: id, formerPhotoId },
    })
    for (const id of [tenant, admin]) await prosa.append(id, `user-${id}`, registered)
    await prosa.append(admin, `user-${admin}`, { type: 'RoleGranted', data: { role: 'admin' } })
    await prosa.append(tenant, `subscription-${tenant}`, trial(at(7200)))
    const position = await prosa.append(tenant, `user-${tenant}`, change(photoId, null))
    const bytes = Buffer.from('bytes of a picture')
    await prosa.ports.files.put(photoFileName(tenant, photoId, 64), Readable.from([bytes]), bytes.length)

    const { profileImageUrl } = (await prosa.get('/api/auth/user', tenant, position)).body
    expect(profileImageUrl).toBe(`/api/profile-photos/${photoId}`)
    const read = async (reader: string, etag = '') => {
      const cookie = `${sessionCookie}=${(await prosa.ports.browserSessions.issue(reader)).token}`
      return prosa.app.inject({
        url: `${profileImageUrl}?size=64`,
        headers: { cookie, 'prosa-position': prosa.tokenOf(reader, position), ...(etag && { 'if-none-match': etag }) },
      })
    }
    const own = await read(tenant)
    expect([own.statusCode, own.body, own.headers['content-type']]).toEqual([200, 'bytes of a picture', 'image/webp'])
    expect(own.headers['cache-control']).toMatch(/^private, /)
    expect((await read(tenant, own.headers.etag)).statusCode).toBe(304)
    expect((await read(admin)).statusCode).toBe(200)
    expect([(await read(user)).statusCode, (await read(user, own.headers.etag)).statusCode]).toEqual([404, 404])

    const replaced = await prosa.append(tenant, `user-${tenant}`, change(nextId, photoId))
    await prosa.ports.readModels.reached(['account'], replaced, 2000)
    expect((await read(tenant)).statusCode).toBe(404)
  })

  it('calls a trial that has ended expired', async () => {
    const other = idOf('other user')
    await prosa.append(other, `user-${other}`, registered)
    const position = await prosa.append(other, `subscription-${other}`, trial(at(3600)))
    const { body } = await prosa.get('/api/auth/user', other, position)
    expect([body.id, body.subscriptionStatus]).toEqual([other, 'expired'])
  })
})
