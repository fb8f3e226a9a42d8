import type { MessageContent } from '@prosa/contracts/values/message-content'
import { until } from '@prosa/kernel/testing/until'
import type { Correction, IncomingMessage } from '@prosa/sandbox/phone/phone-events'
import type { Device } from '@prosa/sandbox/server/directory'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../testing/shop.ts'

let shop: Shop
let id: string
let device: Device
let received: IncomingMessage[]
let corrected: Correction[]
let onThePhone: Correction[]

beforeAll(async () => {
  shop = await openShop()
  await shop.start()
  const linked = await shop.link()
  id = linked.connectionId
  device = linked.device
  shop.ana.on('message', (message) => received.push(message))
  shop.ana.on('correction', (correction) => corrected.push(correction))
  shop.phone.on('correction', (correction) => onThePhone.push(correction))
})
afterAll(() => shop.close())
beforeEach(() => {
  received = []
  corrected = []
  onThePhone = []
})

const text = (words: string): MessageContent => ({ kind: 'text', text: words })
const fateIs = (messageId: string, last: string) => until(async () => (await shop.fate(id, messageId)).at(-1) === last)
const wordsOf = ({ message }: Correction) => message?.extendedTextMessage?.text ?? (message ? 'no text' : null)

describe('what we change about a message of ours', () => {
  test('reaches the contact and the own phone, once, and changes nothing when it is repeated', async () => {
    const sent = await shop.queue(id, 'às 7h')
    await fateIs(sent.messageId, 'delivered')
    const edit = await shop.correct(sent, text('às 8h'))
    await fateIs(edit, 'delivered')
    const deletion = await shop.correct(sent, null)
    await fateIs(deletion, 'delivered')
    const both = [
      [sent.messageId, 'às 8h'],
      [sent.messageId, null],
    ]
    expect(corrected.map((each) => [each.id, wordsOf(each)])).toEqual(both)
    await until(() => onThePhone.length === 2)
    expect(onThePhone.map((each) => [each.id, wordsOf(each)])).toEqual(both)
    expect((await shop.lineEvents(id)).filter(({ type }) => type.endsWith('Arrived'))).toEqual([])
  })

  test('waits while the line is away, and leaves in order after the message', async () => {
    shop.server.faults.refuseLogins = ['503', '503']
    shop.server.dropConnection(device)
    await until(async () => (await shop.connectionEvents(id)).at(-1) === 'LineDropped')
    const opened = (await shop.connectionEvents(id)).filter((type) => type === 'LineOpened').length
    const sent = await shop.queue(id, 'primeiro')
    const edit = await shop.correct(sent, text('depois'))
    const last = await shop.correct(sent, text('por fim'))
    await shop.opened(id, opened + 1)
    await fateIs(last, 'delivered')
    expect(await shop.fate(id, edit)).toEqual(['dispatched', 'delivered'])
    expect(received.map((message) => message.id)).toEqual([sent.messageId])
    expect(corrected.map((each) => [each.id, wordsOf(each)])).toEqual([
      [sent.messageId, 'depois'],
      [sent.messageId, 'por fim'],
    ])
  })

  test('may be a caption, which goes with its whole message', async () => {
    const bytes = Buffer.from('a picture, as far as anybody looks')
    const file = await shop.upload(bytes, 'image/png')
    const content = { kind: 'image' as const, file, caption: 'o bolo', width: 40, height: 30 }
    const sent = await shop.queueContent(id, content)
    await fateIs(sent.messageId, 'delivered')
    await fateIs(await shop.correct(sent, { ...content, caption: 'o bolo de morango' }), 'delivered')
    const [edit] = corrected
    expect(edit?.message?.imageMessage).toMatchObject({ caption: 'o bolo de morango', width: 40, height: 30 })
    expect(await shop.ana.download(edit?.message ?? {})).toEqual(bytes)
  })

  test('is given up when its time is over, or when the message itself never left', async () => {
    const sent = await shop.queue(id, 'ontem')
    await fateIs(sent.messageId, 'delivered')
    const past = new Date(Date.now() - 1000).toISOString()
    await fateIs(await shop.correct(sent, text('hoje'), past), 'failed correction_too_late')
    shop.server.faults.refuseMessages = ['463']
    const refused = await shop.queue(id, 'não vai')
    await fateIs(refused.messageId, 'failed 463')
    await fateIs(await shop.correct(refused, null), 'failed original_not_sent')
    expect(corrected).toEqual([])
  })

  test('fails when WhatsApp refuses it', async () => {
    const sent = await shop.queue(id, 'aqui')
    await fateIs(sent.messageId, 'delivered')
    shop.server.faults.refuseMessages = ['463']
    await fateIs(await shop.correct(sent, text('lá')), 'failed 463')
  })
})
