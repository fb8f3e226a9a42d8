import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { erasedEmail } from '@prosa/contracts/values/personal'
import type { Role } from '@prosa/contracts/values/role'
import { until } from '@prosa/kernel/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SmtpServer, smtpServer } from '../testing/smtp-server.ts'
import { testIdentity } from '../testing/test-identity.ts'
import { smtpMailer } from './smtp-mailer.ts'

let server: SmtpServer
let prosa: Awaited<ReturnType<typeof testIdentity>>
let holders: string[]
beforeEach(async () => {
  server = await smtpServer()
  holders = []
  prosa = await testIdentity({
    publicUrl: 'https://atendimento.example.com',
    mailer: smtpMailer({ url: server.url, from: 'prosa@example.com' }),
    readRoleHolders: async () => holders,
    roleList: { admin: ['ana@example.com', 'bia@example.com'], analyst: ['caio@example.com'] },
  })
})
afterEach(async () => {
  await prosa.stop()
  await server.close()
})

const append = async (stream: string, tenant: string | null, event: AnyEvent) => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of prosa.ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
  const id = randomUUID()
  const actor = { kind: 'system', id: 'test' } as const
  const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: prosa.ports.clock.now() }
  await prosa.ports.store.append(stream, revision, await prosa.ports.codec.encode([{ id, stream, event, metadata }]))
}
const somebody = async (email: string, role?: Role) => {
  const { id, cookie } = await prosa.register({ email })
  if (role) holders.push(id)
  return { id, cookie }
}

const refused = (more: object = {}): AnyEvent => ({
  type: 'DeliveriesRefused',
  data: {
    reportId: randomUUID(),
    count: 12,
    causes: [
      { endpoint: 'approved', reason: 'signature', count: 11 },
      { endpoint: 'refunded', reason: 'no_token', count: 1 },
    ],
    hour: '2026-11-25T12',
    countedInHour: [],
    addresses: [{ address: '203.0.113.7', count: 12 }],
    lastAcceptedAt: '2026-11-24T18:03:11.000Z',
    nextReportAt: '2026-11-25T13:40:00.000Z',
    expiresAt: '2026-12-25T12:40:00.000Z',
    ...more,
  },
})
const refuse = (more?: object) => append('refusedDeliveries-kiwify', null, refused(more))
const charged: AnyEvent = {
  type: 'ErasedBuyerCharged',
  data: { orderRef: 'aBcDeF1', subscriptionId: 'sub-1', amountCents: 9700 },
}
const mailsTo = (email: string, subject: string) =>
  server.received.filter((mail) => mail.to.includes(email) && mail.words.includes(subject))
const about = 'Se vieram mesmo da Kiwify'

