import { gif, png } from '@prosa/kernel/testing/hostile-pictures'
import { proto, type WAMessage } from '@whiskeysockets/baileys'
import { describe, expect, it } from 'vitest'
import { jpeg } from '../../media/testing/files.ts'
import { arrivalOf } from './arrival.ts'

const now = new Date('2026-11-21T14:00:00.000Z')
const key = {
  remoteJid: '122791454297318:7@lid',
  remoteJidAlt: '5511900000002@s.whatsapp.net',
  id: '3EB0',
  fromMe: false,
}
const fileId = (...parts: unknown[]) => `file of ${parts.join(' ')}`
const arrival = (message: proto.IMessage | undefined, changes: Partial<WAMessage> = {}) =>
  arrivalOf(
    { key, message, messageTimestamp: 1_795_269_600, pushName: 'Ana', ...changes },
    { via: 'notify', now, fileId },
  )
const arrived = (message: proto.IMessage | undefined, changes: Partial<WAMessage> = {}) => {
  const found = arrival(message, changes)
  return found?.type === 'RecordArrival' ? found.data : undefined
}
const text = { kind: 'text', text: 'oi' }
const mediaKey = Buffer.alloc(32, 7)
const theirs = { remoteJid: '1636@lid', fromMe: true, id: 'OLD' }
const ours = { ...theirs, fromMe: false }
const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type

