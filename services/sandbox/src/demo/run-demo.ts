/** Uses only the public API and the simulated phones. */
import { setTimeout as delay } from 'node:timers/promises'
import type { SimulatedPhone } from '@prosa/contracts/http/simulator'
import type { ControlClient } from '../load/control-client.ts'
import {
  newMessageId,
  type ProductClient,
  type ProductConnection,
  type ProductContact,
  ProductRefusal,
} from '../load/product-client.ts'
import { readQrCode } from '../load/read-qr-code.ts'
import { examplePicture, examplePictureSize } from './example-picture.ts'
import { exampleVoice } from './example-voice.ts'
import { type Line, MORNING, QUICK_REPLIES, type Visit } from './morning.ts'

const SHOP_NAME = 'Padaria Sol'
/** Further accounts get the next numbers. */
const FIRST_SHOP_NUMBER = 5511987650000
const POLL_MS = 150
const TIMEOUT_MS = 60_000

export interface DemoOptions {
  product: ProductClient
  phones: ControlClient
  /** Milliseconds since 1970. */
  now: number
  progress: (sentence: string, done: number, total: number) => void
}

/** The message is shown to the user. */
export class DemoRefusal extends Error {}

interface Shop {
  phone: SimulatedPhone
  connectionId: string
}

async function waitFor<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new DemoRefusal(`${what} em ${TIMEOUT_MS / 1000} segundos. Tente de novo.`)
    await delay(POLL_MS)
  }
}

function freeShopNumber(simulated: SimulatedPhone[]): string {
  for (let number = FIRST_SHOP_NUMBER; ; number++) {
    const phone = simulated.find((candidate) => candidate.number === String(number))
    if (!phone || phone.linkedDevices.length + phone.chats.length === 0) return String(number)
  }
}

async function openShop({ product, phones }: DemoOptions): Promise<Shop> {
  const read = () => product.get<(ProductConnection & { phoneNumber: string | null })[]>('/api/whatsapp/connections')
  const simulated = await phones.phones()
  for (const { id, status, phoneNumber } of await read()) {
    const phone = simulated.find(({ number }) => number === phoneNumber?.replace(/\D/g, ''))
    if (status === 'connected' && phone) return { phone, connectionId: id }
  }
  const phone = await phones.phone(freeShopNumber(simulated), SHOP_NAME)
  const { id } = await product.addConnection(SHOP_NAME)
  let scanned: string | null = null
  return waitFor('A linha da padaria não conectou', async () => {
    const connection = (await read()).find((each) => each.id === id)
    if (connection?.status === 'connected') return { phone, connectionId: id }
    if (connection?.qrCode && connection.qrCode !== scanned) {
      scanned = connection.qrCode
      await phones.scan(phone.id, readQrCode(scanned))
    }
    return undefined
  })
}

async function addQuickReplies({ product }: DemoOptions) {
  for (const reply of QUICK_REPLIES) {
    await product.post('/api/quick-replies', reply).catch((error: unknown) => {
      // The quick reply exists, or this Prosa does not support them.
      if (!(error instanceof ProductRefusal && [404, 409, 422].includes(error.status))) throw error
    })
  }
}

async function sendLine({ phones, now }: DemoOptions, from: SimulatedPhone, to: string, line: Line, quotedId?: string) {
  const about = { at: new Date(now - (line.ago ?? 0) * 60_000).toISOString(), quotedId }
  const send = () => {
    if (line.picture !== undefined) {
      const picture = { kind: 'image' as const, mediaType: 'image/png', caption: line.text, ...examplePictureSize }
      return phones.sendFile(from.id, to, examplePicture(line.picture), { ...picture, ...about })
    }
    if (line.voice) {
      const { bytes, mediaType, seconds, waveform } = exampleVoice
      return phones.sendFile(from.id, to, bytes, {
        kind: 'voice',
        mediaType,
        seconds,
        waveform: waveform.join(),
        ...about,
      })
    }
    return phones.write(from.id, to, { text: line.text ?? '', ...about })
  }
  const { id } = await send()
  await waitFor('Uma mensagem não saiu', async () => {
    const message = (await phones.messages(from.id, to)).find((each) => each.id === id)
    return message && message.status !== 'enviando' ? message : undefined
  })
}

