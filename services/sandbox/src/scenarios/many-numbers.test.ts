import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { expect, test } from 'vitest'
import { pair, world } from '../testing/harness.ts'
import type { LinkedNumber } from '../testing/linked-number.ts'
import { until } from '../testing/until.ts'

const numbers = shortOrLong(8, 20)

function receivedTexts(client: LinkedNumber): unknown[] {
  const texts: unknown[] = []
  client.on('upsert', ({ message: { key, message } }) => {
    if (!key.fromMe && message?.conversation) texts.push(message.conversation)
  })
  return texts
}

test(`${numbers} numbers at once`, async () => {
  const { server, ana, client } = await world()
  const shops = await Promise.all(Array.from({ length: numbers }, () => client()))
  const pairs = shops.map((shop, index) => ({
    shop,
    phone: server.addPhone(`55219000000${String(index).padStart(2, '0')}`, `Loja ${index}`),
  }))
  await Promise.all(pairs.map(({ shop, phone }) => pair(shop, phone)))
  const received = shops.map(receivedTexts)
  const texts = Array.from({ length: 10 }, (_, index) => `oi ${index}`)
  for (const { phone } of pairs) for (const text of texts) await ana.sendText(phone.number, text)
  await until('everybody received everything', () => received.every((got) => got.length >= texts.length), 60_000)
  for (const got of received) expect(got).toEqual(texts)
}, 90_000)
