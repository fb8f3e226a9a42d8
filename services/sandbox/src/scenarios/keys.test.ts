import { expect, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'

test('a contact that cannot decrypt asks again and gets the text', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  ana.failNext()
  const received = ana.nextMessage()
  const sent = await shop.socket.sendMessage(ana.account.jid(), { text: 'insistente' })
  expect(await received).toMatchObject({ text: 'insistente', id: sent?.key.id })
})

test('a client that lost its session asks again and gets the text', async () => {
  const { primary, ana, shop, wire } = await world()
  await pair(shop, primary)
  const first = nextUpsert(shop)
  await ana.sendText(primary.number, 'um')
  await first
  const reply = ana.nextMessage()
  await shop.socket.sendMessage(ana.account.jid('lid'), { text: 'dois' })
  await reply
  const session = shop.socket.signalRepository.jidToSignalProtocolAddress(ana.account.jid('lid'))
  await shop.socket.authState.keys.set({ session: { [session]: null } })
  const texts: unknown[] = []
  shop.on('upsert', ({ message }) => {
    if (!message.key.fromMe) texts.push(message.message?.conversation ?? 'stub')
  })
  await ana.sendText(primary.number, 'três')
  await until('it arrived in the end', () => texts.includes('três'), 10_000)
  expect(texts).toEqual(['stub', 'três'])
  expect(wire.some((line) => line.startsWith('<') && line.includes('type=retry'))).toBe(true)
})

test('asks for one-time keys when they run low', async () => {
  const { server, primary, shop } = await world({ fewPreKeys: true })
  const device = await pair(shop, primary)
  await until('the stock was filled up', () => device.oneTimeKeys.size >= 5)
  for (let index = 0; index < 8; index++) {
    const stranger = server.addPhone(`55119100000${index}`, `P${index}`)
    const received = nextUpsert(shop)
    await stranger.sendText(primary.number, `oi ${index}`)
    await received
  }
  await until('the stock was filled up again', () => device.oneTimeKeys.size >= 5)
})
