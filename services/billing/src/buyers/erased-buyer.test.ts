import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { beginning, type RecordedEvent } from '@prosa/kernel/event-store/port'
import { host } from '@prosa/kernel/host'
import { decrypt } from '@prosa/kernel/privacy/aes-gcm'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { isEncrypted, personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { subjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { until } from '@prosa/kernel/testing/until'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { expect, it, onTestFinished } from 'vitest'
import { billing } from '../billing.ts'

const masterSecret = randomBytes(32)
const userId = randomUUID()

const rowsOf = async ({ store }: Pick<TestPorts, 'store'>, ...categories: ('webhookDelivery' | 'order')[]) => {
  const rows: RecordedEvent[] = []
  for await (const { events } of store.readAll(beginning, { categories })) rows.push(...events)
  return rows
}
const encryptedIn = (rows: readonly RecordedEvent[]) =>
  rows.flatMap(({ stream, id, data }) =>
    Object.entries(data).flatMap(([field, value]) => (isEncrypted(value) ? [{ stream, id, field, ...value }] : [])),
  )
const subjectOf = (stream: string) => {
  const { category, id } = parseStream(stream)
  return category === 'order' ? (`order:${id}` as const) : (`delivery:${id}` as const)
}

it('nothing of a buyer can be read from the stored rows once the account was erased: neither the order nor the raw bytes', async () => {
  const plain = await testPorts({ masterSecret })
  onTestFinished(() => plain.close())
  const ports = { ...plain, codec: eventCodec({ personal: personalEncryption(plain.subjectKeys, plain.box) }) }
  const kiwifyTokens = { approved: ['token'], refunded: [] }
  const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [] }
  const prosa = await host(
    [billing({ kiwifyTokens, deliveryRetentionDays: 180, findAccountId: async () => undefined })],
    ports,
    options,
  )
  onTestFinished(() => prosa.stop())

  const sample = JSON.parse(
    readFileSync(new URL('../kiwify/samples/order-approved-card.json', import.meta.url), 'utf8'),
  )
  const body = JSON.stringify({ ...sample, TrackingParameters: { sck: purchaseTokenOf(ports.box, userId) } })
  const signature = createHmac('sha1', 'token').update(body).digest('hex')
  await prosa.app.inject({ method: 'POST', url: `/kiwify/payment/approved?signature=${signature}`, payload: body })
  const orders = () => rowsOf(ports, 'order')
  await until(async () => (await orders()).some(({ type }) => type === 'OrderAssigned'))
  await until(async () => (await rowsOf(ports, 'webhookDelivery')).length === 2)

  const sealed = encryptedIn(await rowsOf(ports, 'order', 'webhookDelivery'))
  expect(sealed.map(({ field }) => field).sort()).toEqual(['body', 'buyerDocument', 'buyerEmail', 'buyerName'])
  const text = JSON.stringify(
    (await rowsOf(ports, 'order', 'webhookDelivery')).map(({ data, metadata }) => [data, metadata]),
  )
  const words = [sample.Customer.full_name, sample.Customer.email, sample.Customer.CPF]
  for (const word of words) {
    expect(text).not.toContain(word)
    expect(text).not.toContain(Buffer.from(word).toString('base64').slice(0, -3))
  }
  const keysLeft = async () => {
    const signal = AbortSignal.abort()
    const masters = masterKeys(masterSecret)
    const keys = subjectKeys({ pool: ports.pool, databaseUrl: ports.databaseUrl, masters, signal })
    const { rows } = await ports.pool.query<{ id: string }>('select id from subject_key')
    const found = await keys.toDecrypt(rows.map(({ id }) => id))
    return [...found.values()].flatMap((key) => (key === 'erased' ? [] : [key.key]))
  }
  const decryptedWith = (keys: readonly Uint8Array[]) =>
    sealed.filter(({ stream, id, field, sealed: encrypted }) =>
      keys.some((key) => {
        try {
          return decrypt(key, Buffer.from(encrypted, 'base64'), `${subjectOf(stream)}\n${id}\n${field}`).length > 0
        } catch {
          return false
        }
      }),
    )
  expect(decryptedWith(await keysLeft())).toHaveLength(sealed.length)

  const stream = `user-${userId}`
  const actor = { kind: 'user', id: userId } as const
  const about = { causationId: 'x', correlationId: 'x', actor, tenant: userId, recordedAt: '2026-11-23T12:00:00.000Z' }
  const erased = { id: randomUUID(), stream, event: { type: 'UserErased', data: {} }, metadata: about } as const
  await ports.store.append(stream, 'no_stream', await ports.codec.encode([erased]))
  const erasedKeys = async () => {
    const { rows } = await ports.pool.query('select from subject_key where wrapped is null')
    return rows.length
  }
  await until(async () => (await erasedKeys()) === 2)
  expect(decryptedWith(await keysLeft())).toEqual([])
  expect(encryptedIn(await rowsOf(ports, 'order', 'webhookDelivery'))).toEqual(sealed)
  for (const event of await ports.codec.decode(await rowsOf(ports, 'order', 'webhookDelivery'))) {
    if (event.type === 'DeliveryReceived') expect(event.data.body).toBe(erasedText)
    if (event.type === 'OrderReported')
      expect([event.data.buyerName, event.data.buyerEmail, event.data.buyerDocument]).toEqual(Array(3).fill(erasedText))
  }
})
