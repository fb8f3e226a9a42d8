import { once } from 'node:events'
import { downloadMediaMessage, type WAMessage } from '@whiskeysockets/baileys'
import { expect, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'
import { loopbackUploadAgent } from '../wire/loopback-upload-agent.ts'

const bytes = (text: string) => Buffer.from(text.repeat(50))

test('videos, voice notes, documents and stickers of a phone reach a client', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const files = [
    ['video', { mimetype: 'video/mp4', seconds: 3 }],
    ['audio', { mimetype: 'audio/ogg; codecs=opus', seconds: 2, ptt: true, waveform: Uint8Array.of(0, 50, 100) }],
    ['document', { mimetype: 'application/pdf', fileName: 'cardápio.pdf', caption: 'o de hoje' }],
    ['sticker', { mimetype: 'image/webp' }],
  ] as const
  for (const [kind, details] of files) {
    const received = nextUpsert(shop)
    await ana.sendMedia(primary.number, kind, bytes(kind), details)
    const { message } = await received
    expect(message.message?.[`${kind}Message`]).toMatchObject(details)
    expect(await downloadMediaMessage(message, 'buffer', {})).toEqual(bytes(kind))
  }
})

test('voice notes, documents and stickers of a client reach a phone, with no certificate to install', async () => {
  const { primary, ana, shop } = await world({}, { fetchAgent: loopbackUploadAgent() })
  await pair(shop, primary)
  const contents = [
    { audio: bytes('voz'), mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 2 },
    { document: bytes('pdf'), mimetype: 'application/pdf', fileName: 'conta.pdf' },
    { sticker: bytes('figurinha'), mimetype: 'image/webp' },
  ]
  for (const content of contents) {
    const received = ana.nextMessage()
    await shop.socket.sendMessage(ana.account.jid(), content)
    expect(await ana.download((await received).message)).toEqual(Object.values(content)[0])
  }
})

test('a client edits, takes back and reacts, and the phones see it', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const received = ana.nextMessage()
  const sent = await shop.socket.sendMessage(ana.account.jid(), { text: 'às 7h' })
  await received
  const key = sent?.key ?? {}
  const changed = once(ana, 'correction')
  await shop.socket.sendMessage(ana.account.jid(), { text: 'às 8h', edit: key })
  expect(await changed).toMatchObject([
    { id: key.id, from: primary.number, message: { extendedTextMessage: { text: 'às 8h' } } },
  ])
  const copied = once(primary, 'correction')
  const takenBack = once(ana, 'correction')
  await shop.socket.sendMessage(ana.account.jid(), { delete: key })
  expect(await takenBack).toMatchObject([{ id: key.id, from: primary.number }])
  expect(await copied).toMatchObject([{ id: key.id, to: ana.number }])

  const inbound = nextUpsert(shop)
  await ana.sendText(primary.number, 'obrigada')
  const { message } = await inbound
  for (const emoji of ['❤️', '']) {
    const reacted = ana.nextMessage(({ message }) => Boolean(message.reactionMessage))
    await shop.socket.sendMessage(ana.account.jid('lid'), { react: { text: emoji, key: message.key } })
    expect((await reacted).message.reactionMessage).toMatchObject({ text: emoji, key: { id: message.key.id } })
  }
})

test('what a phone edits, takes back and reacts to reaches a client, and so does taking the reaction back', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const updates: Partial<WAMessage>[] = []
  const reactions: unknown[] = []
  shop.on('any', (name, data) => {
    if (name === 'messages.update') updates.push(...(data as { update: Partial<WAMessage> }[]).map((it) => it.update))
    if (name === 'messages.reaction') {
      reactions.push(...(data as { reaction: { text: string } }[]).map((it) => it.reaction.text))
    }
  })
  const answered = ana.nextMessage()
  await shop.socket.sendMessage(ana.account.jid(), { text: 'pode vir' })
  const { id } = await answered
  await ana.react(primary.number, { id, from: primary.number }, '👍')
  await ana.react(primary.number, { id, from: primary.number }, null)
  await until('it was taken back', () => reactions.length === 2)
  expect(reactions).toEqual(['👍', ''])
  const own = await ana.sendText(primary.number, 'já vou')
  await ana.editMessage(primary.number, own, 'já estou indo')
  await until('the edit came', () =>
    updates.some(({ message }) => message?.editedMessage?.message?.conversation === 'já estou indo'),
  )
  await ana.deleteMessage(primary.number, own)
  await until('the deletion came', () => updates.some(({ messageStubType }) => messageStubType === 1))
})

