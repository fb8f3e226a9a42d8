import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import type { Category } from '@prosa/contracts/streams'
import { beginning } from '@prosa/kernel/event-store/port'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import type { Phone } from '@prosa/sandbox/phone/phone'
import type { Addressing } from '@prosa/sandbox/server/directory'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

/** Two cases in which Whaticket loses 80 of 100 messages and opens 100 conversations instead of 20. */
const shopNumber = '5511900000001'
const people = shortOrLong(8, 20)
const atOnce = 5

/** The author's address: LID, number, LID with a hidden number, or alternating. */
const manners: readonly { addressing: (message: number) => Addressing; hidesNumber?: boolean }[] = [
  { addressing: () => 'lid' },
  { addressing: () => 'pn' },
  { addressing: () => 'lid', hidesNumber: true },
  { addressing: (message) => (message % 2 === 0 ? 'lid' : 'pn') },
]
const mannerOf = (person: number) => {
  const manner = manners[person % manners.length]
  if (!manner) throw new Error('nobody writes like that')
  return manner
}

let product: Product
let attendant: Visitor
let phones: Phone[]

beforeAll(async () => {
  product = await startProduct()
  attendant = await product.visitor().register()
  await attendant.link(product.whatsapp.addPhone(shopNumber, 'Padaria Sol'))
  phones = Array.from({ length: people }, (_, person) => {
    const phone = product.whatsapp.addPhone(`55119870000${10 + person}`, `Pessoa ${person}`)
    phone.account.hidesNumber = mannerOf(person).hidesNumber ?? false
    return phone
  })
})

afterAll(() => product.stop())

const textsOf = (greeting: string, person: number) =>
  Array.from({ length: atOnce }, (_, message) => `${greeting} ${person}.${message}`)

const everybodyWrites = (greeting: string) =>
  Promise.all(
    phones.flatMap((phone, person) =>
      textsOf(greeting, person).map((text, message) =>
        phone.sendText(shopNumber, text, { addressing: mannerOf(person).addressing(message) }),
      ),
    ),
  )

const waiting = () => attendant.all<Contact>('/api/whatsapp/contacts?status=waiting')
const chats = async (contacts: readonly Contact[]) =>
  Promise.all(
    contacts.map(async ({ id }) =>
      (await attendant.all<Message>(`/api/whatsapp/contacts/${id}/messages`)).map(({ content }) => content),
    ),
  )
/** Sorted by first text; the order within a chat stays. */
const sorted = (texts: readonly string[][]) =>
  texts.toSorted((one, other) => String(one[0]).localeCompare(String(other[0])))
const everybody = (textsOfPerson: (person: number) => string[]) =>
  sorted(Array.from({ length: people }, (_, person) => textsOfPerson(person)))

const streamsWith = async (category: Category, wanted: string) => {
  const streams: string[] = []
  for await (const { events } of product.ports.store.readAll(beginning, { categories: [category] }))
    for (const { type, stream } of events) if (type === wanted) streams.push(stream)
  return streams
}
const reopened = () => streamsWith('contact', 'ConversationReopened')

const arrived = async (count: number) => {
  await until(async () => (await streamsWith('chat', 'MessageReceived')).length >= count)
  await until(async () => (await chats(await waiting())).flat().length >= count)
}

it(`${atOnce} messages at the same instant from each of ${people} new numbers: ${people * atOnce} of ${people * atOnce} kept, in ${people} contacts`, async () => {
  await everybodyWrites('oi')
  await arrived(people * atOnce)
  expect(sorted(await chats(await waiting()))).toEqual(everybody((person) => textsOf('oi', person)))
  expect(await reopened()).toEqual([])
})

it(`the same from ${people} known, resolved contacts: ${people} conversations, reopened once each`, async () => {
  const known = await waiting()
  for (const { id } of known)
    for (const status of ['attending', 'resolved'])
      expect((await attendant.ask('PATCH', `/api/whatsapp/contacts/${id}/status`, { status })).status).toBe(200)
  expect(await waiting()).toEqual([])
  await everybodyWrites('voltei')
  await arrived(2 * people * atOnce)
  const contacts = await waiting()
  expect(contacts.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort())
  expect(sorted(await chats(contacts))).toEqual(
    everybody((person) => [...textsOf('oi', person), ...textsOf('voltei', person)]),
  )
  const streams = await reopened()
  expect(streams).toHaveLength(people)
  expect(new Set(streams).size).toBe(people)
})
