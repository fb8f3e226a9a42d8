import { securityLog } from '@prosa/kernel/observability/security-log'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { capturedLog } from '@prosa/kernel/testing/captured-log'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { marina, testIdentity } from './testing/test-identity.ts'

const captured = capturedLog()
const security = securityLog({ log: captured.log, box: secretBox(new Uint8Array(32).fill(7)) })
let identity: Awaited<ReturnType<typeof testIdentity>>
beforeAll(async () => {
  identity = await testIdentity({ roleList: { admin: [marina.email], analyst: [] } }, { security })
})
afterAll(() => identity.stop())

const linesOf = (event: string) => captured.lines().filter((line) => line.security === event)

it('who gets a role, who tries to get in, and from where, stands in the security log, without a word about the person', async () => {
  const { id, cookie } = await identity.register()
  expect(linesOf('role_granted')).toMatchObject([{ user: id, role: 'admin', level: 40 }])

  expect(await identity.login(marina.email, 'errada')).toBe(401)
  expect(await identity.login('ninguem@example.com', 'errada')).toBe(401)
  const [known, unknown] = linesOf('wrong_credentials')
  expect(known).toMatchObject({ user: id, method: 'POST', route: '/api/auth/login' })
  expect(known?.address).toMatch(/^[\dA-F]{20}$/)
  expect(unknown).not.toHaveProperty('user')
  expect(unknown?.address).toBe(known?.address)

  await identity.post('reset-password', { token: 'x'.repeat(43), password: 'segredo novo' })
  expect(linesOf('reset_link_invalid')).toMatchObject([{ route: '/api/auth/reset-password' }])
  await identity.put('password', { currentPassword: 'errada', newPassword: 'segredo novo' }, cookie)
  expect(linesOf('wrong_current_password')).toMatchObject([{ user: id }])

  for (const personal of [marina.email, marina.firstName, marina.lastName, marina.password, 'errada', '127.0.0.1'])
    expect([personal, captured.output().includes(personal)]).toEqual([personal, false])
})

it('a flood of equal attempts is one line a minute, and the next one counts those that were left out', async () => {
  const lines = captured.lines().length
  for (let attempt = 0; attempt < 20; attempt++) await identity.login('outra@example.com', 'errada')
  expect(captured.lines().length - lines).toBeLessThanOrEqual(1)
})
