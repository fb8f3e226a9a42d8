import { deriveId } from '@prosa/kernel/derive-id'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identityWithMail } from '../testing/identity-with-mail.ts'
import { marina } from '../testing/test-identity.ts'

let mailed: Awaited<ReturnType<typeof identityWithMail>>
beforeAll(async () => {
  mailed = await identityWithMail()
})
afterAll(() => mailed.stop())

it('a disabled webhook is told to whom it belongs, once, with the way to it', async () => {
  const { server, prosa } = mailed
  const { id: tenant } = await prosa.register()
  const { store, codec, clock } = prosa.ports
  const stream = `webhook-${tenant}`
  const append = async (revision: bigint | 'no_stream', name: string) => {
    const id = deriveId('test', name)
    const actor = { kind: 'system', id: 'webhooks' } as const
    const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: clock.now() }
    const event = { type: 'WebhookDisabled', data: { webhookId: deriveId('test', 'w'), cause: 'failing' } } as const
    const appended = await store.append(stream, revision, await codec.encode([{ id, stream, event, metadata }]))
    expect(appended.ok).toBe(true)
  }
  const notices = () =>
    server.received.filter(({ subject }) => subject === 'Um webhook da sua conta no Prosa foi desativado')
  await append('no_stream', 'first')
  const mail = await until(() => notices()[0])
  expect(mail.to).toEqual([marina.email])
  expect(mail.words).toContain('Por um dia inteiro o endereço não aceitou nenhuma entrega.')
  expect(mail.words).toContain('https://atendimento.example.com/settings?secao=integracoes')
  await append(0n, 'second')
  await until(() => notices()[1])
  expect(notices()).toHaveLength(2)
})
