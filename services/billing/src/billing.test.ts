import { randomUUID } from 'node:crypto'
import { streamName } from '@prosa/contracts/streams'
import { later } from '@prosa/kernel/clock'
import { host } from '@prosa/kernel/host'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { testPorts } from '@prosa/product/testing/test-ports'
import { expect, it } from 'vitest'
import { billing } from './billing.ts'

it('gives every new account ten days and ends them once, also over a restart', async () => {
  const registeredAt = '2026-11-21T12:00:00.000Z'
  const endsAt = later(registeredAt, 10 * 24 * 3600 * 1000)
  const time = { now: registeredAt }
  const ports = await testPorts({ clock: { now: () => time.now } })
  const service = billing({
    kiwifyTokens: { approved: [], refunded: [] },
    deliveryRetentionDays: 180,
    findAccountId: async () => undefined,
  })
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [] }
  const subscriptions = () => everythingIn(ports.store, 'subscription')
  const isSet = async () => (await ports.pool.query(`select from timer where kind = 'end-access'`)).rowCount === 1

  let running = await host([service], { ...ports, store: { ...ports.store, close: async () => undefined } }, options)
  const [userId, credentialId] = [randomUUID(), randomUUID()]
  const stream = streamName('user', userId)
  const data = { firstName: 'Rosa', lastName: 'Lima', email: 'rosa@example.com', credentialId }
  const actor = { kind: 'user', id: userId } as const
  const metadata = { causationId: 'x', correlationId: 'x', actor, tenant: userId, recordedAt: registeredAt }
  const event = { type: 'UserRegistered', data } as const
  await ports.store.append(
    stream,
    'no_stream',
    await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }]),
  )
  await until(isSet)
  await running.stop()

  time.now = endsAt
  running = await host([service], ports, options)
  await until(async () => (await subscriptions()).length === 2)
  const [started, ended] = await subscriptions()
  expect(started).toMatchObject({ type: 'TrialStarted', data: { endsAt } })
  expect(ended).toMatchObject({ type: 'TrialEnded', stream: started?.stream, metadata: { recordedAt: endsAt } })
  await until(async () => !(await isSet()))
  await running.stop()
  await ports.close()
})
