import { randomUUID } from 'node:crypto'
import { until } from '@prosa/kernel/testing/until'
import type { Device } from '@prosa/sandbox/server/directory'
import type { Stanza } from '@prosa/sandbox/wire/stanza'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readQrCode } from '../testing/read-qr-code.ts'
import { openShop, type Shop } from '../testing/shop.ts'

/** docs/decisions/0015-ratchets.md */
let shop: Shop
let id: string
const answers: string[] = []

beforeAll(async () => {
  shop = await openShop()
  shop.ports.pubSub.subscribe('number.answered', ({ requestId }) => void answers.push(requestId))
  await shop.start()
  id = (await shop.link()).connectionId
})
afterAll(() => shop.close())

const fateIs = (connectionId: string, messageId: string, last: string) =>
  until(async () => (await shop.fate(connectionId, messageId)).at(-1) === last)

const hold = async (lock: string) => {
  const client = await shop.ports.pool.connect()
  await client.query('begin')
  await client.query(lock)
  let held = true
  const release = async () => {
    if (!held) return
    held = false
    await client.query('rollback')
    client.release()
  }
  onTestFinished(release)
  return { release }
}

const guardPreKeys = async (lock: number) => {
  await shop.ports.pool.query(
    `create function wait_for_pre_keys() returns trigger language plpgsql as
     $$ begin perform pg_advisory_xact_lock(${lock}); return new; end $$`,
  )
  await shop.ports.pool.query(
    `create trigger wait_for_pre_keys before insert on whatsapp_key
     for each row when (new.type = 'pre-key') execute function wait_for_pre_keys()`,
  )
  onTestFinished(async () => {
    await shop.ports.pool.query('drop function wait_for_pre_keys cascade')
  })
}

const isWriterBlocked = async () => {
  const { rowCount } = await shop.ports.pool.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into whatsapp_key%'`,
  )
  return (rowCount ?? 0) > 0
}

/** Everything sent before it has arrived. */
const roundTrip = async () => {
  const requestId = randomUUID()
  await shop.ports.pubSub.publish('number.asked', { tenant: shop.user, requestId, phone: '5511977770000' })
  await until(() => answers.includes(requestId))
}

const linkOther = async (number: string) => {
  const phone = shop.server.addPhone(number, 'Filial')
  const connectionId = await shop.add('Filial')
  const device = await phone.scan(readQrCode(await shop.picture(connectionId)))
  await shop.opened(connectionId)
  await until(() => !device.awaitsFirstSync && device.inbox.size === 0)
  return { connectionId, phone }
}

test('no message leaves before the ratchet that it turned is stored', async () => {
  // Devices, addresses and session exist: only the ratchet remains.
  const { messageId: first } = await shop.queue(id, 'antes')
  await fateIs(id, first, 'delivered')
  const wire: string[] = []
  const listen = (_peer: string, _direction: 'in' | 'out', text: string) => void wire.push(text)
  shop.server.on('wire', listen)
  onTestFinished(() => void shop.server.off('wire', listen))
  const keys = await hold('lock table whatsapp_key in exclusive mode')

  const { messageId } = await shop.queue(id, 'ainda não')
  await until(isWriterBlocked)
  await roundTrip()
  expect(wire.filter((text) => text.includes(messageId))).toEqual([])

  await keys.release()
  await fateIs(id, messageId, 'delivered')
  expect(wire.some((text) => text.includes(messageId))).toBe(true)
})

test('no pre-key is sent to anybody before it is stored', async () => {
  const [device] = shop.phone.companions()
  if (!device) throw new Error('nothing is linked')
  // With a session in both directions, nothing can be decrypted twice.
  const { messageId } = await shop.queue(id, 'para haver uma sessão')
  await fateIs(id, messageId, 'delivered')
  const copies: Stanza[] = []
  const collect = (target: Device, stanza: Stanza) => {
    if (target === device && stanza.tag === 'message') copies.push(stanza)
  }
  shop.server.on('queued', collect)
  await shop.ana.sendText(shop.phone.number, 'uma vez só')
  await until(async () => (await shop.texts(id)).some((text) => text.endsWith('uma vez só')))
  await until(() => device.inbox.size === 0)
  shop.server.off('queued', collect)
  const [copy] = copies
  if (!copy) throw new Error('no stanza was queued')
  const requests: string[] = []
  const listen = (_peer: string, direction: 'in' | 'out', text: string) => {
    if (direction === 'in' && text.startsWith('<receipt') && text.includes('type=retry')) requests.push(text)
  }
  shop.server.on('wire', listen)
  onTestFinished(() => void shop.server.off('wire', listen))

  // Baileys asks again, from the second time on with a new pre-key.
  shop.ana.goOffline()
  shop.server.redeliver(device, copy)
  await until(() => requests.length === 1)
  await guardPreKeys(4711)
  const keys = await hold('select pg_advisory_xact_lock(4711)')
  shop.server.redeliver(device, copy)
  await until(isWriterBlocked)
  await roundTrip()
  expect(requests).toHaveLength(1)

  await keys.release()
  await until(() => requests.length === 2)
  expect(requests[1]).toContain('<keys>')
  shop.ana.goOnline()
  await shop.ana.sendText(shop.phone.number, 'e outra')
  await until(async () => (await shop.texts(id)).some((text) => text.endsWith('e outra')))
  expect((await shop.texts(id)).filter((text) => text.endsWith('uma vez só'))).toHaveLength(1)
})

test('two lines of one process and one contact write to each other at once, and all of it can be read', async () => {
  const other = await linkOther('5511900000003')
  const lines = [
    { connectionId: id, phone: shop.phone },
    { connectionId: other.connectionId, phone: other.phone },
  ]
  const each = 25
  const received: string[] = []
  const unreadable: string[] = []
  shop.ana.on('message', ({ text }) => received.push(text))
  shop.ana.on('undecryptable', ({ reason }) => unreadable.push(reason))
  shop.ana.on('retry', ({ id: messageId }) => unreadable.push(`asked again for ${messageId}`))
  shop.ana.latencyMs = 0
  onTestFinished(() => {
    shop.ana.latencyMs = 25
  })

  const expected: string[] = []
  const queued = Array.from({ length: each }, (_, index) =>
    lines.map(({ connectionId, phone }, line) => {
      const text = `linha ${line}, ${index}`
      expected.push(text)
      return Promise.all([shop.queue(connectionId, text), shop.ana.sendText(phone.number, `de Ana ${index}`)])
    }),
  ).flat()
  await Promise.all(queued)
  await until(() => received.length >= expected.length)
  for (const { connectionId } of lines)
    await until(async () => (await shop.texts(connectionId)).filter((text) => text.includes('de Ana')).length >= each)

  expect(unreadable).toEqual([])
  expect(received.toSorted()).toEqual(expected.toSorted())
  for (const { connectionId } of lines) {
    const arrived = (await shop.texts(connectionId)).filter((text) => text.includes('de Ana'))
    expect(new Set(arrived).size).toBe(each)
    expect(arrived).toHaveLength(each)
  }
})
