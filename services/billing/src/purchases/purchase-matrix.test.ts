import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../billing.ts'
import { billingMigrations } from '../migrations/billing-migrations.ts'
import { offerSamplePlan } from '../testing/offer-sample-plan.ts'

const admin = randomUUID()
const sample = JSON.parse(readFileSync(new URL('../kiwify/samples/order-approved-card.json', import.meta.url), 'utf8'))

let ports: TestPorts
beforeAll(async () => {
  const plain = await testPorts({
    migrations: [billingMigrations],
    roles: { of: async (userId) => (userId === admin ? ['admin'] : []) },
  })
  ports = { ...plain, codec: eventCodec({ personal: personalEncryption(plain.subjectKeys, plain.box) }) }
  await offerSamplePlan(ports)
})
afterAll(() => ports.close())

const startProcess = () => {
  const service = billing({
    kiwifyTokens: { approved: ['the token of Prosa'], refunded: ['the token of refunds'] },
    deliveryRetentionDays: 180,
    findAccountId: async () => undefined,
  })
  const shared = { ...ports, store: { ...ports.store, close: async () => undefined } }
  return host([service], shared, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
}

const record = async (stream: string, tenant: string, event: AnyEvent) => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
  const about = { causationId: 'x', correlationId: 'x', recordedAt: ports.clock.now(), tenant }
  const metadata = { ...about, actor: { kind: 'user', id: tenant } as const }
  await ports.store.append(stream, revision, await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }]))
}

type Kind = 'order_approved' | 'order_refunded' | 'pix_created' | 'subscription_renewed'
type Address = 'first' | 'second'

/** One buyer, whom nobody else has to do with. */
const buyer = () => {
  const userId = randomUUID()
  const emailOf = (address: Address) => `${address}.${userId}@example.org`
  const orderIdOf = (order: string) => `${order}-${userId}`
  const user = (event: AnyEvent) => record(`user-${userId}`, userId, event)
  return {
    ...{ userId, emailOf, orderIdOf, user },
    body: (order: string, kind: Kind, address: Address) =>
      JSON.stringify({
        ...sample,
        order_id: orderIdOf(order),
        webhook_event_type: kind,
        subscription_id: null,
        Subscription: null,
        TrackingParameters: null,
        Customer: { full_name: 'Ana Lima', email: emailOf(address), CPF: '39053344705' },
      }),
    registered: () => {
      const data = { firstName: 'Ana', lastName: 'Lima', email: emailOf('first'), credentialId: randomUUID() }
      return user({ type: 'UserRegistered', data })
    },
    changedAddress: (): AnyEvent => ({
      type: 'EmailChanged',
      data: {
        ...{ email: emailOf('second'), changeId: randomUUID() },
        ...{ formerEmail: emailOf('first'), formerChangeId: null },
      },
    }),
  }
}
type Buyer = ReturnType<typeof buyer>

type Step =
  | { delivers: Kind; order: string; to?: Address }
  | 'has an account'
  | 'changes the address'
  | 'erases the account'
  | 'is erased by the address'

interface Outcome {
  reports: number
  granted: number
  revoked: number
  charges: number
  /** Deliveries that name the buyer. */
  readable: number
}

const outcomeOf = async ({ userId }: Buyer): Promise<Outcome> => {
  const counts = new Map<string, number>()
  let readable = 0
  const categories = ['subscription', 'order', 'webhookDelivery'] as const
  for await (const { events } of ports.store.readAll(beginning, { categories }))
    for (const { type, stream, data } of await ports.codec.decode(events)) {
      if (stream.endsWith(userId)) counts.set(type, (counts.get(type) ?? 0) + 1)
      if ('body' in data && Buffer.from(String(data.body), 'base64').includes(userId)) readable += 1
    }
  const count = (type: AnyEvent['type']) => counts.get(type) ?? 0
  return {
    reports: count('OrderReported'),
    granted: count('AccessGranted'),
    revoked: count('AccessRevoked'),
    charges: count('ErasedBuyerCharged'),
    readable,
  }
}

/** With what has changed once it is handled. */
type Taken = readonly [Step, Partial<Outcome>?]

interface Disturbance {
  times: number
  processes: number
  restarts: boolean
}

