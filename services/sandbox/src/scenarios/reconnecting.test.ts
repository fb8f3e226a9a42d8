import { once } from 'node:events'
import { expect, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'
import type { Stanza } from '../wire/stanza.ts'

test('survives a server restart and gets what it missed as offline messages', async () => {
  const { server, primary, ana, shop } = await world()
  await pair(shop, primary)
  const before = nextUpsert(shop)
  await ana.sendText(primary.number, 'antes')
  expect((await before).type).toBe('notify')

  await server.stop()
  const received: unknown[] = []
  shop.on('upsert', ({ message, type }) => {
    if (!message.key.fromMe) received.push([message.message?.conversation, type])
  })
  await ana.sendText(primary.number, 'perdida 1')
  await ana.sendText(primary.number, 'perdida 2')
  const opened = once(shop, 'open')
  await server.start()
  await opened
  await until('both arrived', () => received.length === 2)
  expect(received).toEqual([
    ['perdida 1', 'append'],
    ['perdida 2', 'append'],
  ])
  expect(shop.closes.slice(0, 2)).toEqual([515, 428])

  const after = nextUpsert(shop)
  await ana.sendText(primary.number, 'depois')
  expect((await after).type).toBe('notify')
})

test('delivers again what was not acknowledged before the connection broke', async () => {
  const { server, primary, ana, shop } = await world()
  const device = await pair(shop, primary)
  const ids: unknown[] = []
  shop.on('upsert', ({ message }) => {
    if (!message.key.fromMe) ids.push(message.key.id)
  })
  server.faults.loseReceipts = 1
  const lost = await ana.sendText(primary.number, 'vai e volta')
  await until('it came once and its receipt was lost', () => ids.length === 1 && server.faults.loseReceipts === 0)
  expect(device.inbox.size).toBe(1)
  const opened = once(shop, 'open')
  server.dropConnection(device)
  await opened
  await until('the backlog is settled', () => device.inbox.size === 0)
  const next = await ana.sendText(primary.number, 'e depois')
  await until('the next one came', () => ids.includes(next))
  expect(ids).toEqual([lost, next])
})

for (const kind of ['pkmsg', 'msg'] as const) {
  test(`a duplicate stanza of type ${kind} is noticed and loses nothing`, async () => {
    const { server, primary, ana, shop, wire } = await world()
    const device = await pair(shop, primary)
    const seen: string[] = []
    shop.on('upsert', ({ message: { key, message, messageStubType } }) => {
      if (!key.fromMe) seen.push(`${key.id} ${message?.conversation ?? `stub ${messageStubType}`}`)
    })
    if (kind === 'msg') {
      const reply = ana.nextMessage()
      await shop.socket.sendMessage(ana.account.jid('lid'), { text: 'primeiro contato' })
      await reply
    }
    const copies: Stanza[] = []
    server.on('queued', (target, stanza) => {
      if (target === device && stanza.tag === 'message') copies.push(stanza)
    })
    const id = await ana.sendText(primary.number, 'uma vez só')
    await until('it came', () => seen.length === 1)
    const mark = wire.length
    const [copy] = copies
    if (copy) server.redeliver(device, copy)
    const answered = () => wire.slice(mark).filter((line) => line.startsWith('<') && line.includes(id))
    if (kind === 'pkmsg') {
      await until('the copy is refused', () => answered().some((line) => line.includes('error=487')))
      const next = await ana.sendText(primary.number, 'outra')
      await until('the next one came', () => seen.length === 2)
      expect(seen).toEqual([`${id} uma vez só`, `${next} outra`])
    } else {
      await until('the copy is asked for again', () => answered().some((line) => line.includes('type=retry')))
      await until('it came again', () => seen.length === 3)
      expect(seen).toEqual([`${id} uma vez só`, `${id} stub 2`, `${id} uma vez só`])
    }
  })
}

test('a second connection of the same device replaces the first', async () => {
  const { primary, shop } = await world()
  await pair(shop, primary)
  const closed = once(shop, 'closed')
  const opened = once(shop, 'open')
  await shop.start()
  expect(await closed).toEqual([440])
  await opened
})

test('a contact that is offline gets the message later', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const updates: { id: string; status: number }[] = []
  shop.on('status', (status) => updates.push(status))
  ana.goOffline()
  const sent = await shop.socket.sendMessage(ana.account.jid(), { text: 'quando puder' })
  // Remains of the first sync have our number and a status too.
  const statuses = () => updates.filter(({ id }) => id === sent?.key.id).map(({ status }) => status)
  await until('the own phone has its copy', () => statuses().includes(2))
  expect(Math.max(...statuses())).toBe(2)
  const received = ana.nextMessage()
  ana.goOnline()
  expect((await received).text).toBe('quando puder')
  await until('it is delivered', () => statuses().includes(3))
})
