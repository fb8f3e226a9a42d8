import { setTimeout as delay } from 'node:timers/promises'
import { closedNow } from '@prosa/contacts/testing/closed-now'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'
import type { Connection } from '@prosa/contracts/http/connections'
import type { Flow } from '@prosa/contracts/http/flows'
import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import type { MessageAccepted } from '@prosa/contracts/http/messages'
import { until } from '@prosa/kernel/testing/until'
import type { Phone } from '@prosa/sandbox/phone/phone'
import { readQrCode } from '@prosa/sessions/testing/read-qr-code'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keywordFlow } from './keyword-flow.ts'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

const [salesNumber, supportNumber] = ['5511900000001', '5511900000002']

let product: Product
let marina: Visitor
let salesPhone: Phone
let supportPhone: Phone
let sales: Connection
let support: Connection
let people = 0

beforeAll(async () => {
  product = await startProduct({ eventStoreUrl: process.env.EVENTSTORE_URL })
  marina = await product.visitor().register()
  salesPhone = product.whatsapp.addPhone(salesNumber, 'Padaria Vendas')
  supportPhone = product.whatsapp.addPhone(supportNumber, 'Padaria Entregas')
  sales = await marina.link(salesPhone, 'Vendas')
  support = await marina.link(supportPhone, 'Entregas')
}, 60_000)
afterAll(() => product.stop())

const newPerson = () => {
  const number = `55119880000${10 + ++people}`
  const phone = product.whatsapp.addPhone(number, `Pessoa ${people}`)
  const received: string[] = []
  phone.on('message', ({ from, text }) => received.push(`${from} ${text}`))
  const contact = () =>
    until(async () => (await marina.get<Contact[]>(`/api/whatsapp/contacts?search=${number.slice(-8)}`))[0])
  const arrived = (...texts: string[]) => until(() => texts.every((text) => received.includes(text)))
  const writes = async (to: string, text: string) => {
    await phone.sendText(to, text)
    const { id } = await contact()
    await until(async () => (await marina.messages(id)).some(({ content }) => content === text))
    return id
  }
  return { number, phone, received, contact, arrived, writes }
}

const answer = (contactId: string, message: string, more: object = {}) =>
  marina.post<MessageAccepted>('/api/whatsapp/send-message', { contactId, message, ...more })

const lineOf = async (id: string) => (await marina.get<Contact>(`/api/whatsapp/contacts/${id}`)).connectionId

const statusOf = async ({ id }: Connection) => (await marina.connections()).find((each) => each.id === id)?.status

const disconnect = async (connection: Connection) => {
  await marina.post(`/api/whatsapp/connections/${connection.id}/disconnect`)
  await until(async () => (await statusOf(connection)) === 'disconnected')
}

const relink = async (connection: Connection, phone: Phone) => {
  await marina.post(`/api/whatsapp/connections/${connection.id}/refresh`)
  const image = await until(async () => (await marina.connections()).find(({ id }) => id === connection.id)?.qrCode)
  await phone.scan(readQrCode(image))
  await until(async () => (await statusOf(connection)) === 'connected')
}