const walk = async (steps: readonly Taken[], { times, processes, restarts }: Disturbance) => {
  const of = buyer()
  const start = () => Promise.all(Array.from({ length: processes }, startProcess))
  let running: Host[] = await start()
  const stop = () => Promise.all(running.map((each) => each.stop()))

  const deliver = async (body: string, kind: Kind) => {
    const isRefund = kind === 'order_refunded'
    const token = isRefund ? 'the token of refunds' : 'the token of Prosa'
    const url = `/kiwify/payment/${isRefund ? 'refunded' : 'approved'}?signature=${createHmac('sha1', token).update(body).digest('hex')}`
    const request = { method: 'POST', url, payload: body, headers: { 'content-type': 'text/plain' } } as const
    const send = async ({ app }: Host) => (await app.inject(request)).statusCode
    for (let count = 0; count < times; count++)
      expect(await Promise.all(running.map(send))).toEqual(running.map(() => 200))
  }
  const eraseAddress = async (email: string) => {
    const { token } = await ports.browserSessions.issue(admin)
    const headers = { cookie: `${sessionCookie}=${token}`, 'idempotency-key': randomUUID() }
    const payload = { email, reason: 'Pediu', confirmation: 'apagar' }
    const erased = await running[0]?.app.inject({ method: 'POST', url: '/api/admin/buyers/erase', headers, payload })
    expect(erased?.statusCode).toBe(200)
  }
  const take = async (step: Step) => {
    if (typeof step === 'object') return deliver(of.body(step.order, step.delivers, step.to ?? 'first'), step.delivers)
    if (step === 'is erased by the address') return eraseAddress(of.emailOf('first'))
    if (step === 'erases the account') return of.user({ type: 'UserErased', data: {} })
    if (step === 'has an account') await of.registered()
    else await of.user(of.changedAddress())
    return of.user({ type: 'EmailConfirmed', data: {} })
  }
  let expected = nothing
  // The comparison at the end shows what differs.
  const settled = () =>
    until(async () => isDeepStrictEqual(await outcomeOf(of), expected), 10_000).catch(() => undefined)
  try {
    for (const [step, change] of steps) {
      await take(step)
      expected = { ...expected, ...change }
      await settled()
      if (!restarts) continue
      await stop()
      running = await start()
    }
  } finally {
    await stop()
  }
  expect(await outcomeOf(of)).toEqual(expected)
}

const nothing: Outcome = { reports: 0, granted: 0, revoked: 0, charges: 0, readable: 0 }
const one = { delivers: 'order_approved', order: 'one' } as const
const pix = { delivers: 'pix_created', order: 'one' } as const
const refund = { delivers: 'order_refunded', order: 'one' } as const
const other = { delivers: 'order_approved', order: 'other' } as const
const bought = { reports: 1, granted: 1, readable: 1 }

const scenarios: [situation: string, steps: readonly Taken[]][] = [
  ['buys', [['has an account'], [one, bought]]],
  [
    'buys, then opens an account',
    [
      [one, { reports: 1, readable: 1 }],
      ['has an account', { granted: 1 }],
    ],
  ],
  [
    'generates a Pix that is paid later',
    [['has an account'], [pix, { reports: 1, readable: 1 }], [one, { reports: 2, granted: 1, readable: 2 }]],
  ],
  ['buys twice', [['has an account'], [one, bought], [other, { reports: 2, granted: 2, readable: 2 }]]],
  ['is refunded', [['has an account'], [one, bought], [refund, { reports: 2, revoked: 1, readable: 2 }]]],
  [
    'is refunded, and the approval comes last',
    [['has an account'], [refund, { reports: 1, revoked: 1, readable: 1 }], [one, { reports: 2, readable: 2 }]],
  ],
  [
    'is refunded one of two orders',
    [
      ['has an account'],
      [one, bought],
      [other, { reports: 2, granted: 2, readable: 2 }],
      [refund, { reports: 3, revoked: 1, readable: 3 }],
    ],
  ],
  [
    'buys with one address, changes it, and buys with the other',
    [
      ['has an account'],
      [one, bought],
      ['changes the address'],
      [
        { ...other, to: 'second' },
        { reports: 2, granted: 2, readable: 2 },
      ],
    ],
  ],
  [
    'buys with an address that becomes theirs later',
    [
      ['has an account'],
      [
        { ...one, to: 'second' },
        { reports: 1, readable: 1 },
      ],
      ['changes the address', { granted: 1 }],
    ],
  ],
  [
    'buys, is erased by the address, and is charged again',
    [
      [one, { reports: 1, readable: 1 }],
      ['is erased by the address', { readable: 0 }],
      [other, { reports: 2, charges: 1 }],
    ],
  ],
  [
    'buys, erases the account, and is charged again',
    [['has an account'], [one, bought], ['erases the account', { readable: 0 }], [other, { reports: 2, charges: 1 }]],
  ],
]

const disturbances: [string, Disturbance][] = [
  ['in one process', { times: 1, processes: 1, restarts: false }],
  ['each delivery twice', { times: 2, processes: 1, restarts: false }],
  ['each delivery at once in two processes', { times: 1, processes: 2, restarts: false }],
  ['a restart after each step', { times: 1, processes: 1, restarts: true }],
  ['twice, in two processes that restart', { times: 2, processes: 2, restarts: true }],
]

describe.each(scenarios)('who %s', (_, steps) => {
  it.each(shortOrLong(disturbances.slice(-1), disturbances))('has what was paid for, once: %s', (_name, disturbance) =>
    walk(steps, disturbance),
  )
})
