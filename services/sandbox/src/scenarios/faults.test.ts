import { once } from 'node:events'
import type { WAMessage } from '@whiskeysockets/baileys'
import { expect, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'

test('a refused message ends in status 0 with the error code', async () => {
  const { server, primary, ana, shop } = await world()
  await pair(shop, primary)
  const states: Partial<WAMessage>[] = []
  shop.on('any', (name, data) => {
    if (name === 'messages.update') states.push(...(data as { update: Partial<WAMessage> }[]).map((it) => it.update))
  })
  shop.on('upsert', ({ message }) => states.push(message))
  server.faults.refuseMessages.push('463')
  await shop.socket.sendMessage(ana.account.jid(), { text: 'bloqueada' })
  const refused = (state: Partial<WAMessage>) => state.status === 0 && state.messageStubParameters?.[0] === '463'
  await until('it is refused', () => states.some(refused))
})

test('sendMessage resolves although the server lost the message', async () => {
  const { server, primary, ana, shop } = await world()
  await pair(shop, primary)
  const acks: string[] = []
  shop.on('serverAck', ({ id }) => acks.push(id))
  server.faults.loseMessages = 1
  const received = ana.nextMessage()
  await shop.socket.sendMessage(ana.account.jid(), { text: 'perdida' })
  const next = await shop.socket.sendMessage(ana.account.jid(), { text: 'entregue' })
  expect((await received).text).toBe('entregue')
  await until('the next one is acknowledged', () => acks.length > 0)
  expect(acks).toEqual([next?.key.id])
})

test('sendMessage rejects with 428 while the server is down', async () => {
  const { server, primary, ana, shop } = await world()
  await pair(shop, primary)
  const warm = ana.nextMessage()
  await shop.socket.sendMessage(ana.account.jid(), { text: 'antes' })
  await warm
  const closed = once(shop, 'closed')
  await server.stop()
  await closed
  const sending = shop.socket.sendMessage(ana.account.jid(), { text: 'agora' })
  await expect(sending).rejects.toMatchObject({ output: { statusCode: 428 } })
})

for (const reason of ['403', '405', '503']) {
  test(`a login refused with ${reason} reaches the client as that code`, async () => {
    const { server, primary, shop } = await world()
    await pair(shop, primary)
    server.faults.refuseLogins.push(reason)
    await server.stop()
    const opened = once(shop, 'open')
    await server.start()
    await until('it was refused', () => shop.closes.includes(Number(reason)))
    await opened
  })
}

for (const reason of ['401', '440']) {
  test(`a login refused with ${reason} ends the client`, async () => {
    const { server, primary, shop } = await world()
    const device = await pair(shop, primary)
    server.faults.refuseLogins.push(reason)
    server.dropConnection(device)
    await until('it gave up', () => shop.closes.at(-1) === Number(reason))
  })
}

test('a half-open connection sends nothing until the client gives it up, and loses nothing', async () => {
  const { server, primary, ana, shop } = await world({}, { keepAliveIntervalMs: 200 })
  const device = await pair(shop, primary)
  const closed = once(shop, 'closed')
  const received = nextUpsert(shop)
  server.silenceConnection(device)
  await ana.sendText(primary.number, 'alguém aí?')
  expect(await closed).toEqual([408])
  expect((await received).text).toBe('alguém aí?')
})

test('a slow network delivers everything late and in order', async () => {
  const { server, primary, ana, shop } = await world()
  await pair(shop, primary)
  const texts: unknown[] = []
  shop.on('upsert', ({ message: { key, message } }) => {
    if (!key.fromMe && message?.conversation) texts.push(message.conversation)
  })
  server.faults.delayMs = 80
  const began = performance.now()
  await ana.sendText(primary.number, 'um')
  server.faults.delayMs = 40
  await ana.sendText(primary.number, 'dois')
  server.faults.delayMs = 0
  await ana.sendText(primary.number, 'três')
  await until('all arrived', () => texts.length === 3)
  expect(texts).toEqual(['um', 'dois', 'três'])
  expect(performance.now() - began).toBeGreaterThanOrEqual(79)
})

test('the last message is delivered once more on order', async () => {
  const { server, primary, ana, shop } = await world()
  const device = await pair(shop, primary)
  const arrivals: string[] = []
  shop.on('arrived', ({ id }) => arrivals.push(id))
  const id = await ana.sendText(primary.number, 'de novo')
  await until('it came', () => arrivals.length === 1)
  expect(server.redeliverLast(device)).toBe(true)
  await until('it came again', () => arrivals.length === 2)
  expect(arrivals).toEqual([id, id])
})