describe('who writes to two of our numbers', () => {
  it('is one conversation, and gets each answer from the number that they wrote to last', async () => {
    const ana = newPerson()
    const id = await ana.writes(supportNumber, 'Cadê meu bolo?')
    expect((await answer(id, 'Já sai.')).connectionId).toBe(support.id)
    await ana.arrived(`${supportNumber} Já sai.`)
    await ana.writes(salesNumber, 'E quero outro.')
    expect(await lineOf(id)).toBe(sales.id)
    await answer(id, 'Anotado.')
    await ana.arrived(`${salesNumber} Anotado.`)
    expect((await marina.messages(id)).map(({ connectionId }) => connectionId)).toEqual([
      support.id,
      support.id,
      sales.id,
      sales.id,
    ])
    expect(ana.received).toHaveLength(2)
    expect(await marina.get(`/api/whatsapp/contacts?search=${ana.number.slice(-8)}`)).toHaveLength(1)
  })

  it('gets ten messages in the order of the conversation, each from the number that it answers', async () => {
    const ana = newPerson()
    const numbers = Array.from({ length: 10 }, (_, index) => (index % 3 === 0 ? salesNumber : supportNumber))
    let id = ''
    for (const [index, number] of numbers.entries()) {
      id = await ana.writes(number, `pergunta ${index}`)
      await answer(id, `resposta ${index}`)
    }
    const expected = numbers.map((number, index) => `${number} resposta ${index}`)
    await ana.arrived(...expected)
    for (const number of [salesNumber, supportNumber]) {
      const of = (texts: readonly string[]) => texts.filter((text) => text.startsWith(number))
      expect(of(ana.received)).toEqual(of(expected))
    }
    expect(ana.received).toHaveLength(10)
    expect((await marina.messages(id)).map(({ content }) => content)).toEqual(
      numbers.flatMap((_, index) => [`pergunta ${index}`, `resposta ${index}`]),
    )
  })

  it('is answered over another number once an attendant chose it, which open browsers are notified of', async () => {
    const ana = newPerson()
    const id = await ana.writes(supportNumber, 'Oi')
    const socket = marina.socket()
    await until(() => socket.connected)
    const pushed = new Promise<string>((resolve) =>
      socket.on('whatsapp:contact_update', (push) => resolve(push.contactId)),
    )
    await marina.post(`/api/whatsapp/contacts/${id}/line`, { connectionId: sales.id })
    expect(await pushed).toBe(id)
    socket.close()
    expect(await lineOf(id)).toBe(sales.id)
    await answer(id, 'Daqui é Vendas.')
    await ana.arrived(`${salesNumber} Daqui é Vendas.`)
    // WhatsApp's timestamps are whole seconds, and within one second a choice wins (0054).
    await delay(1000)
    await ana.writes(supportNumber, 'Respondo aqui')
    await answer(id, 'Certo.')
    await ana.arrived(`${supportNumber} Certo.`)
  })

  it('gets a reaction from the number that has the message', async () => {
    const ana = newPerson()
    const reactions: string[] = []
    ana.phone.on('message', ({ from, message }) => {
      if (message.reactionMessage?.text) reactions.push(`${from} ${message.reactionMessage.text}`)
    })
    const id = await ana.writes(supportNumber, 'Adorei')
    await ana.writes(salesNumber, 'Quero mais')
    const [first] = await marina.messages(id)
    await marina.post(`/api/whatsapp/contacts/${id}/messages/${first?.id}/reaction`, { emoji: '❤️' })
    await until(() => reactions.length > 0)
    expect(reactions).toEqual([`${supportNumber} ❤️`])
  })

  it('is answered by a flow over the number that they write to by now, also after a delay', async () => {
    const at = { x: 0, y: 0 }
    const [trigger, question, message] = [
      newNode('trigger', 'start', at),
      newNode('question', 'asks', at),
      newNode('message', 'says', at),
    ]
    const delay = { ...newNode('delay', 'rests', at), data: { delay: '1', description: '' } }
    const nodes = [
      { ...trigger, data: { ...trigger.data, start: { kind: 'keyword', words: ['cardápio'], match: 'equals' } } },
      { ...question, data: { ...question.data, question: 'De qual dia?' } },
      delay,
      { ...message, data: { ...message.data, message: 'Feito!' } },
    ] as FlowDocument['nodes']
    const links = nodes.slice(1).map(({ id }, index) => {
      const source = nodes[index]?.id ?? ''
      return { id: `${source} ${id}`, source, target: id, sourceHandle: null }
    })
    const answered = links.map((link) => (link.source === 'asks' ? { ...link, sourceHandle: 'answer' } : link))
    const document = { nodes, links: answered, settings: newFlowSettings }
    const { id: flowId } = await marina.post<Flow>('/api/flows', { name: 'Cardápio', document })
    await marina.post(`/api/flows/${flowId}/publish`, { basedOn: 0 })
    const ana = newPerson()
    await ana.writes(salesNumber, 'cardápio')
    await ana.arrived(`${salesNumber} De qual dia?`)
    await ana.writes(supportNumber, 'Domingo')
    await ana.arrived(`${supportNumber} Feito!`)
    expect(ana.received).toEqual([`${salesNumber} De qual dia?`, `${supportNumber} Feito!`])
    await marina.ask('PUT', `/api/flows/${flowId}/on`, { isOn: false })
  })

  it('gets the reply out of hours from the number that they wrote to', async () => {
    await marina.ask('PUT', '/api/opening-hours', closedNow())
    await marina.ask('PATCH', '/api/opening-hours/reply', { isOn: true, text: 'Abrimos às 6h.' })
    const ana = newPerson()
    await ana.writes(supportNumber, 'Tem alguém?')
    await ana.arrived(`${supportNumber} Abrimos às 6h.`)
    await marina.ask('PATCH', '/api/opening-hours/reply', { isOn: false })
  })

  it('hears one of a flow and the reply out of hours, whatever starts the flow', async () => {
    await marina.ask('PUT', '/api/opening-hours', closedNow())
    await marina.ask('PATCH', '/api/opening-hours/reply', { isOn: true, text: 'Fechado.' })
    const document = keywordFlow('pão', 'Temos pão.')
    const settings = { ...document.settings, again: 'always', connectionIds: [sales.id] }
    const { id } = await marina.post<Flow>('/api/flows', { name: 'Pão', document: { ...document, settings } })
    await marina.post(`/api/flows/${id}/publish`, { basedOn: 0 })
    const ana = newPerson()
    for (let each = 1; each <= 3; each++) {
      await ana.writes(salesNumber, 'pão')
      await until(() => ana.received.length === each)
    }
    await ana.writes(supportNumber, 'pão')
    await ana.arrived(`${supportNumber} Fechado.`)
    await ana.writes(salesNumber, 'pão')
    await until(() => ana.received.length === 5)
    const bread = `${salesNumber} Temos pão.`
    expect(ana.received).toEqual([bread, bread, bread, `${supportNumber} Fechado.`, bread])
    await marina.ask('PATCH', '/api/opening-hours/reply', { isOn: false })
    await marina.ask('PUT', `/api/flows/${id}/on`, { isOn: false })
  })
})

