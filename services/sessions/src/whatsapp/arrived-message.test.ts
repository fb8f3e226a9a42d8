import { proto, type WAMessage } from '@whiskeysockets/baileys'
import { describe, expect, it } from 'vitest'
import { arrivedMessage } from './arrived-message.ts'

const now = new Date('2026-11-21T14:00:00.000Z')
const key = {
  remoteJid: '122791454297318:7@lid',
  remoteJidAlt: '5511900000002@s.whatsapp.net',
  id: '3EB0',
  fromMe: false,
}
const heard = (message: proto.IMessage | undefined, changes: Partial<WAMessage> = {}) =>
  arrivedMessage({ key, message, messageTimestamp: 1_795_269_600, pushName: 'Ana', ...changes }, 'notify', now)
const text = { kind: 'text', text: 'oi' }

describe('a WhatsApp message', () => {
  it('is of a person, not of one of their devices', () => {
    expect(heard({ conversation: 'oi' })).toMatchObject({
      chatJid: '122791454297318@lid',
      alternateJid: '5511900000002@s.whatsapp.net',
      content: text,
    })
  })

  it.each<[string, proto.IMessage]>([
    ['plain', { conversation: 'oi' }],
    ['formatted', { extendedTextMessage: { text: 'oi' } }],
    ['disappearing', { ephemeralMessage: { message: { extendedTextMessage: { text: 'oi' } } } }],
    ['with keys beside it', { conversation: 'oi', messageContextInfo: {}, senderKeyDistributionMessage: {} }],
  ])('is text when it is %s', (_, message) => expect(heard(message)?.content).toEqual(text))

  it.each<[string, proto.IMessage]>([
    ['imageMessage', { imageMessage: { caption: 'foto' } }],
    ['imageMessage', { viewOnceMessageV2: { message: { imageMessage: {} } } }],
    ['documentMessage', { documentWithCaptionMessage: { message: { documentMessage: {} } } }],
    ['audioMessage', { messageContextInfo: {}, audioMessage: {} }],
    ['pollCreationMessageV3', { pollCreationMessageV3: {} }],
  ])('is named when it is %s', (type, message) =>
    expect(heard(message)?.content).toEqual({ kind: 'unsupported', type }),
  )

  it.each<[string, proto.IMessage | undefined]>([
    ['nothing', undefined],
    ['a reaction', { reactionMessage: { text: '👍' } }],
    ['an edit', { editedMessage: { message: { protocolMessage: { type: 14 } } } }],
    ['a deletion', { protocolMessage: { type: 0 } }],
    ['keys alone', { senderKeyDistributionMessage: {}, messageContextInfo: {} }],
    ['a vote', { pollUpdateMessage: {} }],
  ])('is none when it is %s', (_, message) => expect(heard(message)).toBeUndefined())

  it('is none when it could not be decrypted, or is for this device alone', () => {
    expect(heard({ conversation: 'oi' }, { messageStubType: 2 })).toBeUndefined()
    expect(heard({ conversation: 'oi' }, { category: 'peer' })).toBeUndefined()
  })

  it.each(['120363@g.us', 'status@broadcast', '123@newsletter', '867051314767696@bot', '0@s.whatsapp.net@g.us', ''])(
    'is none of ours in %s',
    (remoteJid) => expect(heard({ conversation: 'oi' }, { key: { ...key, remoteJid } })).toBeUndefined(),
  )

  it('has the time of WhatsApp, and ours where WhatsApp gives none that can be', () => {
    expect(heard({ conversation: 'oi' })?.sentAt).toBe('2026-11-21T14:00:00.000Z')
    for (const messageTimestamp of [undefined, null, 0, -5, 1e15])
      expect(heard({ conversation: 'oi' }, { messageTimestamp })?.sentAt).toBe(now.toISOString())
  })

  it('is kept whole, unless it is larger than the log takes', () => {
    const whole = heard({ conversation: 'oi', messageContextInfo: { messageSecret: Buffer.alloc(32, 1) } })
    const raw = proto.WebMessageInfo.decode(Buffer.from(whole?.raw ?? '', 'base64'))
    expect(Buffer.from(raw.message?.messageContextInfo?.messageSecret ?? [])).toEqual(Buffer.alloc(32, 1))
    expect(heard({ imageMessage: { jpegThumbnail: Buffer.alloc(600_000) } })).toMatchObject({ raw: '' })
  })
})
