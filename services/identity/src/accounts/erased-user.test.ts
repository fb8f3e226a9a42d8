import { randomUUID } from 'node:crypto'
import { userSubject } from '@prosa/contracts/events/subjects'
import { specify } from '@prosa/kernel/domain/specify'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { testPorts } from '@prosa/product/testing/test-ports'
import { describe, expect, it } from 'vitest'
import { openPasswords } from '../passwords/passwords.ts'
import { followCredential } from '../sessions/end-sessions-on-credential-changed.ts'
import { openAccounts } from './accounts.ts'
import { forgetOnUserErased } from './forget-on-user-erased.ts'
import { type UserEvent, user } from './user.ts'

const given = specify(user)
const person = { firstName: 'Marina', lastName: 'Alves', email: 'marina@example.com' }
const moved = 'alves@example.com'
const registered: UserEvent = { type: 'UserRegistered', data: { ...person, credentialId: randomUUID() } }
const erased: UserEvent = { type: 'UserErased', data: {} }
const erase = { type: 'EraseUser', data: {} } as const

describe('erasing a user', () => {
  it('is recorded once, of an account that there is', () => {
    given(registered).when(erase).then(erased)
    given(registered, erased).when(erase).thenNothing()
    given().when(erase).thenNothing()
  })

  it('ends the account for good: its stream is never registered again', () => {
    const register = { type: 'RegisterUser', data: { ...person, credentialId: randomUUID() } } as const
    given(registered, erased).when(register).thenRejected('email_taken')
    given(registered, erased)
      .when({ type: 'LogIn', data: { credentialId: randomUUID() } })
      .thenRejected('wrong_credentials')
  })

  it('takes sessions, passwords, the claim of every address and the key, also when it is cut short', async () => {
    const plain = await testPorts()
    const ports = { ...plain, codec: eventCodec({ personal: personalEncryption(plain.subjectKeys, plain.box) }) }
    const accounts = openAccounts(ports)
    const passwords = await openPasswords(ports.secrets)
    const userId = randomUUID()
    const [credentialId, changed, temporary] = [randomUUID(), randomUUID(), randomUUID()]
    for (const id of [credentialId, changed, temporary]) await passwords.store(id, 'pão de queijo')
    const follow = followCredential(ports, accounts)
    const { token } = await ports.browserSessions.issue(userId)
    const context = (tenant: string | null) => ({
      commandId: randomUUID(),
      actor: { kind: 'user', id: userId } as const,
      tenant,
      causationId: 'test',
      correlationId: 'test',
    })
    const changeId = randomUUID()
    const { emails, users, claimIdOf } = accounts
    await emails(claimIdOf(person.email), { type: 'ClaimEmail', data: { userId } }, context(null))
    await users(userId, { type: 'RegisterUser', data: { ...person, credentialId } }, context(userId))
    await emails(claimIdOf(moved), { type: 'ClaimEmail', data: { userId, changeId } }, context(null))
    await users(userId, { type: 'SaveProfile', data: { ...person, email: moved, changeId } }, context(userId))
    const change = { type: 'ChangePassword', data: { credentialId: changed, insteadOf: credentialId } } as const
    await users(userId, change, context(userId))
    const correct = { type: 'CorrectUser', data: { changeId: randomUUID(), credentialId: temporary } } as const
    await users(userId, correct, context(userId))
    await users(userId, erase, context(userId))

    const proofs = async () => {
      const found = []
      for await (const page of ports.store.read(`user-${userId}`)) found.push(...(await ports.codec.decode(page)))
      return found.filter((event) => event.type === 'UserErased')
    }
    const forget = async (deps = ports) => {
      for (const proof of await proofs())
        await forgetOnUserErased(deps, accounts, passwords, follow).on.UserErased?.(proof)
    }
    const away = { ...ports.subjectKeys, erase: () => Promise.reject(new Error('the database is away')) }
    await expect(forget({ ...ports, subjectKeys: away })).rejects.toThrow('away')
    for (let time = 0; time < 2; time++) await forget()

    expect(await proofs()).toHaveLength(1)
    expect(await ports.browserSessions.resolve(token)).toBeUndefined()
    for (const id of [credentialId, changed, temporary]) expect(await ports.secrets.get('password', id)).toBeUndefined()
    for (const email of [person.email, moved]) expect((await emails.load(claimIdOf(email), null)).userId).toBeNull()
    const { rows } = await ports.pool.query('select wrapped from subject_key where subject = $1', [userSubject(userId)])
    expect(rows).toEqual([{ wrapped: null }])
    await ports.close()
  })
})