test('recording is seen on both sides', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const states: unknown[] = []
  shop.on('any', (name, data) => {
    if (name !== 'presence.update') return
    const { presences } = data as { presences: Record<string, { lastKnownPresence: string }> }
    states.push(...Object.values(presences).map((presence) => presence.lastKnownPresence))
  })
  await shop.socket.presenceSubscribe(ana.account.jid())
  ana.setActivity(primary.number, 'recording')
  await until('the client sees it', () => states.includes('recording'))
  const seen = once(ana, 'typing')
  await shop.socket.sendPresenceUpdate('recording', ana.account.jid())
  expect(await seen).toEqual([{ from: primary.number, state: 'recording' }])
})

test('whoever is blocked is refused with 403 until the contact takes messages again', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const acks = new Map<string, string | undefined>()
  shop.on('serverAck', ({ id, error }) => acks.set(id, error))
  const reached: string[] = []
  ana.on('message', ({ text }) => reached.push(text))
  ana.setBlocked(primary.number, true)
  const refused = await shop.socket.sendMessage(ana.account.jid(), { text: 'olá?' })
  await until('it is answered', () => acks.has(refused?.key.id ?? ''))
  expect(acks.get(refused?.key.id ?? '')).toBe('403')
  ana.setBlocked(primary.number, false)
  const received = ana.nextMessage()
  await shop.socket.sendMessage(ana.account.jid(), { text: 'de novo' })
  expect((await received).text).toBe('de novo')
  expect(reached).toEqual(['de novo'])

  await shop.socket.updateBlockStatus(ana.account.jid('lid'), 'block')
  expect(await shop.socket.fetchBlocklist()).toEqual([ana.account.jid('lid')])
  const answer = once(ana, 'ack')
  const id = await ana.sendText(primary.number, 'oi?')
  expect(await answer).toEqual([{ id, error: '403' }])
})

test('two devices linked to one number receive the same, and each what the other wrote', async () => {
  const { primary, ana, shop, client } = await world()
  const second = await client()
  const first = await pair(shop, primary)
  const other = await pair(second, primary)
  expect(primary.companions()).toEqual([first, other])
  const received = Promise.all([nextUpsert(shop), nextUpsert(second)])
  await ana.sendText(primary.number, 'para todos')
  expect((await received).map(({ text }) => text)).toEqual(['para todos', 'para todos'])
  const echoed = new Promise<unknown>((resolve) => {
    second.on('upsert', ({ message }) => {
      if (message.key.fromMe && message.message?.extendedTextMessage) resolve(message.message.extendedTextMessage.text)
    })
  })
  await shop.socket.sendMessage(ana.account.jid(), { text: 'escrito no primeiro' })
  expect(await echoed).toBe('escrito no primeiro')
  primary.unlink(first)
  await until('the first is out', () => shop.closes.at(-1) === 401)
  const still = nextUpsert(second)
  await ana.sendText(primary.number, 'só o segundo')
  expect((await still).text).toBe('só o segundo')
})

test('a message carries the time of the clock of its phone', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const at = Date.parse('2026-01-05T07:42:00-03:00')
  const received = nextUpsert(shop)
  await ana.sendText(primary.number, 'bom dia', { at })
  expect(Number((await received).message.messageTimestamp)).toBe(at / 1000)
})

test('a member of a group that cannot read a message asks again and gets it', async () => {
  const { server, primary, ana, shop } = await world()
  await pair(shop, primary)
  const bia = server.addPhone('5511900000004', 'Bia')
  const group = server.createGroup('Clientes', ana, [primary, bia])
  bia.failNext()
  const received = bia.nextMessage()
  await ana.sendText(group, 'leram?')
  expect(await received).toMatchObject({ text: 'leram?', to: group, from: ana.number })
  const next = bia.nextMessage()
  await ana.sendText(group, 'e esta?')
  expect((await next).text).toBe('e esta?')
})

test('a phone that fails on what it receives reports it, goes on with what comes next, and gets it again', async () => {
  const { server, primary, ana } = await world()
  const received: string[] = []
  primary.on('message', ({ text }) => received.push(text))
  primary.once('message', () => {
    throw new Error('odd')
  })
  const failed = once(server, 'receivingFailed')
  const odd = await ana.sendText(primary.number, 'estranha')
  const [phone, stanza, error] = await failed
  expect([phone, stanza.attrs.id, String(error)]).toEqual([primary, odd, 'Error: odd'])
  await ana.sendText(primary.number, 'normal')
  await until('the next one was received and settled', () => received.length === 2 && primary.device.inbox.size === 1)
  expect(received).toEqual(['estranha', 'normal'])
  expect(primary.device.inbox.values()[0]?.attrs.id).toBe(odd)
  primary.goOffline()
  primary.goOnline()
  await until('it was settled too', () => primary.device.inbox.size === 0)
})
