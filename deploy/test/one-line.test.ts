import { closedNow } from '@prosa/contacts/testing/closed-now'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Flow } from '@prosa/contracts/http/flows'
import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

let product: Product
let marina: Visitor

beforeAll(async () => {
  product = await startProduct({ eventStoreUrl: process.env.EVENTSTORE_URL })
  marina = await product.visitor().register()
}, 60_000)
afterAll(() => product.stop())

const only = async (status: 'waiting' | 'attending' | 'resolved', phone: string): Promise<Contact> =>
  until(async () => (await marina.contacts(status)).find((each) => each.phone === phone))

const statusOf = (messages: Message[], id: string) => messages.find((message) => message.id === id)?.status

describe('one line from end to end', () => {
  it('starts a free period of ten days with the account', async () => {
    const user = await marina.get<User>('/api/auth/user')
    expect(user).toMatchObject({ firstName: 'Marina', subscriptionStatus: 'active' })
    const days = (Date.parse(user.subscriptionEnd ?? '') - Date.parse(user.createdAt)) / 86_400_000
    expect(days).toBeCloseTo(10, 3)
  })

  it('receives, accepts, answers with two ticks and finishes', async () => {
    const shop = product.whatsapp.addPhone('5511900000001', 'Padaria Sol')
    const ana = product.whatsapp.addPhone('5511988776655', 'Ana')
    const connection = await marina.link(shop, 'Padaria')
    expect(connection).toMatchObject({ name: 'Padaria', phoneNumber: '5511900000001', status: 'connected' })

    const socket = marina.socket()
    const pushed = new Promise<{ contactId: string }>((resolve) => socket.once('whatsapp:new_message', resolve))
    await until(() => socket.connected)
    await ana.sendText('5511900000001', 'Olá, vocês abrem domingo?')
    const { contactId } = await pushed
    const [shown] = await marina.messages(contactId)
    expect(shown).toMatchObject({ content: 'Olá, vocês abrem domingo?', sender: 'contact' })

    const waiting = await only('waiting', '5511988776655')
    expect(waiting).toMatchObject({ id: contactId, name: 'Ana', unreadCount: 1 })
    expect(
      (await marina.ask('PATCH', `/api/whatsapp/contacts/${contactId}/status`, { status: 'attending' })).status,
    ).toBe(200)
    await only('attending', '5511988776655')

    const received = ana.nextMessage((message) => message.text === 'Abrimos das 7h às 13h.')
    const { id } = await marina.send(connection.id, contactId, 'Abrimos das 7h às 13h.')
    expect((await received).id).toBe(id)
    await until(async () => statusOf(await marina.messages(contactId), id) === 'delivered')
    ana.markRead(await received)
    await until(async () => statusOf(await marina.messages(contactId), id) === 'read')

    expect(
      (await marina.ask('PATCH', `/api/whatsapp/contacts/${contactId}/status`, { status: 'resolved' })).status,
    ).toBe(200)
    await only('resolved', '5511988776655')
    await ana.sendText('5511900000001', 'Obrigada!')
    await only('waiting', '5511988776655')
    const history = await until(async () => {
      const messages = await marina.messages(contactId)
      return messages.length >= 3 && messages
    })
    expect(history.map(({ content }) => content)).toEqual([
      'Olá, vocês abrem domingo?',
      'Abrimos das 7h às 13h.',
      'Obrigada!',
    ])
    socket.close()
  })

  it('delivers what several tabs send at once in one order, that of the conversation', async () => {
    const clara = product.whatsapp.addPhone('5511988776644', 'Clara')
    await clara.sendText('5511900000001', 'Oi')
    const { id } = await only('waiting', '5511988776644')
    const connection = (await marina.connections()).find(({ status }) => status === 'connected')
    const arrived: string[] = []
    clara.on('message', ({ text }) => void arrived.push(text))
    const texts = Array.from({ length: 12 }, (_, index) => `ao mesmo tempo ${index + 10}`)
    await Promise.all(texts.map((text) => marina.send(connection?.id ?? '', id, text)))
    await until(() => arrived.length >= texts.length)
    const shown = (await marina.messages(id)).filter(({ sender }) => sender === 'user').map(({ content }) => content)
    expect(arrived).toEqual(shown)
    expect(shown.toSorted()).toEqual(texts)
  })

  it('answers once out of hours, over the phone, and leaves whoever wrote waiting', async () => {
    const bia = product.whatsapp.addPhone('5511977776666', 'Bia Lima')
    await marina.ask('PUT', '/api/opening-hours', closedNow())
    const text = 'Oi, {nome}! Abrimos às 6h.'
    await marina.ask('PATCH', '/api/opening-hours/reply', { isOn: true, text })
    const received = bia.nextMessage((message) => message.text === 'Oi, Bia! Abrimos às 6h.')
    await bia.sendText('5511900000001', 'Tem sonho?')
    const { id } = await received
    await bia.sendText('5511900000001', 'E broa?')
    const { id: contactId } = await only('waiting', '5511977776666')
    const history = await until(async () => {
      const messages = await marina.messages(contactId)
      return messages.some(({ content }) => content === 'E broa?') && messages
    })
    expect(history.filter(({ sender }) => sender === 'user')).toMatchObject([{ id, isAutomatic: true }])
    await until(async () => (await only('waiting', '5511977776666')).unreadCount === 2)
  })

  it('comes to rest where its flow and that of another account answer each other, and one person is asked for', async () => {
    const bruno = await product.visitor().register()
    const [one, other] = ['5511900000021', '5511900000022']
    await marina.ask('PATCH', '/api/opening-hours/reply', { isOn: false })
    await marina.link(product.whatsapp.addPhone(one, 'Padaria Lua'), 'Lua')
    const pharmacy = product.whatsapp.addPhone(other, 'Farmácia')
    await bruno.link(pharmacy, 'Farmácia')
    const at = { x: 0, y: 0 }
    const message = newNode('message', 'hi', at)
    const nodes = [newNode('trigger', 'start', at), { ...message, data: { ...message.data, message: 'Olá!' } }]
    const links = [{ id: 'start hi', source: 'start', target: 'hi', sourceHandle: null }]
    for (const account of [marina, bruno]) {
      const document = { nodes, links, settings: { ...newFlowSettings, again: 'always' as const } }
      const { id } = await account.post<Flow>('/api/flows', { name: 'Resposta', document })
      expect((await account.ask('POST', `/api/flows/${id}/publish`, { basedOn: 0 })).status).toBe(200)
    }
    const socket = marina.socket()
    const pushed: string[] = []
    socket.on('whatsapp:robot_suspected', ({ contactId }) => pushed.push(contactId))
    bruno.socket().on('whatsapp:robot_suspected', ({ contactId }) => pushed.push(contactId))
    await until(() => socket.connected)
    const find = async (account: Visitor, phone: string) =>
      (await account.contacts('waiting')).find((each) => each.phone === phone)
    await pharmacy.sendText(one, 'oi')
    const paused = await until(async () => {
      const sides = [await find(marina, other), await find(bruno, one)]
      return sides.find((each) => each?.suspectedRobot)
    }, 60_000)
    expect(paused?.suspectedRobot).toMatchObject({ reason: 'starts', count: 10, withinSeconds: 600 })
    expect(pushed).toEqual([paused?.id])
    for (const [account, phone] of [
      [marina, other],
      [bruno, one],
    ] as const) {
      const { id } = (await find(account, phone)) ?? { id: '' }
      const sent = (await account.messages(id)).filter(({ isFlow }) => isFlow)
      expect(sent.length).toBeGreaterThan(5)
      expect(sent.length).toBeLessThanOrEqual(10)
    }
    socket.close()
  }, 120_000)
})