describe('a WhatsApp message', () => {
  it('is of a person, not of one of their devices', () => {
    expect(arrived({ conversation: 'oi' })).toMatchObject({
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
  ])('is text when it is %s', (_, message) => expect(arrived(message)?.content).toEqual(text))

  it.each<[string, proto.IMessage]>([
    ['imageMessage', { imageMessage: { caption: 'a picture without the key that opens it' } }],
    ['imageMessage', { viewOnceMessageV2: { message: { imageMessage: {} } } }],
    ['documentMessage', { documentWithCaptionMessage: { message: { documentMessage: {} } } }],
    ['audioMessage', { messageContextInfo: {}, audioMessage: {} }],
    ['pollCreationMessageV3', { pollCreationMessageV3: {} }],
    ['unreadable', { unreadable: true } as proto.IMessage],
  ])('is named when it is %s', (type, message) =>
    expect(arrived(message)?.content).toEqual({ kind: 'unsupported', type }),
  )

  it('is named when only the phone may open it', () => {
    const content = arrived(undefined, { key: { ...key, isViewOnce: true } })?.content
    expect(content).toEqual({ kind: 'unsupported', type: 'viewOnceMessage' })
  })

  it.each<[string, proto.IMessage | undefined]>([
    ['nothing', undefined],
    ['keys alone', { senderKeyDistributionMessage: {}, messageContextInfo: {} }],
    ['a vote', { pollUpdateMessage: {} }],
    ['a setting', { protocolMessage: { type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING } }],
    ['a share of keys', { protocolMessage: { type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE } }],
  ])('is none when it is %s', (_, message) => expect(arrival(message)).toBeUndefined())

  it('is none when it could not be decrypted, or is for this device alone', () => {
    expect(arrival({ conversation: 'oi' }, { messageStubType: 2 })).toBeUndefined()
    expect(arrival({ conversation: 'oi' }, { category: 'peer' })).toBeUndefined()
  })

  it.each(['120363@g.us', 'status@broadcast', '123@newsletter', '867051314767696@bot', '0@s.whatsapp.net@g.us', ''])(
    'is none of ours in %s',
    (remoteJid) => expect(arrival({ conversation: 'oi' }, { key: { ...key, remoteJid } })).toBeUndefined(),
  )

  it('has the time of WhatsApp, and ours where WhatsApp gives none that can be', () => {
    expect(arrived({ conversation: 'oi' })?.sentAt).toBe('2026-11-21T14:00:00.000Z')
    for (const messageTimestamp of [undefined, null, 0, -5, 1e15])
      expect(arrived({ conversation: 'oi' }, { messageTimestamp })?.sentAt).toBe(now.toISOString())
  })

  it('is kept whole, unless it is larger than the log takes', () => {
    const whole = arrived({ conversation: 'oi', messageContextInfo: { messageSecret: Buffer.alloc(32, 1) } })
    const raw = proto.WebMessageInfo.decode(Buffer.from(whole?.raw ?? '', 'base64'))
    expect(Buffer.from(raw.message?.messageContextInfo?.messageSecret ?? [])).toEqual(Buffer.alloc(32, 1))
    const large = arrived({ imageMessage: { mediaKey, jpegThumbnail: Buffer.alloc(600_000) } })
    expect(large).toMatchObject({ raw: '', content: { kind: 'image', preview: null } })
    expect(arrived({ conversation: 'x'.repeat(900_000) })?.content).toEqual({ kind: 'text', text: 'x'.repeat(65_536) })
  })
})

describe('a file that arrives', () => {
  const chat = { url: 'https://mmg.whatsapp.net/x', directPath: '/v/x', mediaKey, fileSha256: Buffer.alloc(32, 8) }
  const file = (mimetype: string) => ({
    id: 'file of 122791454297318@lid 3EB0 false',
    mediaType: mimetype,
    bytes: 1234,
    source: {
      mediaKey: mediaKey.toString('base64'),
      directPath: '/v/x',
      url: 'https://mmg.whatsapp.net/x',
      fileSha256: Buffer.alloc(32, 8).toString('base64'),
    },
  })
  const media = (mimetype: string) => ({ ...chat, mimetype, fileLength: 1234 })
  const thumbnail = jpeg
  const preview = thumbnail.toString('base64')

  it.each([
    ['a GIF of 40 megapixels', gif(6300, 6300)],
    ['a PNG', png(9, 9)],
    ['a JPEG that claims 65,500 pixels a side', Buffer.from('ffd8ffc0000b08ffdcffdc01011100ffd9', 'hex')],
    ['a JPEG that hides its size', Buffer.concat([Buffer.from('ffd8ffe1ffff', 'hex'), Buffer.alloc(12_000)])],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="https://evil.example/x"/></svg>')],
    ['more than 12 kB', Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(12_288), jpeg.subarray(-2)])],
  ])('has no preview where its sender’s is %s', (_, jpegThumbnail) => {
    for (const message of [
      { imageMessage: { ...media('image/jpeg'), jpegThumbnail } },
      { videoMessage: { ...media('video/mp4'), jpegThumbnail } },
    ])
      expect(arrived(message)?.content).toMatchObject({ preview: null, file: { bytes: 1234 } })
  })

  it.each<[string, proto.IMessage, object]>([
    [
      'a picture',
      {
        imageMessage: { ...media('image/png'), caption: 'o cardápio', width: 30, height: 20, jpegThumbnail: thumbnail },
      },
      { kind: 'image', file: file('image/png'), caption: 'o cardápio', width: 30, height: 20, preview },
    ],
    [
      'a picture to be seen once',
      { viewOnceMessageV2: { message: { imageMessage: media('image/jpeg') } } },
      { kind: 'image', file: file('image/jpeg'), caption: '', width: null, height: null, preview: null },
    ],
    [
      'a film',
      { videoMessage: { ...media('video/mp4'), seconds: 9, width: 0 } },
      { kind: 'video', file: file('video/mp4'), caption: '', seconds: 9, width: null, height: null, preview: null },
    ],
    [
      'a round film',
      { ptvMessage: media('video/mp4') },
      { kind: 'video', file: file('video/mp4'), caption: '', seconds: null, width: null, height: null, preview: null },
    ],
    [
      'a voice note',
      { audioMessage: { ...media('audio/ogg; codecs=opus'), ptt: true, seconds: 3, waveform: Buffer.from([0, 100]) } },
      {
        kind: 'audio',
        file: file('audio/ogg; codecs=opus'),
        voice: true,
        seconds: 3,
        waveform: Buffer.from([0, 100]).toString('base64'),
      },
    ],
    [
      'a piece of music',
      { audioMessage: media('audio/mpeg') },
      { kind: 'audio', file: file('audio/mpeg'), voice: false, seconds: null, waveform: null },
    ],
    [
      'a document with a caption',
      {
        documentWithCaptionMessage: {
          message: { documentMessage: { ...media('application/pdf'), fileName: 'nota.pdf', caption: 'segue' } },
        },
      },
      { kind: 'document', file: file('application/pdf'), fileName: 'nota.pdf', caption: 'segue' },
    ],
    [
      'a sticker',
      { stickerMessage: { ...media('image/webp'), isAnimated: true, width: 512, height: 512 } },
      { kind: 'sticker', file: file('image/webp'), animated: true, width: 512, height: 512 },
    ],
    [
      'a sticker that moves by itself',
      { lottieStickerMessage: { message: { stickerMessage: { ...media('application/was'), isLottie: true } } } },
      { kind: 'sticker', file: file('application/was'), animated: true, width: null, height: null },
    ],
  ])('is read whole: %s', (_, message, content) => expect(arrived(message)?.content).toEqual(content))

  it('may lie about everything and still fits what we record', () => {
    const content = arrived({
      imageMessage: {
        mediaKey,
        fileLength: -1 as never,
        url: 'javascript:alert(1)',
        width: 4_000_000_000,
        mimetype: '',
      },
    })?.content
    expect(content).toMatchObject({ kind: 'image', width: null, file: { bytes: 0, mediaType: 'image/jpeg' } })
    expect(content).toMatchObject({ file: { source: { url: null, directPath: null, fileSha256: null } } })
  })
})

