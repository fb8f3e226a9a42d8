import { until } from '@prosa/kernel/testing/until'
import type { IncomingMessage } from '@prosa/sandbox/phone/phone'
import type { Device } from '@prosa/sandbox/server/directory'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../testing/shop.ts'

let shop: Shop
let id: string
let device: Device
let heard: IncomingMessage[]

beforeAll(async () => {
  shop = await openShop()
  await shop.start()
  const linked = await shop.link()
  id = linked.connectionId
  device = linked.device
  shop.ana.on('message', (message) => heard.push(message))
})
afterAll(() => shop.close())
beforeEach(() => {
  heard = []
})

const fateIs = (messageId: string, last: string) => until(async () => (await shop.fate(id, messageId)).at(-1) === last)

describe('a message of ours', () => {
  test('goes out under its own id; dispatch, delivery and reading are recorded', async () => {
    const { messageId, contactId } = await shop.queue(id, 'Abrimos das 7h às 13h.')
    await fateIs(messageId, 'delivered')
    expect(heard).toMatchObject([{ id: messageId, text: 'Abrimos das 7h às 13h.', from: shop.phone.number }])
    const [message] = heard
    if (message) shop.ana.markRead(message)
    await fateIs(messageId, 'read')
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered', 'read'])
    const [dispatched] = (await shop.lineEvents(id)).filter(({ type }) => type === 'MessageDispatched')
    expect(dispatched).toMatchObject({
      data: { messageId, contactId },
      metadata: { owner: shop.user, correlationId: `correlation of ${messageId}` },
    })
    expect((await shop.lineEvents(id)).filter(({ type }) => type === 'MessageArrived')).toEqual([])
  })

  test('reaches a number, and a contact who asks for it again', async () => {
    shop.ana.failNext()
    const { messageId } = await shop.queue(id, 'de novo', shop.ana.account.jid('pn'))
    await fateIs(messageId, 'delivered')
    expect(heard.map(({ text }) => text)).toEqual(['de novo'])
  })

  test('is dispatched before it is delivered, even when the receipts are as fast as can be', async () => {
    shop.ana.latencyMs = 0
    const sent = await Promise.all(['um', 'dois', 'três'].map((text) => shop.queue(id, text)))
    for (const { messageId } of sent) await fateIs(messageId, 'delivered')
    for (const { messageId } of sent) expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
    shop.ana.latencyMs = 25
  })

  test('keeps its place: twenty arrive in the order in which they were written', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `número ${index}`)
    const sent: string[] = []
    for (const text of texts) sent.push((await shop.queue(id, text)).messageId)
    await until(() => heard.length === 20)
    expect(heard.map(({ text }) => text)).toEqual(texts)
    for (const messageId of sent) await fateIs(messageId, 'delivered')
  })

  test('fails with the code of WhatsApp when it is refused, and the next one goes on', async () => {
    shop.server.faults.refuseMessages.push('463')
    const refused = await shop.queue(id, 'recusada')
    const next = await shop.queue(id, 'aceita')
    await fateIs(next.messageId, 'delivered')
    expect(await shop.fate(id, refused.messageId)).toEqual(['failed 463'])
    expect(heard.map(({ text }) => text)).toEqual(['aceita'])
  })

  test('that was refused reaches the contact once when it is tried again, under the same id', async () => {
    shop.server.faults.refuseMessages.push('463', '463')
    const message = await shop.queue(id, 'insistente')
    const { messageId } = message
    await fateIs(messageId, 'failed 463')
    await shop.queueAgain(message)
    await until(async () => (await shop.fate(id, messageId)).length === 2)
    await shop.queueAgain(message)
    await fateIs(messageId, 'delivered')
    expect(heard.map((message) => message.id)).toEqual([messageId])
  })

  test('is sent again under the same id when the server lost it', async () => {
    shop.server.faults.loseMessages = 1
    const { messageId } = await shop.queue(id, 'perdida e achada')
    await fateIs(messageId, 'delivered')
    expect(heard.map((message) => message.id)).toEqual([messageId])
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
  })

  test('waits while the line is down, and is sent exactly once after it is up again', async () => {
    await shop.server.stop()
    await until(async () => (await shop.connectionEvents(id)).at(-1) === 'LineDropped')
    const sent = [await shop.queue(id, 'enquanto caiu 1'), await shop.queue(id, 'enquanto caiu 2')]
    await shop.server.start()
    for (const { messageId } of sent) await fateIs(messageId, 'delivered')
    expect(heard.map(({ text }) => text)).toEqual(['enquanto caiu 1', 'enquanto caiu 2'])
  })

  test('is sent again, and read once, when the connection broke before the acknowledgement', async () => {
    shop.server.faults.loseMessages = 1
    const { messageId } = await shop.queue(id, 'no meio da queda')
    await until(() => shop.server.faults.loseMessages === 0)
    shop.server.dropConnection(device)
    await fateIs(messageId, 'delivered')
    expect(heard.map((message) => message.id)).toEqual([messageId])
  })

  test('is read once and recorded whole when the log was out of reach while it went out', async () => {
    shop.cutOff = true
    const { messageId } = await shop.queue(id, 'sem banco')
    await until(() => heard.length === 1)
    expect(await shop.fate(id, messageId)).toEqual([])
    shop.cutOff = false
    await fateIs(messageId, 'delivered')
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
    expect(heard).toHaveLength(1)
  })

  test('is kept from everybody who can read the database', async () => {
    const { messageId } = await shop.queue(id, 'um segredo entre nós')
    await fateIs(messageId, 'delivered')
    const { rows } = await shop.ports.pool.query('select o::text as row from outbox o')
    expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from('segredo').toString('hex'))
    expect(rows.map(({ row }) => row).join()).not.toContain('segredo')
  })

  test('fails when its connection was removed before it could go', async () => {
    await shop.server.stop()
    const waiting = await shop.queue(id, 'tarde demais')
    await until(async () => {
      const { rows } = await shop.ports.pool.query('select from outbox where message_id = $1', [waiting.messageId])
      return rows.length === 1
    })
    await shop.call('DELETE', `/${id}`)
    await fateIs(waiting.messageId, 'failed connection_removed')
    const afterwards = await shop.queue(id, 'mais tarde ainda')
    await fateIs(afterwards.messageId, 'failed connection_removed')
    await shop.server.start()
  })
})
