import { randomUUID } from 'node:crypto'
import type { TopicPayload } from '@prosa/contracts/topics'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openShop, type Shop } from '../testing/shop.ts'

let shop: Shop
let id: string
const contactId = randomUUID()
let received: TopicPayload<'presence.received'>[]
const states = () => received.map(({ state }) => state)

beforeAll(async () => {
  shop = await openShop()
  await shop.start({ attendance: 400 })
  id = (await shop.link()).connectionId
  shop.ports.pubSub.subscribe('presence.received', (update) => {
    received.push(update)
  })
})
afterAll(() => shop.close())
beforeEach(() => {
  received = []
})

const jids = () => [shop.ana.account.jid('lid'), shop.ana.account.jid('pn')]
const want = (tenant = shop.user) => shop.ports.pubSub.publish('presence.wanted', { tenant, contactId, jids: jids() })

test('who looks at a chat learns who is there, who writes and who records', async () => {
  await until(async () => {
    await want()
    return states().includes('available')
  })
  for (const [activity, state] of [
    ['composing', 'typing'],
    ['recording', 'recording'],
    ['paused', 'paused'],
  ] as const) {
    shop.ana.setActivity(shop.phone.number, activity)
    await until(() => states().includes(state))
  }
  shop.ana.goOffline()
  await until(() => states().includes('unavailable'))
  const away = states().lastIndexOf('unavailable')
  shop.ana.goOnline()
  await until(() => states().indexOf('available', away) > away)
  expect(new Set(received.map((update) => `${update.tenant} ${update.contactId}`))).toEqual(
    new Set([`${shop.user} ${contactId}`]),
  )
})

test('nobody learns of a person at whom they do not look, or who is another tenant’s', async () => {
  const carla = shop.server.addPhone('5511900000003', 'Carla')
  await want(randomUUID())
  carla.setActivity(shop.phone.number, 'composing')
  await want()
  shop.ana.setActivity(shop.phone.number, 'composing')
  await until(() => states().includes('typing'))
  expect(new Set(received.map((update) => update.tenant))).toEqual(new Set([shop.user]))
  expect(states().filter((state) => state === 'typing')).toHaveLength(1)
})

test('the contact sees that somebody writes here', async () => {
  const seen: string[] = []
  shop.ana.on('typing', ({ state }) => seen.push(state))
  const shown = { tenant: shop.user, contactId, toJid: shop.ana.account.jid('lid') }
  await shop.ports.pubSub.publish('presence.requested', { ...shown, connectionId: id, state: 'typing' })
  await until(() => seen.at(-1) === 'composing')
  await shop.ports.pubSub.publish('presence.requested', { ...shown, connectionId: null, state: 'recording' })
  await until(() => seen.at(-1) === 'recording')
  await shop.ports.pubSub.publish('presence.requested', { ...shown, connectionId: randomUUID(), state: 'typing' })
  await shop.ports.pubSub.publish('presence.requested', {
    ...shown,
    tenant: randomUUID(),
    connectionId: id,
    state: 'typing',
  })
  await shop.ports.pubSub.publish('presence.requested', { ...shown, connectionId: id, state: 'paused' })
  await until(() => seen.at(-1) === 'paused')
  expect(seen).toEqual(['composing', 'recording', 'paused'])
})

test('we are there only while somebody looks, so that the phone rings when nobody does', async () => {
  const seen: boolean[] = []
  // The line must know its name before it may show presence.
  shop.ana.on('presence', ({ online }) => seen.push(online))
  shop.ana.watchPresence(shop.phone.number)
  await until(async () => {
    await want()
    return seen.at(-1) === true
  })
  await until(() => seen.at(-1) === false)
})

test('nothing of it is stored', async () => {
  await want()
  shop.ana.setActivity(shop.phone.number, 'composing')
  await until(() => states().includes('typing'))
  expect((await shop.lineEvents(id)).filter(({ type }) => type !== 'MessageArrived')).toEqual([])
})
