import { once } from 'node:events'
import type { WAMessage } from '@whiskeysockets/baileys'
import { expect, test } from 'vitest'
import { pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'

test('a refused message ends in status 0 with the error code', async () => {
  const { server, owner, ana, shop } = await world()
  await pair(shop, owner)
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
  const { server, owner, ana, shop } = await world()
  await pair(shop, owner)
  const acks: string[] = []
  shop.on('serverAck', ({ id }) => acks.push(id))
  server.faults.loseMessages = 1
  const heard = ana.nextMessage()
  await shop.socket.sendMessage(ana.account.jid(), { text: 'perdida' })
  const next = await shop.socket.sendMessage(ana.account.jid(), { text: 'entregue' })
  expect((await heard).text).toBe('entregue')
  await until('the next one is acknowledged', () => acks.length > 0)
  expect(acks).toEqual([next?.key.id])
})

test('sendMessage rejects with 428 while the server is down', async () => {
  const { server, owner, ana, shop } = await world()
  await pair(shop, owner)
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
    const { server, owner, shop } = await world()
    await pair(shop, owner)
    server.faults.refuseLogins.push(reason)
    await server.stop()
    const opened = once(shop, 'open') // this stand-in simply tries again
    await server.start()
    await until('it was told', () => shop.closes.includes(Number(reason)))
    await opened
  })
}
