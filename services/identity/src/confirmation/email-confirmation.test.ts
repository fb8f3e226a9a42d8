import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { type SmtpServer, smtpServer } from '../testing/smtp-server.ts'
import { marina, testIdentity } from '../testing/test-identity.ts'

const publicUrl = 'https://atendimento.example.com'
type Prosa = Awaited<ReturnType<typeof testIdentity>>

const tokenIn = (text: string) => /token=([\w-]+)/.exec(text)?.[1] ?? ''
const minutesOfADay = 24 * 60

describe('an address, in production', () => {
  let server: SmtpServer
  let prosa: Prosa
  const withMail = () => ({
    production: true,
    publicUrl,
    mailer: smtpMailer({ url: server.url, from: 'Prosa <nao-responda@example.com>' }),
  })
  beforeAll(async () => {
    server = await smtpServer()
    prosa = await testIdentity(withMail())
  })
  afterAll(async () => {
    await prosa.stop()
    await server.close()
  })

  const mailsTo = (email: string) =>
    server.received.filter(({ to, subject }) => to.includes(email) && subject === 'Confirme seu e-mail no Prosa')
  const mailTo = (email: string, number = 1) => until(() => mailsTo(email)[number - 1])
  const confirm = (token: string, cookie?: string, key?: string) => prosa.post('confirm-email', { token }, cookie, key)
  const send = (cookie?: string, key?: string) => prosa.post('send-confirmation', undefined, cookie, key)

  it('is confirmed over the link that is mailed at the registration, as often as it is used', async () => {
    const email = 'um@example.com'
    const { id, cookie } = await prosa.register({ email, firstName: 'Marina <b>' })
    const { words } = await mailTo(email)
    expect(words).toContain(`${publicUrl}/confirm-email?token=`)
    expect(words).not.toContain('Marina')
    const token = tokenIn(words)
    for (const key of ['k', 'k', 'outra'])
      expect(await confirm(token, cookie, key)).toMatchObject({ status: 200, body: { emailConfirmed: true } })
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered', 'EmailConfirmed'])
    expect((await send(cookie)).body).toEqual({ message: 'Seu e-mail já está confirmado.' })
    prosa.putForward(5 * minutesOfADay)
    expect((await confirm(token)).status).toBe(200)
  })

  it('is not confirmed by what was not sent to it', async () => {
    const [email, second] = ['dois@example.com', 'dois.novo@example.com']
    const { id, cookie } = await prosa.register({ email })
    const token = tokenIn((await mailTo(email)).words)
    const { firstName, lastName, password: currentPassword } = marina
    await prosa.put('user', { firstName, lastName, email: second, currentPassword }, cookie)
    const forSecond = tokenIn((await mailTo(second)).words)
    for (const each of [
      token,
      'inventado',
      forSecond.slice(0, -2),
      prosa.ports.box.encrypt(Buffer.from(id), 'x').toString('base64url'),
    ])
      expect(await confirm(each, cookie)).toMatchObject({ status: 410, body: { type: 'confirmation_link_invalid' } })
    expect((await confirm(forSecond, cookie)).status).toBe(200)
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered', 'EmailChanged', 'EmailConfirmed'])
  })

  it('gets another link when the time of the first is over, once a wish', async () => {
    const email = 'tres@example.com'
    const { id, cookie } = await prosa.register({ email })
    const late = tokenIn((await mailTo(email)).words)
    prosa.putForward(3 * minutesOfADay + 1)
    expect(await confirm(late)).toMatchObject({ status: 410, body: { type: 'confirmation_link_expired' } })
    expect((await send()).status).toBe(401)
    for (const key of ['k', 'k'])
      expect((await send(cookie, key)).body).toEqual({
        message: 'Enviamos um link para o seu e-mail. Ele chega em instantes.',
      })
    const fresh = tokenIn((await mailTo(email, 2)).words)
    expect((await confirm(fresh)).status).toBe(200)
    expect(await prosa.historyOf(id)).toEqual(['UserRegistered', 'EmailConfirmationRequested', 'EmailConfirmed'])
    expect(mailsTo(email)).toHaveLength(2)
  })

  it('cannot be confirmed where no mail can be sent, which is stated', async () => {
    await prosa.restart({ production: true, publicUrl, mailer: undefined })
    const { cookie } = await prosa.register({ email: 'quatro@example.com' })
    expect(await send(cookie)).toMatchObject({ status: 409, body: { type: 'mail_not_configured' } })
  })
})

describe('an address, outside production', () => {
  it('is confirmed over the link in the reply, which production does not take', async () => {
    const prosa = await testIdentity()
    const { id, cookie } = await prosa.register()
    const { body } = await prosa.post('send-confirmation', undefined, cookie)
    const token = tokenIn(String(body.confirmationLink))
    await prosa.restart({ production: true })
    expect((await prosa.post('confirm-email', { token })).status).toBe(410)
    await prosa.restart({ production: false })
    expect((await prosa.post('confirm-email', { token })).status).toBe(200)
    expect((await prosa.historyOf(id)).at(-1)).toBe('EmailConfirmed')
    await prosa.stop()
  })
})
