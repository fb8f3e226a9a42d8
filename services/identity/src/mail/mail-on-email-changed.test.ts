import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SmtpServer, smtpServer } from '../testing/smtp-server.ts'
import { marina, testIdentity } from '../testing/test-identity.ts'
import { smtpMailer } from './smtp-mailer.ts'

const publicUrl = 'https://atendimento.example.com'
const moved = 'marina.alves@example.com'

describe('an account that moves to another address', () => {
  let server: SmtpServer
  let prosa: Awaited<ReturnType<typeof testIdentity>>
  let cookie: string
  const withMail = () => ({
    publicUrl,
    mailer: smtpMailer({ url: server.url, from: 'Prosa <nao-responda@example.com>' }),
  })
  beforeAll(async () => {
    server = await smtpServer()
    prosa = await testIdentity(withMail())
    cookie = (await prosa.register({ firstName: 'Marina <b>' })).cookie
  })
  afterAll(async () => {
    await prosa.stop()
    await server.close()
  })
  const notices = () =>
    server.received.filter(({ subject }) => subject === 'O e-mail da sua conta no Prosa foi trocado')
  const save = (email: string, firstName: string = marina.firstName) =>
    prosa.put('user', { firstName, lastName: marina.lastName, email, currentPassword: marina.password }, cookie)

  it('notifies the former address, once, and does not name the new one to it', async () => {
    expect((await save(moved, 'Marina <b>')).status).toBe(200)
    const mail = await until(() => notices()[0])
    expect(mail.to).toEqual([marina.email])
    // Names are untrusted input.
    expect(mail.words).not.toContain('Marina')
    expect(mail.words).not.toContain(moved)
    expect((await save(moved)).status).toBe(200)
    expect((await save('terceiro@example.com')).status).toBe(200)
    expect((await until(() => notices()[1])).to).toEqual([moved])
    expect(notices()).toHaveLength(2)
  })

  it('notifies nobody of a change that is long over when a mail server is set', async () => {
    await prosa.restart({ mailer: undefined })
    expect((await save('quarto@example.com')).status).toBe(200)
    prosa.putForward(25 * 60)
    await prosa.restart(withMail())
    expect((await save('quinto@example.com')).status).toBe(200)
    expect((await until(() => notices()[2])).to).toEqual(['quarto@example.com'])
    expect(notices()).toHaveLength(3)
  })
})