describe('a report of refused deliveries', () => {
  it('is mailed to each administrator once, with counts, addresses, the last accepted one and what to do', async () => {
    await somebody('ana@example.com', 'admin')
    await somebody('bia@example.com', 'admin')
    await somebody('caio@example.com', 'analyst')
    await somebody('dora@example.com')
    await refuse()
    const [mail] = await until(() => {
      const found = mailsTo('bia@example.com', about)
      return found.length > 0 && found
    })
    await until(() => mailsTo('ana@example.com', about).length > 0)
    for (const words of [
      'recusou 12 avisos da Kiwify',
      'Webhook de compras: 11, a assinatura não confere.',
      'Webhook de reembolsos: 1, nenhum token está configurado.',
      'Vieram de: 203.0.113.7 (12).',
      'O último aviso aceito chegou em 24/11/2026, 15:03.',
      'PROSA_KIWIFY_APPROVED_TOKENS e PROSA_KIWIFY_REFUNDED_TOKENS',
      'https://atendimento.example.com/admin?aba=webhook',
    ])
      expect(mail?.words).toContain(words)
    const sent = server.received.filter(({ words }) => words.includes(about))
    expect(sent.flatMap(({ to }) => to).sort()).toEqual(['ana@example.com', 'bia@example.com'])
  })

  it('does not name what is not known', async () => {
    await somebody('ana@example.com', 'admin')
    const causes = [{ endpoint: 'approved', reason: 'too_large', count: 1 }]
    await refuse({ count: 1, causes, addresses: [], lastAcceptedAt: null })
    const [mail] = await until(() => {
      const found = mailsTo('ana@example.com', about)
      return found.length > 0 && found
    })
    expect(mail?.words).toContain('recusou 1 aviso da Kiwify.')
    expect(mail?.words).toContain('Nenhum aviso foi aceito até agora.')
    expect(mail?.words).not.toContain('Vieram de')
    expect(mail?.words).not.toContain('REFUNDED')
  })

  it('comes to the others where the mail server refuses one of them, who gets it when it is tried again', async () => {
    await somebody('ana@example.com', 'admin')
    await somebody('bia@example.com', 'admin')
    server.refusals.push('450 try later')
    await refuse()
    await until(() => mailsTo('ana@example.com', about).length > 0 && mailsTo('bia@example.com', about).length > 0)
    await refuse({ lastAcceptedAt: null })
    await until(() => mailsTo('bia@example.com', 'Nenhum aviso foi aceito').length > 0)
    for (const email of ['ana@example.com', 'bia@example.com'])
      expect(mailsTo(email, 'O último aviso aceito')).toHaveLength(1)
  })

  it('is not mailed to whoever is being erased, whose address is unreadable already', async () => {
    const id = randomUUID()
    const caio = { firstName: 'Caio', lastName: 'Lima', email: erasedEmail, credentialId: randomUUID() }
    await append(`user-${id}`, id, { type: 'UserRegistered', data: caio })
    await append(`user-${id}`, id, { type: 'RoleGranted', data: { role: 'admin' } })
    holders.push(id)
    await somebody('bia@example.com', 'admin')
    await refuse()
    await until(() => mailsTo('bia@example.com', about).length > 0)
    expect(mailsTo(erasedEmail, about)).toEqual([])
  })

  it('is not mailed a day later, nor to whoever was erased', async () => {
    const gone = await somebody('ana@example.com', 'admin')
    await somebody('bia@example.com', 'admin')
    await append(`user-${gone.id}`, gone.id, { type: 'UserErased', data: {} })
    await refuse()
    await until(() => mailsTo('bia@example.com', about).length > 0)
    expect(mailsTo('ana@example.com', about)).toEqual([])
    await prosa.restart({ mailer: undefined })
    await refuse({ count: 77 })
    prosa.putForward(25 * 60)
    await prosa.restart({})
    await refuse({ count: 99 })
    await until(() => mailsTo('bia@example.com', 'recusou 99').length > 0)
    expect(mailsTo('bia@example.com', 'recusou 77')).toEqual([])
  })
})

describe('a charge of somebody who was erased', () => {
  it('is mailed to administrators with the order and what to do at Kiwify', async () => {
    await somebody('ana@example.com', 'admin')
    await append('order-7ea1', null, charged)
    const [mail] = await until(() => {
      const found = mailsTo('ana@example.com', 'cobrou quem já tinha sido apagado')
      return found.length > 0 && found
    })
    expect(mail?.words).toContain('o pedido aBcDeF1 (7ea1), de R$ 97,00.')
    expect(mail?.words).toContain('cancele a assinatura sub-1')
    expect(mail?.words).toContain('https://atendimento.example.com/admin?aba=transacoes')
    await append('order-7ea2', null, {
      ...charged,
      data: { orderRef: null, subscriptionId: null, amountCents: null },
    } as AnyEvent)
    await until(() => mailsTo('ana@example.com', 'o pedido 7ea2.').length > 0)
    expect(mailsTo('ana@example.com', 'o pedido 7ea2.')[0]?.words).not.toContain('assinatura')
  })
})
