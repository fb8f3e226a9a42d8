import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, idOf } from '../testing/test-log.ts'
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

  it('tells visitors to sign in', async () => {
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
      profileImageUrl: null,
      createdAt: at(0),
      subscriptionStatus: 'active',
      subscriptionEnd: at(7200),
      roles: [],
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

  it('calls a trial that has ended expired', async () => {
    const other = idOf('other user')
    await prosa.append(other, `user-${other}`, registered)
    const position = await prosa.append(other, `subscription-${other}`, trial(at(3600)))
    const { body } = await prosa.get('/api/auth/user', other, position)
    expect([body.id, body.subscriptionStatus]).toEqual([other, 'expired'])
  })
})
