import { until } from '@prosa/kernel/testing/until'
import type { Phone } from '@prosa/sandbox/phone/phone'
import { expect, onTestFinished, test } from 'vitest'
import { readQrCode } from '../testing/read-qr-code.ts'
import { openShop, type Queued, type Shop } from '../testing/shop.ts'

const opened = async () => {
  const shop = await openShop({}, { firstContactPace: { burst: 1, interval: 600_000 } })
  onTestFinished(shop.close)
  const running = await shop.start()
  const { connectionId: id } = await shop.link()
  const bia = shop.server.addPhone('5511900000004', 'Bia')
  const received: string[] = []
  bia.on('message', ({ from, text }) => received.push(`${from} ${text}`))
  const toBia = (text: string) => shop.queue(id, text, bia.account.jid('lid'))
  const fateIs = ({ messageId }: Queued, last: string) =>
    until(async () => (await shop.fate(id, messageId)).at(-1) === last)
  return {
    shop,
    running,
    id,
    bia,
    received,
    toBia,
    fateIs,
    other: shop.server.addPhone('5511900000003', 'Outra empresa'),
  }
}

const isDeferred = (shop: Shop, { messageId }: Queued) =>
  until(async () => {
    const { rows } = await shop.ports.pool.query('select from outbox where message_id = $1 and is_held', [messageId])
    return rows.length === 1
  })

const disconnect = async (shop: Shop, id: string) => {
  await shop.call('POST', `/${id}/disconnect`)
  await until(async () => (await shop.connectionEvents(id)).at(-1) === 'ConnectionDisconnected')
}

const link = async (shop: Shop, id: string, phone: Phone) => {
  await shop.call('POST', `/${id}/refresh`)
  await phone.scan(readQrCode(await shop.picture(id)))
  await shop.opened(id, 2)
}

const relink = async (shop: Shop, id: string, phone: Phone) => {
  await disconnect(shop, id)
  await link(shop, id, phone)
}

/** Ana is the first stranger, so that the next message to Bia waits. */
const deferredForBia = async ({ shop, id, toBia, fateIs }: Awaited<ReturnType<typeof opened>>) => {
  await fateIs(await shop.queue(id, 'primeira'), 'delivered')
  const deferred = await toBia('da Padaria Sol')
  await isDeferred(shop, deferred)
  return deferred
}

test('what waited for the number before fails when another one is linked, and goes when it is sent again', async () => {
  const all = await opened()
  const { shop, id, received, toBia, fateIs, other } = all
  const deferred = await deferredForBia(all)
  await relink(shop, id, other)
  await fateIs(deferred, 'failed number_changed')
  await fateIs(await toBia('da outra empresa'), 'delivered')
  await shop.queueAgain(deferred)
  await fateIs(deferred, 'delivered')
  expect(received).toEqual([`${other.number} da outra empresa`, `${other.number} da Padaria Sol`])
})

test('what waited goes out when the same number is linked again', async () => {
  const all = await opened()
  const deferred = await deferredForBia(all)
  await relink(all.shop, all.id, all.shop.phone)
  await all.fateIs(deferred, 'delivered')
  expect(all.received).toEqual([`${all.shop.phone.number} da Padaria Sol`])
})

test('what is written while no phone is linked goes out over the same number', async () => {
  const { shop, id, received, toBia, fateIs } = await opened()
  await disconnect(shop, id)
  const written = await toBia('escrita sem telefone')
  await link(shop, id, shop.phone)
  await fateIs(written, 'delivered')
  expect(received).toEqual([`${shop.phone.number} escrita sem telefone`])
})

test('what is written while no phone is linked never goes out over another number', async () => {
  const { shop, id, received, toBia, fateIs, other } = await opened()
  await disconnect(shop, id)
  const written = await toBia('escrita sem telefone')
  await link(shop, id, other)
  await fateIs(written, 'failed number_changed')
  await fateIs(await toBia('da outra empresa'), 'delivered')
  expect(received).toEqual([`${other.number} da outra empresa`])
})

test('what waited for the number before is reported by whoever has the connection next, when it could not be reported', async () => {
  const all = await opened()
  const { shop, running, id, received, toBia, fateIs, other } = all
  const deferred = await deferredForBia(all)
  await relink(shop, id, other)
  await fateIs(deferred, 'failed number_changed')
  await until(async () => (await shop.ports.pool.query("select from outbox where state = 'failed'")).rowCount === 1)
  await running.stop()
  // As if the process died in between.
  await shop.ports.pool.query("update outbox set state = 'waiting' where message_id = $1", [deferred.messageId])
  await shop.start()
  await fateIs(await toBia('da outra empresa'), 'delivered')
  await until(async () => (await shop.ports.pool.query("select from outbox where state = 'failed'")).rowCount === 1)
  expect(received).toEqual([`${other.number} da outra empresa`])
})

test('whoever knew the number before is a stranger to the next', async () => {
  const { shop, id, toBia, fateIs, other } = await opened()
  await shop.ana.sendText(shop.phone.number, 'oi')
  await until(async () => (await shop.texts(id)).length === 1)
  await fateIs(await shop.queue(id, 'resposta'), 'delivered')
  await relink(shop, id, other)
  await fateIs(await toBia('bom dia'), 'delivered')
  await isDeferred(shop, await shop.queue(id, 'bom dia'))
})