describe('a line that is down', () => {
  it('keeps what is written for it, while what answers the other number leaves at once', async () => {
    const ana = newPerson()
    const id = await ana.writes(supportNumber, 'Cadê?')
    await disconnect(support)
    expect((await answer(id, 'Por Entregas.')).connectionId).toBe(support.id)
    await ana.writes(salesNumber, 'Alô?')
    await answer(id, 'Por Vendas.')
    await ana.arrived(`${salesNumber} Por Vendas.`)
    const waiting = (await marina.messages(id)).find(({ content }) => content === 'Por Entregas.')
    expect(waiting).toMatchObject({ status: 'queued', connectionId: support.id })
    expect(await lineOf(id)).toBe(sales.id)
    await relink(support, supportPhone)
    await ana.arrived(`${supportNumber} Por Entregas.`)
    expect(ana.received).toEqual([`${salesNumber} Por Vendas.`, `${supportNumber} Por Entregas.`])
  })

  it('makes no second conversation of a person who was added by number meanwhile, and hides the number', async () => {
    const ana = newPerson()
    ana.phone.account.hidesNumber = true
    for (const connection of [sales, support]) await disconnect(connection)
    const { id } = await marina.post<{ id: string }>('/api/whatsapp/contacts', { phone: ana.number })
    await ana.phone.sendText(supportNumber, 'Enquanto fora', { addressing: 'lid' })
    await relink(sales, salesPhone)
    await relink(support, supportPhone)
    await ana.phone.sendText(salesNumber, 'Estou de volta', { addressing: 'lid' })
    const messages = await until(async () => {
      const found = (await marina.messages(id)) as Message[]
      return found.some(({ content }) => content === 'Estou de volta') && found
    })
    expect(messages.every(({ sender }) => sender === 'contact')).toBe(true)
    const all = await until(async () => {
      const found = (await marina.all<Contact>('/api/whatsapp/contacts')).filter(
        (each) => each.id === id || each.merged.some((merged) => merged.id === id) || each.name === `Pessoa ${people}`,
      )
      return found.length === 1 && found
    })
    expect(all).toMatchObject([{ id, phone: ana.number }])
  })
})

describe('a number that is removed', () => {
  it('leaves its conversations to a choice, and to the same number once that is linked again', async () => {
    const ana = newPerson()
    const thirdNumber = '5511900000003'
    const thirdPhone = product.whatsapp.addPhone(thirdNumber, 'Padaria Festas')
    const third = await marina.link(thirdPhone, 'Festas')
    const id = await ana.writes(thirdNumber, 'Quero uma festa')
    expect((await marina.ask('DELETE', `/api/whatsapp/connections/${third.id}`)).status).toBe(200)
    await until(async () => (await lineOf(id)) === null)
    const body = { contactId: id, message: 'Oi!' }
    const silent = await marina.ask('POST', '/api/whatsapp/send-message', body)
    expect([silent.status, silent.body]).toMatchObject([409, { type: 'line_removed' }])
    expect((await marina.ask('POST', '/api/whatsapp/send-message', { ...body, connectionId: third.id })).status).toBe(
      404,
    )
    const again = await marina.link(thirdPhone, 'Festas de novo')
    await until(async () => (await lineOf(id)) === again.id)
    await answer(id, 'Para quantos?')
    await ana.arrived(`${thirdNumber} Para quantos?`)
    expect(
      (await marina.get<Contact[]>(`/api/whatsapp/contacts?connectionId=${again.id}`)).map((each) => each.id),
    ).toEqual([id])
    expect(await marina.get(`/api/whatsapp/search?q=festa&connectionId=${again.id}`)).toHaveLength(1)
  })
})
