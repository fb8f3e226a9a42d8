import { randomUUID } from 'node:crypto'
import type { Role } from '@prosa/contracts/values/role'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { type SmtpServer, smtpServer } from '../testing/smtp-server.ts'
import { marina, testIdentity } from '../testing/test-identity.ts'

const supportEmail = 'ajuda@example.com'
const words = {
  subject: 'Meu número\r\nBcc: todos@example.com',
  message: 'Leio o <b>QR</b>\ne nada.',
  priority: 'urgent',
}

let server: SmtpServer
let prosa: Awaited<ReturnType<typeof testIdentity>>
let subscriber: { id: string; cookie: string }
let admin: { id: string; cookie: string }
const roles = new Map<string, Role[]>()
const tenants = new Map<string, string>()

beforeAll(async () => {
  server = await smtpServer()
  prosa = await testIdentity(
    {
      publicUrl: 'https://atendimento.example.com',
      mailer: smtpMailer({ url: server.url, from: 'prosa@example.com' }),
      supportEmail,
      findSupportTenant: async (_, id) => tenants.get(id),
    },
    { roles: { of: async (id) => roles.get(id) ?? [] } },
  )
  subscriber = await prosa.register()
  admin = await prosa.register({ email: 'chefe@example.com' })
  roles.set(admin.id, ['admin'])
})
afterAll(async () => {
  await prosa.stop()
  await server.close()
})

const send = (body: object, key?: string) => prosa.ask('POST', '/api/support/requests', body, subscriber.cookie, key)
const answer = (id: string, cookie = admin.cookie, key?: string) =>
  prosa.ask('POST', `/api/admin/support-requests/${id}/answer`, undefined, cookie, key)
const eventsOf = async (id: string) =>
  (await everythingIn(prosa.ports.store, 'supportRequest')).filter(({ stream }) => stream === `supportRequest-${id}`)
const mails = () => server.received.filter(({ to }) => to.includes(supportEmail))

describe('a message to support', () => {
  it('is stored and mailed once to those who help, whose answer goes to who wrote it', async () => {
    const first = await send(words, 'k')
    expect(first.status).toBe(201)
    expect((await send(words, 'k')).body).toEqual(first.body)
    const [event, ...others] = await eventsOf(first.body.id)
    expect([event?.type, event?.metadata.tenant, others]).toEqual(['SupportRequested', subscriber.id, []])

    const mail = await until(() => mails()[0])
    expect(mail.to).toEqual([supportEmail])
    expect(mail.words).toContain(`Reply-To: ${marina.email}`)
    expect(mail.words.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/m)
    expect(mail.words).toContain('Prioridade: Urgente')
    expect(mail.words).toContain('Leio o &lt;b&gt;QR&lt;/b&gt;<br>e nada.')
    expect(mails()).toHaveLength(1)
  })

  it('is of medium priority unless somebody says otherwise', async () => {
    const { body } = await send({ subject: 'Olá', message: 'Tudo bem?' })
    const [event] = await eventsOf(body.id)
    expect(event?.data).toMatchObject({ priority: 'medium' })
  })

  it.each([
    [{}, { subject: 'Escreva o assunto.', message: 'Escreva a mensagem.' }],
    [
      { subject: ' ', message: '\n' },
      { subject: 'Escreva o assunto.', message: 'Escreva a mensagem.' },
    ],
    [{ subject: 'Olá', message: 'a'.repeat(100_000) }, { message: 'A mensagem pode ter no máximo 5.000 caracteres.' }],
    [
      { subject: 'a'.repeat(151), message: 'Oi', priority: 'agora' },
      { subject: 'O assunto pode ter no máximo 150 caracteres.', priority: 'Escolha uma prioridade.' },
    ],
  ])('is refused at its fields, in words', async (body, wanted) => {
    const { status, body: problem } = await send(body)
    expect(status).toBe(422)
    const errors = (problem.errors as { field: string; message: string }[]).map((each) => [each.field, each.message])
    expect(Object.fromEntries(errors)).toEqual(wanted)
  })

  it('is marked as answered once, by an administrator only', async () => {
    const { id } = (await send({ subject: 'Olá', message: 'Tudo bem?' })).body
    tenants.set(id, subscriber.id)
    expect((await answer(id, subscriber.cookie)).status).toBe(403)
    expect((await answer(randomUUID())).body.type).toBe('support_request_not_found')
    for (const key of ['a', 'a', 'b']) expect((await answer(id, admin.cookie, key)).status).toBe(200)
    const events = await eventsOf(id)
    expect(events.map(({ type }) => type)).toEqual(['SupportRequested', 'SupportRequestAnswered'])
    expect(events[1]?.metadata).toMatchObject({ actor: { kind: 'admin', id: admin.id }, tenant: subscriber.id })
  })
})
