import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { type SmtpServer, smtpServer } from '../testing/smtp-server.ts'
import { marina, testIdentity } from '../testing/test-identity.ts'

const publicUrl = 'https://atendimento.example.com'
const day = 24 * 3600 * 1000

describe('where nothing is sent from an address that is not confirmed', () => {
  let server: SmtpServer
  let prosa: Awaited<ReturnType<typeof testIdentity>>

  const findUnconfirmed = async () => {
    const found = new Map<string, boolean>()
    for (const { type, metadata } of await everythingIn(prosa.ports.store, 'user')) {
      const tenant = metadata.tenant ?? ''
      if (type === 'UserRegistered') found.set(tenant, true)
      if (type === 'EmailConfirmed' || type === 'EmailConfirmationDemanded' || type === 'UserErased')
        found.set(tenant, false)
    }
    return [...found].flatMap(([userId, isOpen]) => (isOpen ? [userId] : []))
  }
  const demanded = { sendingNeedsConfirmedEmail: true, findUnconfirmed }

  beforeAll(async () => {
    server = await smtpServer()
    const mailer = smtpMailer({ url: server.url, from: 'Prosa <nao-responda@example.com>' })
    prosa = await testIdentity({ production: true, publicUrl, mailer })
  })
  afterAll(async () => {
    await prosa.stop()
    await server.close()
  })

  const mailsTo = (email: string) => server.received.filter(({ to }) => to.includes(email))
  const tokenIn = (text: string) => /token=([\w-]+)/.exec(text)?.[1] ?? ''
  const confirm = async (email: string, cookie: string) => {
    const { words } = await until(() => mailsTo(email)[0])
    return prosa.post('confirm-email', { token: tokenIn(words) }, cookie)
  }
  const demands = async (userId: string) =>
    (await everythingIn(prosa.ports.store, 'user')).flatMap(({ stream, type, data, metadata }) =>
      stream === `user-${userId}` && type === 'EmailConfirmationDemanded'
        ? [Math.round(Math.max(0, Date.parse(data.until) - Date.parse(metadata.recordedAt)) / day)]
        : [],
    )
  const move = (cookie: string, email: string) => {
    const { firstName, lastName, password: currentPassword } = marina
    return prosa.put('user', { firstName, lastName, email, currentPassword }, cookie)
  }

  it('accounts that were there before have two weeks, are sent a mail that says so, once, and new ones begin with it', async () => {
    const [waits, proved] = ['espera@example.com', 'provou@example.com']
    const before = await prosa.register({ email: waits })
    const confirmed = await prosa.register({ email: proved })
    expect((await confirm(proved, confirmed.cookie)).status).toBe(200)
    expect(await demands(before.id)).toEqual([])

    await prosa.restart(demanded)
    await until(async () => (await demands(before.id)).length === 1)
    expect([await demands(before.id), await demands(confirmed.id)]).toEqual([[14], []])
    const mail = await until(() => mailsTo(waits)[1])
    expect(mail.words).toMatch(/a conta deixa de enviar mensagens em \d\d\/\d\d\/\d{4}/)
    await prosa.restart(demanded)
    const fresh = await prosa.register({ email: 'nova@example.com' })
    expect(await demands(fresh.id)).toEqual([0])
    expect((await until(() => mailsTo('nova@example.com')[0])).words).not.toContain('deixa de enviar')
    expect(await demands(before.id)).toEqual([14])
    expect(mailsTo(waits)).toHaveLength(2)
  })

  it('whoever moves on from a confirmed address has three days, and whoever had not confirmed gets no more time', async () => {
    await prosa.restart(demanded)
    const [from, to] = ['de@example.com', 'para@example.com']
    const { id, cookie } = await prosa.register({ email: from })
    await confirm(from, cookie)
    await move(cookie, to)
    expect(await demands(id)).toEqual([0, 3])
    prosa.putForward(2 * 24 * 60)
    await move(cookie, 'outra@example.com')
    expect(await demands(id)).toEqual([0, 3, 1])
  })

  it('the mail to an address that had its free period before says so', async () => {
    const email = 'ja.usado@example.com'
    const { cookie } = await prosa.register({ email })
    await prosa.post('erase-account', { password: marina.password }, cookie)
    await until(async () => (await prosa.post('register', { ...marina, email })).status === 201)
    const mail = await until(() => mailsTo(email)[1])
    expect(mail.words).toContain('O período de teste deste e-mail já foi usado')
  })

  it('is a rule that can be switched off', async () => {
    await prosa.restart({ sendingNeedsConfirmedEmail: false })
    const { id } = await prosa.register({ email: 'livre@example.com' })
    expect(await demands(id)).toEqual([])
  })
})
