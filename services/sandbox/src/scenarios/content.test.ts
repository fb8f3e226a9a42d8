import { once } from 'node:events'
import { proto, type WAMessage } from '@whiskeysockets/baileys'
import { expect, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import type { LinkedNumber } from '../testing/linked-number.ts'
import { until } from '../testing/until.ts'

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type

function collect<T>(client: LinkedNumber, event: string): T[] {
  const found: T[] = []
  client.on('any', (name, data) => {
    if (name === event) found.push(...(data as T[]))
  })
  return found
}

test('history sync brings past chats', async () => {
  const { primary, ana, shop } = await world()
  const key = { remoteJid: ana.account.jid('lid'), fromMe: false, id: 'OLD1' }
  primary.history.push({
    id: ana.account.jid('lid'),
    pnJid: ana.account.jid(),
    displayName: 'Ana',
    messages: [{ message: { key, message: { conversation: 'mensagem antiga' }, messageTimestamp: 1_700_000_000 } }],
  })
  const seen: { messages: number; chats: number }[] = []
  shop.on('history', (history) => seen.push(history))
  await pair(shop, primary)
  await until('history came', () => seen.some(({ messages, chats }) => messages === 1 && chats === 1))
})

test('typing and presence travel both ways', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const states: unknown[] = []
  shop.on('any', (name, data) => {
    if (name !== 'presence.update') return
    const { presences } = data as { presences: Record<string, { lastKnownPresence: string }> }
    states.push(...Object.values(presences).map((presence) => presence.lastKnownPresence))
  })
  await shop.socket.presenceSubscribe(ana.account.jid())
  await until('online', () => states.includes('available'))
  ana.setTyping(primary.number, true)
  await until('typing', () => states.includes('composing'))
  ana.goOffline()
  await until('gone', () => states.includes('unavailable'))
  ana.goOnline()
  const typing = once(ana, 'typing')
  await shop.socket.sendPresenceUpdate('composing', ana.account.jid())
  expect(await typing).toEqual([{ from: primary.number, state: 'composing' }])
})

test('reaction, quote, edit and deletion arrive as Baileys events', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const updates = collect<{ update: Partial<WAMessage> }>(shop, 'messages.update')
  const reactions = collect<{ reaction: proto.IReaction }>(shop, 'messages.reaction')
  const first = nextUpsert(shop)
  const id = await ana.sendText(primary.number, 'original')
  await first
  const key = { remoteJid: primary.account.jid('lid'), fromMe: true, id }
  const editedMessage = { conversation: 'corrigido' }
  await ana.send(primary.number, {
    protocolMessage: { key, type: MESSAGE_EDIT, editedMessage, timestampMs: Date.now() },
  })
  const edits = () => updates.map(({ update }) => update.message?.editedMessage?.message?.conversation)
  await until('edit', () => edits().includes('corrigido'))
  const reactionMessage = { key, text: '👍', senderTimestampMs: Date.now() }
  await ana.send(primary.number, { reactionMessage }, { type: 'reaction' })
  await until('reaction', () => reactions.some(({ reaction }) => reaction.text === '👍'))
  await ana.send(primary.number, { protocolMessage: { key, type: REVOKE } })
  await until('deletion', () => updates.some(({ update }) => update.messageStubType === 1))
  const quote = nextUpsert(shop)
  const contextInfo = {
    stanzaId: id,
    participant: ana.account.jid('lid'),
    quotedMessage: { conversation: 'original' },
  }
  await ana.send(primary.number, { extendedTextMessage: { text: 'sobre isso', contextInfo } })
  const quoted = (await quote).message.message?.extendedTextMessage?.contextInfo?.quotedMessage
  expect(quoted?.conversation).toBe('original')
})

test('chat changes go through app state', async () => {
  const { primary, ana, shop, server } = await world()
  await pair(shop, primary)
  const received = nextUpsert(shop)
  await ana.sendText(primary.number, 'arquive-me')
  const { message } = await received
  await until('the app state key came', () => Boolean(shop.socket.authState.creds.myAppStateKeyId))
  await shop.socket.chatModify({ archive: true, lastMessages: [message] }, message.key.remoteJid ?? '')
  expect(server.unanswered).toEqual([])
})
