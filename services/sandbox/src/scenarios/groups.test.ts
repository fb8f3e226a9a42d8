import { expect, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'

test('group messages are read and written with sender keys', async () => {
  const { server, primary, ana, shop } = await world()
  await pair(shop, primary)
  const bia = server.addPhone('5511900000004', 'Bia')
  const group = server.createGroup('Clientes', ana, [primary, bia])
  for (const text of ['oi, grupo', 'de novo']) {
    const received = nextUpsert(shop)
    await ana.sendToGroup(group, { conversation: text })
    const { message, text: got } = await received
    expect(got).toBe(text)
    const [participant, participantAlt] = [ana.account.jid('lid'), ana.account.jid('pn')]
    expect(message.key).toMatchObject({ remoteJid: group, participant, participantAlt })
  }
  expect((await shop.socket.groupMetadata(group)).subject).toBe('Clientes')
  expect(Object.keys(await shop.socket.groupFetchAllParticipating())).toEqual([group])
  const receipts: unknown[] = []
  shop.on('any', (name, data) => {
    if (name === 'message-receipt.update') receipts.push(...(data as unknown[]))
  })
  // A receipt that overtakes the echo is part of it.
  shop.on('upsert', ({ message }) => receipts.push(...(message.userReceipt ?? [])))
  for (const text of ['olá a todos', 'até logo']) {
    const readers = [ana, bia, primary].map((phone) => phone.nextMessage((message) => message.text === text))
    await shop.socket.sendMessage(group, { text })
    for (const message of await Promise.all(readers)) expect(message.to).toBe(group)
  }
  await until('receipts came', () => receipts.length >= 1)
})
