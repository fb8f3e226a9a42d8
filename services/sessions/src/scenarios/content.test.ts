import { fileOf, type MessageContent } from '@prosa/contracts/values/message-content'
import { claimingSize, gif, png as pngOf } from '@prosa/kernel/testing/hostile-pictures'
import { until } from '@prosa/kernel/testing/until'
import type { IncomingMessage } from '@prosa/sandbox/phone/phone-events'
import type { proto } from '@whiskeysockets/baileys'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jpeg } from '../media/testing/files.ts'
import { openShop, type Shop } from '../testing/shop.ts'

let shop: Shop
let id: string
let before: number
let arrivals: IncomingMessage[]

beforeAll(async () => {
  shop = await openShop()
  await shop.start()
  id = (await shop.link()).connectionId
  shop.ana.on('message', (message) => arrivals.push(message))
})
afterAll(() => shop.close())
beforeEach(async () => {
  before = (await shop.lineEvents(id)).length
  arrivals = []
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const voice = Buffer.from('OggS and what somebody said')
const waveform = Buffer.from(Array.from({ length: 64 }, (_, index) => index))

const arrivalsOf = async () => (await shop.lineEvents(id)).slice(before).filter(({ type }) => type.endsWith('Arrived'))
const nextArrival = () => until(async () => (await arrivalsOf())[0])
const arrived = async (): Promise<MessageContent> => {
  const event = await nextArrival()
  if (event.type !== 'MessageArrived') throw new Error(`${event.type} arrived`)
  return event.data.content
}
const fateIs = (messageId: string, last: string) => until(async () => (await shop.fate(id, messageId)).at(-1) === last)
const opened = (content: MessageContent) => {
  const source = fileOf(content)?.source
  if (!source || content.kind === 'text' || content.kind === 'unsupported') throw new Error('there is no file')
  return shop.server.media.decrypt({ ...source, mediaKey: Buffer.from(source.mediaKey, 'base64') }, content.kind)
}
const received = async (messageId: string) => {
  await fateIs(messageId, 'delivered')
  const found = arrivals.find((message) => message.id === messageId)
  if (!found) throw new Error('it did not reach Ana')
  return found
}

describe('what Ana sends', () => {
  test('may be meant to bring somebody down: each is recorded, and the line goes on', async () => {
    const pictures = [
      gif(6300, 6300),
      pngOf(30_000, 30_000, { lines: 1 }),
      claimingSize(jpeg, 65_500, 65_500),
      jpeg.subarray(0, 9),
    ]
    for (const data of pictures) {
      const details = { mimetype: 'image/jpeg', width: 2 ** 31, height: 2 ** 31, jpegThumbnail: gif(6300, 6300) }
      await shop.ana.sendMedia(shop.phone.number, 'image', data, details)
      await shop.ana.sendMedia(shop.phone.number, 'sticker', data, details)
    }
    await shop.ana.sendText(shop.phone.number, 'e agora?')
    const found = await until(async () => {
      const all = await arrivalsOf()
      return all.length === 2 * pictures.length + 1 && all
    })
    const contents = found.map((event) => event.type === 'MessageArrived' && event.data.content)
    expect(contents.at(-1)).toEqual({ kind: 'text', text: 'e agora?' })
    for (const content of contents.slice(0, -1)) expect(content).toMatchObject({ width: null, height: null })
    for (const content of contents) expect(content && 'preview' in content && content.preview).toBeFalsy()
    for (const [at, data] of pictures.entries())
      expect(contents[2 * at]).toMatchObject({ kind: 'image', file: { bytes: data.length } })
  })

  test('may be a picture, with everything that opens it', async () => {
    const jpegThumbnail = jpeg
    const details = { mimetype: 'image/png', caption: 'este aqui', width: 40, height: 30, jpegThumbnail }
    await shop.ana.sendMedia(shop.phone.number, 'image', png, details)
    const content = await arrived()
    expect(content).toMatchObject({
      kind: 'image',
      caption: 'este aqui',
      width: 40,
      height: 30,
      preview: jpegThumbnail.toString('base64'),
      file: { mediaType: 'image/png', bytes: png.length },
    })
    expect(await opened(content)).toEqual(png)
  })

  test('may be a voice note', async () => {
    const details = { mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 4, waveform }
    await shop.ana.sendMedia(shop.phone.number, 'audio', voice, details)
    const content = await arrived()
    expect(content).toMatchObject({ kind: 'audio', voice: true, seconds: 4, waveform: waveform.toString('base64') })
    expect(await opened(content)).toEqual(voice)
  })

  test('may be a document, or a sticker', async () => {
    const details = { mimetype: 'text/plain', fileName: 'lista.txt', caption: 'minha lista' }
    await shop.ana.sendMedia(shop.phone.number, 'document', voice, details)
    expect(await arrived()).toMatchObject({ kind: 'document', fileName: 'lista.txt', caption: 'minha lista' })
    before = (await shop.lineEvents(id)).length
    await shop.ana.sendMedia(shop.phone.number, 'sticker', png, { mimetype: 'image/webp', width: 512, height: 512 })
    expect(await arrived()).toMatchObject({ kind: 'sticker', animated: false, width: 512 })
  })

  test('may answer a message', async () => {
    const { messageId } = await shop.queue(id, 'Pão ou bolo?')
    await fateIs(messageId, 'delivered')
    before = (await shop.lineEvents(id)).length
    const contextInfo = shop.ana.quote({ id: messageId, from: shop.phone.number, text: 'Pão ou bolo?' })
    await shop.ana.send(shop.phone.number, { extendedTextMessage: { text: 'Bolo!', contextInfo } })
    expect(await arrived()).toEqual({ kind: 'text', text: 'Bolo!', quoted: { messageId, text: 'Pão ou bolo?' } })
  })

  test('may be changed and taken back by her, once each however often it is repeated', async () => {
    const messageId = await shop.ana.sendText(shop.phone.number, 'amanha')
    await arrived()
    shop.server.faults.loseReceipts = 1
    const editId = await shop.ana.editMessage(shop.phone.number, messageId, 'amanhã')
    await until(() => shop.server.faults.loseReceipts === 0)
    const [device] = shop.phone.companions()
    if (device) shop.server.dropConnection(device)
    await until(() => device?.inbox.size === 0)
    const deletionId = await shop.ana.deleteMessage(shop.phone.number, messageId)
    const about = { messageId, chatJid: shop.ana.account.jid('lid'), fromMe: false }
    await until(async () => (await arrivalsOf()).at(-1)?.type === 'DeletionArrived')
    expect(await arrivalsOf()).toMatchObject([
      { type: 'MessageArrived' },
      { type: 'EditArrived', data: { ...about, editId, content: { kind: 'text', text: 'amanhã' } } },
      { type: 'DeletionArrived', data: { ...about, deletionId } },
    ])
  })

  test('changes nothing that we wrote', async () => {
    const { messageId } = await shop.queue(id, 'Custa 12,50')
    await fateIs(messageId, 'delivered')
    before = (await shop.lineEvents(id)).length
    await shop.ana.editMessage(shop.phone.number, messageId, 'Custa 2,50')
    await shop.ana.deleteMessage(shop.phone.number, messageId)
    await shop.ana.sendText(shop.phone.number, 'então?')
    expect(await arrived()).toMatchObject({ text: 'então?' })
  })

  test('may be a reaction, and its end', async () => {
    const { messageId } = await shop.queue(id, 'Está pronto!')
    await fateIs(messageId, 'delivered')
    before = (await shop.lineEvents(id)).length
    const target = { id: messageId, from: shop.phone.number }
    const reactionId = await shop.ana.react(shop.phone.number, target, '❤️')
    expect(await nextArrival()).toMatchObject({
      type: 'ReactionArrived',
      data: { messageId, reactionId, emoji: '❤️', fromMe: false },
    })
    await shop.ana.react(shop.phone.number, target, null)
    await until(async () => (await arrivalsOf()).length === 2)
    expect((await arrivalsOf())[1]).toMatchObject({ type: 'ReactionArrived', data: { messageId, emoji: null } })
  })
})

describe('what we send', () => {
  test('may be a picture', async () => {
    const preview = jpeg.toString('base64')
    const file = await shop.upload(png, 'image/png')
    const content = { kind: 'image' as const, file, caption: 'o bolo', width: 40, height: 30, preview }
    const { messageId } = await shop.queueContent(id, content)
    const { message, text } = await received(messageId)
    expect(text).toBe('o bolo')
    expect(await shop.ana.download(message)).toEqual(png)
    const { imageMessage } = message
    expect(imageMessage).toMatchObject({ mimetype: 'image/png', width: 40, height: 30 })
    expect(Buffer.from(imageMessage?.jpegThumbnail ?? []).toString('base64')).toBe(preview)
    expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
  })

  test('may be a voice note', async () => {
    const file = await shop.upload(voice, 'audio/ogg')
    const content = { kind: 'audio' as const, file, voice: true, seconds: 7, waveform: waveform.toString('base64') }
    const { message } = await received((await shop.queueContent(id, content)).messageId)
    expect(await shop.ana.download(message)).toEqual(voice)
    const { audioMessage } = message
    expect(audioMessage).toMatchObject({ ptt: true, seconds: 7, mimetype: 'audio/ogg; codecs=opus' })
    expect(Buffer.from(audioMessage?.waveform ?? [])).toEqual(waveform)
  })

  test('may be a document, a sticker or a film', async () => {
    const document = await shop.upload(voice, 'application/pdf')
    const sticker = await shop.upload(png, 'image/webp')
    const film = await shop.upload(voice, 'video/mp4')
    const to = { contactId: '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22' }
    const contents: MessageContent[] = [
      { kind: 'document', file: document, fileName: 'nota.pdf', caption: 'segue' },
      { kind: 'sticker', file: sticker, animated: true },
      { kind: 'video', file: film, caption: 'veja', seconds: 3 },
    ]
    const ids: string[] = []
    for (const content of contents) ids.push((await shop.queueContent(id, content, to)).messageId)
    await until(() => arrivals.length === 3)
    expect(arrivals.map((message) => message.id)).toEqual(ids)
    const [first, second, third] = arrivals.map(({ message }) => message)
    expect(first?.documentMessage).toMatchObject({
      fileName: 'nota.pdf',
      caption: 'segue',
      mimetype: 'application/pdf',
    })
    expect(second?.stickerMessage).toMatchObject({ isAnimated: true, mimetype: 'image/webp' })
    expect(third?.videoMessage).toMatchObject({ caption: 'veja', seconds: 3, mimetype: 'video/mp4' })
    for (const message of [first, second, third]) expect(await shop.ana.download(message ?? {})).toBeInstanceOf(Buffer)
  })

  test('may answer a message of either side', async () => {
    const asked = await shop.ana.sendText(shop.phone.number, 'Abrem domingo?')
    await arrived()
    const quoted = { messageId: asked, text: 'Abrem domingo?' }
    const answer = await received((await shop.queueContent(id, { kind: 'text', text: 'Sim', quoted })).messageId)
    expect(answer.message.extendedTextMessage).toMatchObject({
      text: 'Sim',
      contextInfo: {
        stanzaId: asked,
        participant: shop.ana.account.jid('lid'),
        quotedMessage: { conversation: 'Abrem domingo?' },
      },
    })
    const file = await shop.upload(png, 'image/png')
    const own = { messageId: answer.id, text: 'Sim' }
    const picture = await received(
      (await shop.queueContent(id, { kind: 'image', file, caption: '', quoted: own })).messageId,
    )
    expect(picture.message.imageMessage?.contextInfo).toMatchObject({
      stanzaId: answer.id,
      participant: shop.phone.account.jid('lid'),
    })
  })

  test('may be a reaction, and its end', async () => {
    const messageId = await shop.ana.sendText(shop.phone.number, 'Obrigada!')
    await arrived()
    for (const emoji of ['🙏', null]) {
      const reactionId = await shop.react(id, { messageId, toOwn: false, emoji })
      const { message } = await received(reactionId)
      expect(message.reactionMessage).toMatchObject({ key: { id: messageId, fromMe: false }, text: emoji ?? '' })
    }
    expect((await arrivalsOf()).filter(({ type }) => type === 'ReactionArrived')).toEqual([])
  })

  test('is the very same for a device that could not read it, and for one that the server lost', async () => {
    const file = await shop.upload(png, 'image/png')
    shop.ana.failNext()
    const copies = new Map<string, proto.IMessage>()
    shop.phone.on('message', (copy) => copies.set(copy.id, copy.message))
    const { messageId } = await shop.queueContent(id, { kind: 'image', file, caption: 'de novo' })
    const { message } = await received(messageId)
    const onThePhone = await until(() => copies.get(messageId))
    expect(Buffer.from(message.imageMessage?.mediaKey ?? [])).toEqual(
      Buffer.from(onThePhone.imageMessage?.mediaKey ?? []),
    )
    expect(message.imageMessage?.url).toBe(onThePhone.imageMessage?.url)
    shop.server.faults.loseMessages = 1
    const lost = await shop.queueContent(id, { kind: 'image', file, caption: 'perdida' })
    await received(lost.messageId)
    expect(arrivals.filter((each) => each.id === lost.messageId)).toHaveLength(1)
  })

  test('fails when its file is gone, and the next one goes on', async () => {
    const file = { ...(await shop.upload(png, 'image/png')), id: '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a23' }
    const missing = await shop.queueContent(id, { kind: 'image', file, caption: '' })
    const next = await shop.queue(id, 'sem foto')
    await fateIs(missing.messageId, 'failed media_missing')
    await fateIs(next.messageId, 'delivered')
  })

  test('fails when WhatsApp takes no file, and holds up nobody else meanwhile', async () => {
    const file = await shop.upload(png, 'image/png')
    const { media } = shop.server
    const take = media.store
    media.store = () => {
      throw new Error('made to fail')
    }
    try {
      const stuck = await shop.queueContent(id, { kind: 'image', file, caption: '' })
      const behind = await shop.queueContent(id, { kind: 'text', text: 'atrás' }, { contactId: stuck.contactId })
      const other = await shop.queue(id, 'para outra pessoa')
      await fateIs(other.messageId, 'delivered')
      await fateIs(stuck.messageId, 'failed media_not_sent')
      await fateIs(behind.messageId, 'delivered')
      expect(arrivals.map(({ text }) => text)).toEqual(['para outra pessoa', 'atrás'])
    } finally {
      media.store = take
    }
  })
})
