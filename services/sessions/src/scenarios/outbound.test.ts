import { randomUUID } from 'node:crypto'
import { until } from '@prosa/kernel/testing/until'
import type { IncomingMessage } from '@prosa/sandbox/phone/phone-events'
import { retryReceipt } from '@prosa/sandbox/phone/retries'
import type { Device } from '@prosa/sandbox/server/directory'
import { el } from '@prosa/sandbox/wire/stanza'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openShop, type Shop } from '../testing/shop.ts'

let shop: Shop
let id: string
let device: Device
let received: IncomingMessage[]

beforeAll(async () => {
  shop = await openShop()
  await shop.start()
  const linked = await shop.link()
  id = linked.connectionId
  device = linked.device
  shop.ana.on('message', (message) => received.push(message))
})
afterAll(() => shop.close())
beforeEach(() => {
  received = []
})

const fateIs = (messageId: string, last: string) => until(async () => (await shop.fate(id, messageId)).at(-1) === last)

describe('a message of ours', () => {
  test('goes out under its own id; dispatch, delivery and reading are recorded', async () => {
    const { messageId, contactId } = await shop.queue(id, 'Abrimos das 7h às 13h.')
    await fateIs(messageId, 'delivered')
    expect(received).toMatchObject([{ id: messageId, text: 'Abrimos das 7h às 13h.', from: shop.phone.number }])
    const [message] = received
    if (message) shop.ana.markRead(message)
    await fateIs(messageId, 'read')
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered', 'read'])
    const [dispatched] = (await shop.lineEvents(id)).filter(({ type }) => type === 'MessageDispatched')
    expect(dispatched).toMatchObject({
      data: { messageId, contactId },
      metadata: { tenant: shop.user, correlationId: `correlation of ${messageId}` },
    })
    expect((await shop.lineEvents(id)).filter(({ type }) => type === 'MessageArrived')).toEqual([])
  })

  test('reaches a number, and a contact who asks for it again', async () => {
    shop.ana.failNext()
    const { messageId } = await shop.queue(id, 'de novo', shop.ana.account.jid('pn'))
    await fateIs(messageId, 'delivered')
    expect(received.map(({ text }) => text)).toEqual(['de novo'])
  })

  test('goes to nobody else who asks for it, whose receipts do not count for it either', async () => {
    const eve = shop.server.addPhone('5511900000066', 'Eva')
    const receivedByEve: string[] = []
    eve.on('message', ({ text }) => receivedByEve.push(text))
    const { messageId } = await shop.queue(id, 'Seu saldo é R$ 180')
    await fateIs(messageId, 'delivered')
    for (const addressing of ['lid', 'pn'] as const) {
      const stanza = el('message', { id: messageId, from: device.jid(addressing) })
      eve.submit(retryReceipt(stanza, eve.signal.registrationId, 1))
      eve.submit(el('receipt', { to: device.jid(addressing), id: messageId, type: 'read', t: '1' }))
    }
    // Receipts are in order: earlier ones have had their effect.
    const toEve = await shop.queue(id, 'Bom dia, Eva', eve.account.jid('lid'))
    await fateIs(toEve.messageId, 'delivered')
    eve.submit(el('receipt', { to: device.jid('lid'), id: toEve.messageId, type: 'read', t: '1' }))
    await fateIs(toEve.messageId, 'read')
    expect(receivedByEve).toEqual(['Bom dia, Eva'])
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
  })

  test('that went to a number counts as read when the person marks it from their LID', async () => {
    const { messageId } = await shop.queue(id, 'para o número', shop.ana.account.jid('pn'))
    await fateIs(messageId, 'delivered')
    shop.ana.submit(el('receipt', { to: device.jid('lid'), id: messageId, type: 'read', t: '1' }))
    await fateIs(messageId, 'read')
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
    await until(() => received.length === 20)
    expect(received.map(({ text }) => text)).toEqual(texts)
    for (const messageId of sent) await fateIs(messageId, 'delivered')
  })

  test('fails with the code of WhatsApp when it is refused, and the next one goes on', async () => {
    shop.server.faults.refuseMessages.push('463')
    const refused = await shop.queue(id, 'recusada')
    const next = await shop.queue(id, 'aceita')
    await fateIs(next.messageId, 'delivered')
    expect(await shop.fate(id, refused.messageId)).toEqual(['failed 463'])
    expect(received.map(({ text }) => text)).toEqual(['aceita'])
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
    expect(received.map((message) => message.id)).toEqual([messageId])
  })

  test('fails when nobody on WhatsApp has the number, and the next one goes on', async () => {
    const lost = await shop.queue(id, 'para ninguém', '5511999990000@s.whatsapp.net')
    const next = await shop.queue(id, 'para Ana')
    await fateIs(next.messageId, 'delivered')
    await fateIs(lost.messageId, 'failed number_not_on_whatsapp')
    expect(await shop.fate(id, lost.messageId)).toHaveLength(1)
  })

  test('is sent again when the list of devices was out of date, and fails when that was not the reason', async () => {
    shop.server.faults.refuseMessages.push('479')
    const { messageId } = await shop.queue(id, 'para os aparelhos de hoje')
    await fateIs(messageId, 'delivered')
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
    shop.server.faults.refuseMessages.push('479', '479')
    await fateIs((await shop.queue(id, 'para ninguém')).messageId, 'failed 479')
  })

  test('waits a while and is sent again when WhatsApp answers that we write too fast, and fails when it goes on so', async () => {
    shop.server.faults.refuseMessages.push('429')
    const { messageId } = await shop.queue(id, 'depressa')
    await fateIs(messageId, 'delivered')
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
    shop.server.faults.refuseMessages.push(...Array(5).fill('429'))
    await fateIs((await shop.queue(id, 'depressa demais')).messageId, 'failed 429')
  })

  test('is sent again under the same id when the server lost it', async () => {
    shop.server.faults.loseMessages = 1
    const { messageId } = await shop.queue(id, 'perdida e achada')
    await fateIs(messageId, 'delivered')
    expect(received.map((message) => message.id)).toEqual([messageId])
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
  })

  test('waits while the line is down, and is sent exactly once after it is up again', async () => {
    await shop.server.stop()
    await until(async () => (await shop.connectionEvents(id)).at(-1) === 'LineDropped')
    const sent = [await shop.queue(id, 'enquanto caiu 1'), await shop.queue(id, 'enquanto caiu 2')]
    await shop.server.start()
    for (const { messageId } of sent) await fateIs(messageId, 'delivered')
    expect(received.map(({ text }) => text)).toEqual(['enquanto caiu 1', 'enquanto caiu 2'])
  })

  test('is sent again, and read once, when the connection broke before the acknowledgement', async () => {
    shop.server.faults.loseMessages = 1
    const { messageId } = await shop.queue(id, 'no meio da queda')
    await until(() => shop.server.faults.loseMessages === 0)
    shop.server.dropConnection(device)
    await fateIs(messageId, 'delivered')
    expect(received.map((message) => message.id)).toEqual([messageId])
  })

  test('fails when the connection breaks on it each time, lets the next one go, and goes itself when it is tried again', async () => {
    const breaking = await shop.queue(id, 'a que derruba')
    const next = await shop.queue(id, 'a seguinte')
    const hasFailed = async () => (await shop.fate(id, breaking.messageId)).at(-1) === 'failed line_broken'
    for (let isOver = false; !isOver; ) {
      shop.server.faults.loseMessages = 1
      isOver = await until(async () => shop.server.faults.loseMessages === 0 || hasFailed()).then(hasFailed)
      if (!isOver) shop.server.dropConnection(device)
    }
    shop.server.faults.loseMessages = 0
    await fateIs(next.messageId, 'delivered')
    await shop.queueAgain(breaking)
    await fateIs(breaking.messageId, 'delivered')
    expect(received.map(({ text }) => text)).toEqual(['a seguinte', 'a que derruba'])
  })

  test('is read once and recorded whole when the log was out of reach while it went out', async () => {
    shop.cutOff = true
    const { messageId } = await shop.queue(id, 'sem banco')
    await until(() => received.length === 1)
    expect(await shop.fate(id, messageId)).toEqual([])
    shop.cutOff = false
    await fateIs(messageId, 'delivered')
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
    expect(received).toHaveLength(1)
  })

  test('is kept from everybody who can read the database', async () => {
    const { messageId } = await shop.queue(id, 'um segredo entre nós')
    await fateIs(messageId, 'delivered')
    const { rows } = await shop.ports.pool.query('select o::text as row from outbox o')
    expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from('segredo').toString('hex'))
    expect(rows.map(({ row }) => row).join()).not.toContain('segredo')
  })

  test('is not needed for the contact to see that theirs were read: looking at them is enough, and no others are marked', async () => {
    const read: string[] = []
    shop.ana.on('receipt', (receipt) => {
      if (receipt.type === 'read') read.push(receipt.id)
    })
    const ids: string[] = []
    for (const text of ['oi', 'tem alguém?', 'olá?']) ids.push(await shop.ana.sendText(shop.phone.number, text))
    await until(async () => (await shop.texts(id)).filter((text) => text.endsWith('olá?')).length === 1)
    await shop.lookAt(id, ids.slice(0, 2))
    await until(() => read.length > 0)
    await until(async () => (await shop.ports.pool.query("select from outbox where to_jid = ''")).rowCount === 0)
    // One receipt may name several; the first stands for all.
    expect(read).toContain(ids[0])
    expect(read).not.toContain(ids[2])
    expect((await shop.lineEvents(id)).filter(({ type }) => type === 'DispatchFailed').at(-1)?.data).not.toMatchObject({
      messageId: expect.stringContaining('read'),
    })
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

describe('a first message to somebody who never wrote', () => {
  const stranger = (shop: Shop, index: number) => shop.server.addPhone(`551190000010${index}`, `Pessoa ${index}`)

  test('waits its turn, which holds up no answer, and keeps the order of its contact', async () => {
    const slow = await openShop({}, { firstContactPace: { burst: 1, interval: 600_000 } })
    onTestFinished(slow.close)
    const running = await slow.start()
    const { connectionId } = await slow.link()
    await slow.ana.sendText(slow.phone.number, 'oi')
    await until(async () => (await slow.texts(connectionId)).length === 1)
    const [bruno, carla] = [stranger(slow, 1), stranger(slow, 2)]
    const toBruno = await slow.queueContent(
      connectionId,
      { kind: 'text', text: 'a' },
      { toJid: bruno.account.jid('lid') },
    )
    const deliveredTo = (messageId: string) =>
      until(async () => (await slow.fate(connectionId, messageId)).at(-1) === 'delivered')
    await deliveredTo(toBruno.messageId)
    const carlaIs = { toJid: carla.account.jid('lid'), contactId: randomUUID() }
    const first = await slow.queueContent(connectionId, { kind: 'text', text: '1' }, carlaIs)
    const answer = await slow.queue(connectionId, 'resposta')
    await deliveredTo(answer.messageId)
    const again = await slow.queueContent(connectionId, { kind: 'text', text: 'b' }, toBruno)
    await deliveredTo(again.messageId)
    expect(await slow.fate(connectionId, first.messageId)).toEqual([])
    const receivedByCarla: string[] = []
    carla.on('message', ({ text }) => receivedByCarla.push(text))
    await carla.sendText(slow.phone.number, 'quem é?')
    await until(async () => (await slow.texts(connectionId)).length === 2)
    const second = await slow.queueContent(connectionId, { kind: 'text', text: '2' }, carlaIs)
    await deliveredTo(second.messageId)
    expect(receivedByCarla).toEqual(['1', '2'])
    await running.stop()
  })

  test('waits after WhatsApp has refused one (463), and answers go on', async () => {
    const strict = await openShop({}, { restricted: 600_000 })
    onTestFinished(strict.close)
    await strict.start()
    const { connectionId } = await strict.link()
    await strict.ana.sendText(strict.phone.number, 'oi')
    await until(async () => (await strict.texts(connectionId)).length === 1)
    strict.server.faults.refuseMessages.push('463')
    const fate = (messageId: string, last: string) =>
      until(async () => (await strict.fate(connectionId, messageId)).at(-1) === last)
    const text = { kind: 'text', text: 'promoção' } as const
    const to = (index: number) => ({ toJid: stranger(strict, index).account.jid('lid') })
    const refused = await strict.queueContent(connectionId, text, to(1))
    await fate(refused.messageId, 'failed 463')
    const next = await strict.queueContent(connectionId, text, to(2))
    const answer = await strict.queue(connectionId, 'resposta')
    await fate(answer.messageId, 'delivered')
    expect(await strict.fate(connectionId, next.messageId)).toEqual([])
  })
})
