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

it('a limit that is near is mailed to whose account it is, once, with what counts and what follows', async () => {
  const { server, prosa } = mailed
  const { id: tenant } = await prosa.register()
  const { store, codec, clock } = prosa.ports
  const stream = `subscription-${tenant}`
  const append = async (revision: bigint | 'no_stream', percent: 80 | 100, used: number) => {
    const id = deriveId('test', tenant, String(percent))
    const actor = { kind: 'system', id: 'limit-warnings' } as const
    const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: clock.now() }
    const data = { percent, used, limit: 5000, periodStart: '2026-11-01T03:00:00.000Z' }
    const event = { type: 'LimitWarned', data } as const
    const appended = await store.append(stream, revision, await codec.encode([{ id, stream, event, metadata }]))
    expect(appended.ok).toBe(true)
  }
  const notices = () => server.received.filter(({ words }) => words.includes('das 5.000 mensagens deste mês.'))
  await append('no_stream', 80, 4003)
  const first = await until(() => notices()[0])
  expect(first.to).toEqual([marina.email])
  expect(first.words).toContain('Sua conta enviou 4.003 das 5.000 mensagens deste mês.')
  expect(first.words).toContain('nada mais é enviado até 1 de dezembro')
  expect(first.words).toContain('As que você escreve no celular e as que recebe não contam.')
  expect(first.words).toContain('https://atendimento.example.com/billing?aba=planos')
  await prosa.restart({})
  await append(0n, 100, 5000)
  const second = await until(() => notices()[1])
  expect(second.words).toContain('Sua conta enviou 5.000 das 5.000')
  expect(second.words).toContain('Nada mais é enviado até 1 de dezembro')
  expect(notices()).toHaveLength(2)
})