const lastOfShop = ({ phones }: DemoOptions, person: SimulatedPhone, shop: Shop, text?: string) =>
  waitFor('Uma resposta não chegou', async () => {
    const received = (await phones.messages(person.id, shop.phone.number)).filter(({ fromMe }) => !fromMe)
    return text === undefined ? received.at(-1) : received.findLast((message) => message.text === text)
  })

async function before(options: DemoOptions, shop: Shop, visit: Visit): Promise<SimulatedPhone> {
  const person = await options.phones.phone(`5511${visit.number}`, visit.name)
  const known = await options.phones.messages(person.id, shop.phone.number)
  if (known.length > 0) throw new DemoRefusal('A manhã de exemplo já está nesta conta.')
  const end = visit.lines.findIndex(({ by }) => by === 'prosa')
  for (const line of end < 0 ? visit.lines : visit.lines.slice(0, end)) {
    if (line.by === 'phone') await sendLine(options, shop.phone, person.number, line)
    else await sendLine(options, person, shop.phone.number, line)
  }
  return person
}

async function after(options: DemoOptions, shop: Shop, visit: Visit, person: SimulatedPhone, contactId: string) {
  const { product, phones } = options
  if (visit.ends === 'waiting') return
  const setStatus = (status: string) => product.patch(`/api/whatsapp/contacts/${contactId}/status`, { status })
  await setStatus('attending')
  const start = visit.lines.findIndex(({ by }) => by === 'prosa')
  let answer: string | undefined
  for (const line of start < 0 ? [] : visit.lines.slice(start)) {
    if (line.by === 'prosa') {
      const body = { connectionId: shop.connectionId, contactId, message: line.text, messageId: newMessageId() }
      await product.post('/api/whatsapp/send-message', body)
      answer = line.text
      continue
    }
    const received = await lastOfShop(options, person, shop, answer)
    await phones.read(person.id, shop.phone.number)
    if (line.reaction) await phones.react(person.id, shop.phone.number, received.id, line.reaction)
    else await sendLine(options, person, shop.phone.number, line, line.quotes ? received.id : undefined)
  }
  if (answer !== undefined) await lastOfShop(options, person, shop, answer)
  if (visit.ends === 'resolved') await setStatus('resolved')
}

export async function runDemo(options: DemoOptions) {
  const { product, progress } = options
  const total = 2 * MORNING.length + 1
  progress('Abrindo a padaria…', 0, total)
  const shop = await openShop(options)
  await addQuickReplies(options)
  const people = new Map<Visit, SimulatedPhone>()
  const visits = MORNING.toSorted((a, b) => (b.lines[0]?.ago ?? 0) - (a.lines[0]?.ago ?? 0))
  for (const visit of visits) {
    progress(`${visit.name} escreve…`, 1 + people.size, total)
    people.set(visit, await before(options, shop, visit))
  }
  const contacts = await waitFor('Nem todas as conversas chegaram ao Prosa', async () => {
    const found = new Map<string, string>()
    for (const status of ['waiting', 'attending', 'resolved']) {
      for await (const page of product.pages<ProductContact>(`/api/whatsapp/contacts?status=${status}`)) {
        for (const { id, phone } of page) if (phone) found.set(phone.replace(/\D/g, ''), id)
      }
    }
    return visits.every((visit) => found.has(`5511${visit.number}`)) ? found : undefined
  })
  for (const [index, visit] of visits.entries()) {
    progress(`Atendendo ${visit.name}…`, 1 + visits.length + index, total)
    const person = people.get(visit)
    const contactId = contacts.get(`5511${visit.number}`)
    if (person && contactId) await after(options, shop, visit, person, contactId)
  }
  progress('Pronto: a manhã da padaria está no atendimento.', total, total)
}
