import { once } from 'node:events'
import { expect, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'

test('receives text addressed by LID and by phone number', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const [lid, number] = [ana.account.jid('lid'), ana.account.jid('pn')]
  const first = nextUpsert(shop)
  await ana.sendText(primary.number, 'oi', { addressing: 'lid' })
  const byLid = await first
  expect(byLid).toMatchObject({ text: 'oi', type: 'notify', message: { pushName: 'Ana' } })
  expect(byLid.message.key).toMatchObject({ remoteJid: lid, remoteJidAlt: number })
  const second = nextUpsert(shop)
  await ana.sendText(primary.number, 'tudo bem?', { addressing: 'pn' })
  const byNumber = await second
  expect(byNumber.text).toBe('tudo bem?')
  expect(byNumber.message.key).toMatchObject({ remoteJid: number, remoteJidAlt: lid })
})

test('a contact may hide its number: only the LID is known, and answering works', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  ana.account.hidesNumber = true
  const received = nextUpsert(shop)
  await ana.sendText(primary.number, 'sou anônima')
  const { remoteJid, remoteJidAlt } = (await received).message.key
  expect(remoteJid).toBe(ana.account.jid('lid'))
  expect(remoteJidAlt).toBeUndefined()
  const reply = ana.nextMessage()
  await shop.socket.sendMessage(remoteJid ?? '', { text: 'tudo bem' })
  expect((await reply).text).toBe('tudo bem')
})

test('sends text; ack, own-phone, delivery and read receipts come back', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const receipts: string[] = []
  shop.on('receipt', (receipt) => receipts.push(`${receipt.id} ${receipt.type}`))
  const statuses: number[] = []
  shop.on('status', ({ status }) => statuses.push(status))
  const acked = once(shop, 'serverAck')
  const received = ana.nextMessage()
  // Baileys merges simultaneous receipts: the phones alternate.
  primary.goOffline()
  const sent = await shop.socket.sendMessage(ana.account.jid(), { text: 'bom dia' })
  const id = sent?.key.id
  expect(await acked).toMatchObject([{ id }])
  const message = await received
  expect(message).toMatchObject({ text: 'bom dia', from: primary.number, id })
  await until('it is delivered', () => statuses.includes(3))
  const copied = primary.nextMessage()
  primary.goOnline()
  expect(await copied).toMatchObject({ text: 'bom dia', to: ana.number })
  await until('the own phone has it', () => receipts.includes(`${id} sender`))
  ana.markRead(message)
  await until('it is read', () => statuses.includes(4))
})

test('a whole conversation uses one session', async () => {
  const { primary, ana, shop, wire } = await world()
  await pair(shop, primary)
  for (let index = 0; index < 5; index++) {
    const inbound = nextUpsert(shop)
    await ana.sendText(primary.number, `pergunta ${index}`)
    expect((await inbound).text).toBe(`pergunta ${index}`)
    const outbound = ana.nextMessage()
    await shop.socket.sendMessage(ana.account.jid('lid'), { text: `resposta ${index}` })
    expect((await outbound).text).toBe(`resposta ${index}`)
  }
  expect(wire.filter((line) => line.includes('retry'))).toEqual([])
})

test('two Baileys clients talk to each other', async () => {
  const { server, primary, shop, client } = await world()
  const other = await client()
  const second = server.addPhone('5511900000003', 'Farmácia Lua')
  await Promise.all([pair(shop, primary), pair(other, second)])
  const received = nextUpsert(other)
  await shop.socket.sendMessage(second.account.jid(), { text: 'entre robôs' })
  const { text, message } = await received
  expect(text).toBe('entre robôs')
  expect(message.key.fromMe).toBe(false)
  const answered = nextUpsert(shop)
  await other.socket.sendMessage(primary.account.jid('lid'), { text: 'recebido' })
  expect((await answered).text).toBe('recebido')
})

test('marking as read reaches the contact', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const received = nextUpsert(shop)
  const receipts: string[] = []
  ana.on('receipt', (receipt) => receipts.push(`${receipt.type} ${receipt.id}`))
  const id = await ana.sendText(primary.number, 'leu?')
  const { message } = await received
  await shop.socket.readMessages([message.key])
  await until('the contact knows', () => receipts.includes(`read ${id}`))
})

test('number look-up distinguishes accounts from strangers', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  // Baileys omits numbers without an account.
  const found = await shop.socket.onWhatsApp(ana.number, '5599999999999')
  expect(found).toEqual([{ jid: ana.account.jid(), exists: true }])
})