describe('an answer that quotes', () => {
  const answering = (quotedMessage: proto.IMessage) =>
    arrived({ extendedTextMessage: { text: 'oi', contextInfo: { stanzaId: 'OLD', quotedMessage } } })?.content

  it.each<[string, proto.IMessage]>([
    ['Duas linhas', { conversation: 'Duas\n\n  linhas ' }],
    ['o cardápio', { imageMessage: { caption: 'o cardápio' } }],
    ['Foto', { imageMessage: {} }],
    ['Vídeo', { ptvMessage: {} }],
    ['Mensagem de voz', { audioMessage: { ptt: true } }],
    ['Áudio', { audioMessage: {} }],
    ['nota.pdf', { documentMessage: { fileName: 'nota.pdf' } }],
    ['Figurinha', { stickerMessage: {} }],
    ['Localização', { locationMessage: {} }],
    ['Contato', { contactMessage: {} }],
    ['Mensagem', { pollCreationMessageV3: {} }],
  ])('shows in one line what it answers: %s', (shown, quoted) =>
    expect(answering(quoted)).toEqual({ ...text, quoted: { messageId: 'OLD', text: shown } }),
  )

  it('may be a picture, and quotes nothing that has no id', () => {
    const contextInfo = { stanzaId: 'OLD', quotedMessage: { conversation: 'antes' } }
    expect(arrived({ imageMessage: { mediaKey, contextInfo } })?.content).toMatchObject({
      quoted: { messageId: 'OLD', text: 'antes' },
    })
    const content = arrived({ extendedTextMessage: { text: 'oi', contextInfo: { isForwarded: true } } })?.content
    expect(content).toEqual(text)
  })
})

describe('an update of a message', () => {
  const about = {
    chatJid: '122791454297318@lid',
    alternateJid: '5511900000002@s.whatsapp.net',
    fromMe: false,
    messageId: 'OLD',
  }
  const edited = { type: MESSAGE_EDIT, editedMessage: { conversation: 'corrigido' }, timestampMs: 1_795_269_601_234 }
  const editedAt = '2026-11-21T14:00:01.234Z'

  it('may be an edit, however it is wrapped', () => {
    const data = { ...about, editId: '3EB0', editedAt, content: { kind: 'text', text: 'corrigido' } }
    const protocolMessage = { ...edited, key: theirs }
    for (const message of [{ protocolMessage }, { editedMessage: { message: { protocolMessage } } }])
      expect(arrival(message)).toEqual({ type: 'RecordEdit', data })
  })

  it('may be an edit of a caption, which keeps its file', () => {
    const editedMessage = { imageMessage: { mediaKey, caption: 'corrigido' } }
    const found = arrival({ protocolMessage: { ...edited, editedMessage, key: theirs } })
    expect(found).toMatchObject({
      data: { content: { caption: 'corrigido', file: { id: 'file of 122791454297318@lid OLD false' } } },
    })
  })

  it('may be a deletion', () => {
    const data = { ...about, deletionId: '3EB0', deletedAt: '2026-11-21T14:00:00.000Z' }
    expect(arrival({ protocolMessage: { type: REVOKE, key: theirs } })).toEqual({ type: 'RecordDeletion', data })
  })

  it('is nothing when somebody wants to change what another wrote, or nothing that has an id', () => {
    for (const target of [ours, { ...theirs, id: '' }, { ...theirs, id: 'a b' }, undefined])
      for (const type of [MESSAGE_EDIT, REVOKE])
        expect(arrival({ protocolMessage: { ...edited, type, key: target } })).toBeUndefined()
  })

  it('may be a reaction to either side’s message, or its end', () => {
    const senderTimestampMs = 1_795_269_601_234
    const data = { ...about, reactionId: '3EB0', reactedAt: editedAt, emoji: '👍' }
    for (const target of [ours, theirs])
      expect(arrival({ reactionMessage: { key: target, text: '👍', senderTimestampMs } })).toEqual({
        type: 'RecordReaction',
        data,
      })
    expect(arrival({ reactionMessage: { key: ours, text: '', senderTimestampMs } })).toMatchObject({
      data: { emoji: null },
    })
    expect(arrival({ reactionMessage: { key: ours, text: 'x'.repeat(65) } })).toBeUndefined()
  })
})
