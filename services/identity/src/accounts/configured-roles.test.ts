import { until } from '@prosa/kernel/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { type SmtpServer, smtpServer } from '../testing/smtp-server.ts'
import { marina, testIdentity } from '../testing/test-identity.ts'

let server: SmtpServer
let prosa: Awaited<ReturnType<typeof testIdentity>>
beforeEach(async () => {
  server = await smtpServer()
})
afterEach(async () => {
  await prosa.stop()
  await server.close()
})

const listed = (...admin: string[]) => ({ roleList: { admin, analyst: [] } })
const production = () => ({
  production: true,
  publicUrl: 'https://atendimento.example.com',
  mailer: smtpMailer({ url: server.url, from: 'prosa@example.com' }),
})

const proveAddress = async (email: string) => {
  const links = () => server.received.filter(({ subject }) => subject === 'Redefina sua senha do Prosa')
  const count = links().length
  await prosa.post('forgot-password', { email })
  const { words } = await until(() => links()[count])
  const token = /token=([\w-]+)/.exec(words)?.[1]
  return prosa.post('reset-password', { token, password: 'outra senha boa' })
}
const last = async (id: string) => (await prosa.historyOf(id)).at(-1)

describe('the role of an administrator', () => {
  it('comes with the registration outside production, and goes with the address', async () => {
    prosa = await testIdentity(listed(marina.email))
    const { id, cookie } = await prosa.register()
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered', 'RoleGranted admin'])
    const { firstName, lastName, password: currentPassword } = marina
    await prosa.put('user', { firstName, lastName, email: 'outra@example.com', currentPassword }, cookie)
    expect(await last(id)).toBe('RoleRevoked admin')
  })

  it('is not had in production by whoever registers the address first, but by who reads its mail', async () => {
    prosa = await testIdentity({ ...production(), ...listed(marina.email) })
    const { id } = await prosa.register()
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered'])
    expect((await proveAddress(marina.email)).status).toBe(200)
    expect(await prosa.historyOf(id)).toEqual([
      'UserRegistered',
      'PasswordChanged',
      'EmailConfirmed',
      'RoleGranted admin',
    ])
  })

  it('is not had by whoever registers the address first when its owner confirms it where nobody is signed in', async () => {
    prosa = await testIdentity({ ...production(), ...listed(marina.email) })
    const { id, cookie } = await prosa.register()
    const mailed = () => server.received.find(({ subject }) => subject === 'Confirme seu e-mail no Prosa')
    const token = /token=([\w-]+)/.exec((await until(mailed)).words)?.[1]
    expect((await prosa.post('confirm-email', { token })).status).toBe(200)
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered', 'EmailConfirmed'])
    expect((await prosa.post('confirm-email', { token }, cookie)).status).toBe(200)
    expect(await last(id)).toBe('RoleGranted admin')
  })

  it('is granted and revoked at the next start, as the configuration has it by then', async () => {
    prosa = await testIdentity(production())
    const { id: squatter } = await prosa.register({ email: 'chefe@example.com' })
    const { id: byAddress } = await prosa.register()
    const { id: byId } = await prosa.register({ email: 'outra@example.com' })
    await proveAddress(marina.email)
    await prosa.restart(listed(marina.email, byId, 'chefe@example.com', 'ninguem@example.com'))
    await until(async () => (await last(byAddress)) === 'RoleGranted admin')
    await until(async () => (await last(byId)) === 'RoleGranted admin')

    await prosa.restart({ ...listed(marina.email), readRoleHolders: async () => [byAddress, byId] })
    await until(async () => (await last(byId)) === 'RoleRevoked admin')
    expect(await last(byAddress)).toBe('RoleGranted admin')
    expect(await prosa.historyOf(squatter)).toEqual(['UserRegistered'])
  })
})
