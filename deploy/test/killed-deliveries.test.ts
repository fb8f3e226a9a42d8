import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { subscription } from '@prosa/billing/subscription'
import { accessByOracle, bodiesOf, charge } from '@prosa/billing/testing/customer-lives'
import { offerSamplePlan } from '@prosa/billing/testing/offer-sample-plan'
import { parseStream } from '@prosa/contracts/streams'
import { systemClock } from '@prosa/kernel/clock'
import { fold } from '@prosa/kernel/domain/decider'
import { eventCodec, type Stored } from '@prosa/kernel/event-store/codec'
import { beginning, type RecordedEvent } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { openPrivacy } from '@prosa/kernel/privacy/open-privacy'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { purchaseTokenOf } from '@prosa/product/purchase-token'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { productProcess } from './product-process.ts'

const deliveries = shortOrLong(60, 5000)
const kills = shortOrLong(1, 20)
const senders = 8
const token = 'the token of the webhook'
const noNetwork = 'ws://127.0.0.1:1'

const random = (below: number) => Math.floor(Math.random() * below)
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item)

const life = fc.record({ charges: fc.array(charge, { minLength: 1, maxLength: 5 }), isCancelled: fc.boolean() })

it(`of ${deliveries} deliveries, a third of them repeated and all in disorder, none is lost and each has its effect once, while the product is killed ${kills} times`, async () => {
  const database = await testPostgres()
  const env = { PROSA_KIWIFY_APPROVED_TOKENS: token }
  const product = await productProcess(database.url, noNetwork, { env })
  const store = await postgresEventStore({ url: database.url })
  await offerSamplePlan({ store, codec: eventCodec(), clock: systemClock })
  const stop = new AbortController()
  try {
    const { pool } = database
    const masterSecret = Buffer.from(product.secret, 'hex')
    const privacy = { pool, writePool: pool, databaseUrl: database.url, masterSecret, log: silentLog() }
    const { box } = await openPrivacy({ ...privacy, signal: stop.signal })
    const customers = lives(box)
    const bodies = customers.flatMap((customer) => customer.bodies)
    const repeats = Array.from({ length: deliveries - bodies.length }, () => bodies[random(bodies.length)] ?? '')
    const queue = shuffled([...bodies, ...repeats])

    let answered = 0
    let retries = 0
    const latencies: number[] = []
    /** Like Kiwify, it retries until 2xx. */
    const deliver = async (body: string) => {
      const signature = createHmac('sha1', token).update(body).digest('hex')
      for (;;) {
        const began = performance.now()
        const options = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
        const url = `${product.url}/kiwify/payment/approved?signature=${signature}`
        const reply = await fetch(url, options).catch(() => undefined)
        await reply?.arrayBuffer().catch(() => undefined)
        if (reply?.ok) {
          latencies.push(performance.now() - began)
          answered++
          return
        }
        retries++
        await delay(50)
      }
    }
    const send = async () => {
      for (let body = queue.pop(); body !== undefined; body = queue.pop()) await deliver(body)
    }
    const began = performance.now()
    const killing = async () => {
      for (let kill = 1; kill <= kills; kill++) {
        await until(() => answered >= (deliveries * kill) / (kills + 1), 600_000)
        await delay(random(100))
        await product.kill()
        await product.start()
      }
    }
    await Promise.all([killing(), ...Array.from({ length: senders }, send)])
    const seconds = (performance.now() - began) / 1000

    const raw = async () => {
      const events: RecordedEvent[] = []
      for await (const batch of store.readAll(beginning, { categories: ['webhookDelivery'] }))
        events.push(...batch.events)
      return events
    }
    const settled = async () => (await raw()).filter(({ type }) => type === 'DeliveryApplied').length
    await until(async () => (await settled()) === bodies.length, 120_000)
    const received = (await raw()).filter(({ type }) => type === 'DeliveryReceived')
    expect(received).toHaveLength(bodies.length)
    expect(new Set(received.map(({ stream }) => stream)).size).toBe(bodies.length)
    const repeated = (await raw()).filter(({ type }) => type === 'DeliveryRepeated').length
    expect(repeated).toBeGreaterThanOrEqual(repeats.length)

    const differing = async () => {
      const byUser = new Map<string, Stored[]>()
      for (const event of await eventCodec().decode(await everythingIn(store, 'subscription'))) {
        const { id } = parseStream(event.stream)
        byUser.set(id, [...(byUser.get(id) ?? []), event])
      }
      return customers.filter(({ userId, expected }) => {
        const events = byUser.get(userId) ?? []
        const { endsAt } = fold(subscription, subscription.initial, events as Stored<never>[])
        return endsAt !== expected.endsAt || statusIn(events) !== expected.status
      })
    }
    await until(async () => (await differing()).length === 0, 60_000).catch(() => undefined)
    expect((await differing()).map(({ userId, expected }) => ({ userId, expected }))).toEqual([])
    const sorted = latencies.toSorted((a, b) => a - b)
    noteMeasurements('Deliveries of Kiwify, with the whole product killed in between', {
      deliveries,
      'different ones': bodies.length,
      customers: customers.length,
      kills,
      'tries that got no 2xx': retries,
      'recorded as repeated': repeated,
      lost: bodies.length - received.length,
      'entitlements other than the oracle': 0,
      'deliveries per second, kills included': Math.round(deliveries / seconds),
      'answer, p50 / p99 ms': [0.5, 0.99]
        .map((q) => Math.round(sorted[Math.floor(sorted.length * q)] ?? 0))
        .join(' / '),
    })
  } finally {
    stop.abort()
    await product.remove()
    await store.close()
    await database.drop()
  }
}, 3_600_000)

const statusIn = (events: readonly Stored[]): string =>
  events.flatMap(({ data }) => ('status' in data ? [String(data.status)] : [])).at(-1) ?? 'expired'

const lives = (box: Parameters<typeof purchaseTokenOf>[0]) => {
  const found = []
  for (let left = Math.round((deliveries * 2) / 3); left > 0; ) {
    const [{ charges: drawn, isCancelled } = { charges: [], isCancelled: false }] = fc.sample(life, 1)
    const charges = drawn.map((each, index) => ({ ...each, hasToken: index === 0 || each.hasToken }))
    const userId = randomUUID()
    const number = found.length
    const customer = {
      orders: `order-${number}`,
      subscription: `sub-${number}`,
      address: `customer${number}@example.org`,
      token: purchaseTokenOf(box, userId),
    }
    const bodies = bodiesOf(customer, charges, isCancelled)
    found.push({ userId, bodies, expected: accessByOracle(charges, isCancelled, null) })
    left -= bodies.length
  }
  return found
}
