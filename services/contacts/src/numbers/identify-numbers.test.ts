import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUnidentified } from '../queries.ts'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const dropped: AnyEvent = { type: 'LineDropped', data: { code: 428, reason: 'lost' } }
const opened: AnyEvent = { type: 'LineOpened', data: {} }

let people = 0
const newNumber = () => `55119${70_000_000 + ++people}`

/** The line is down. */
const offline = async () => {
  const shop = await service.shop()
  const line = `connection-${shop.connectionId}`
  await shop.lineIsKnown()
  await shop.record(line, dropped)
  await until(
    async () =>
      (await service.ports.pool.query('select from open_line where owner = $1 and not is_open', [shop.tenant]))
        .rowCount,
  )
  const add = async (phone: string) => (await shop.ask('POST', '/contacts', { phone })).json().id as string
  const unknown = () => findUnidentified(service.ports.pool, shop.tenant, 100)
  const asked = (phone: string) => service.asked.filter((each) => each.phone === phone).length
  const chatsOf = async () => (await shop.events('MessageReceived')).map(({ stream }) => stream.slice('chat-'.length))
  return { ...shop, add, unknown, asked, chatsOf, comesBack: () => shop.record(line, opened) }
}

describe('a number that was added while no line could ask whose it is', () => {
  it('is asked about as soon as one can, so that who writes from its LID writes in that conversation', async () => {
    const shop = await offline()
    const phone = newNumber()
    const id = await shop.add(phone)
    service.numbers.set(phone, { exists: true, phone, lid: '9001' })
    expect(shop.asked(phone)).toBe(0)
    await shop.comesBack()
    await until(async () => (await shop.events('ContactIdentified')).length === 1)
    await shop.receives(arrived('Oi', { chatJid: '9001@lid' }))
    await until(async () => (await shop.chatsOf()).length === 1)
    expect(await shop.chatsOf()).toEqual([id])
    expect(shop.asked(phone)).toBe(1)
    await until(async () => (await shop.unknown()).length === 0)
  })

  it('becomes one conversation with whoever had written from its LID before it was asked about', async () => {
    const shop = await offline()
    const phone = newNumber()
    const id = await shop.add(phone)
    await shop.receives(arrived('Já escrevi', { chatJid: '9002@lid' }))
    await until(async () => (await shop.chatsOf()).length === 1)
    service.numbers.set(phone, { exists: true, phone, lid: '9002' })
    await shop.comesBack()
    expect(await until(async () => (await shop.events('ContactMerged'))[0])).toMatchObject({ stream: `contact-${id}` })
    await shop.receives(arrived('De novo', { chatJid: '9002@lid' }))
    await until(async () => (await shop.chatsOf()).length === 2)
    expect((await shop.chatsOf()).at(-1)).toBe(id)
  })

  it('is asked about again when somebody writes of whom nobody knows the number', async () => {
    const shop = await offline()
    const phone = newNumber()
    service.tooSoon.add(phone)
    const id = await shop.add(phone)
    await shop.comesBack()
    await until(() => shop.asked(phone) > 0)
    service.tooSoon.delete(phone)
    service.numbers.set(phone, { exists: true, phone, lid: '9003' })
    await shop.receives(arrived('Sou eu', { chatJid: '9003@lid' }))
    expect(await until(async () => (await shop.events('ContactMerged'))[0])).toMatchObject({ stream: `contact-${id}` })
  })

  it('is asked about once where WhatsApp does not know it, and holds up no other', async () => {
    const shop = await offline()
    const [nobody, somebody] = [newNumber(), newNumber()]
    service.numbers.set(nobody, { exists: false, phone: null, lid: null })
    service.numbers.set(somebody, { exists: true, phone: somebody, lid: '9004' })
    const ids = [await shop.add(nobody), await shop.add(somebody)]
    await shop.comesBack()
    await until(async () => (await shop.events('ContactIdentified')).length === 1)
    await shop.receives(arrived('Oi', { chatJid: '9005@lid' }))
    await until(async () => (await shop.chatsOf()).length === 1)
    expect([shop.asked(nobody), shop.asked(somebody)]).toEqual([1, 1])
    // The read model of such numbers follows the log.
    await until(async () => (await shop.unknown()).length === 1)
    expect(await shop.unknown()).toEqual([ids[0]])
  })

  it('is not asked about once its contact was erased, and nobody becomes a contact by the answer', async () => {
    const shop = await offline()
    const [gone, kept] = [newNumber(), newNumber()]
    const id = await shop.add(gone)
    await shop.add(kept)
    for (const [phone, lid] of [
      [gone, '9006'],
      [kept, '9007'],
    ] as const)
      service.numbers.set(phone, { exists: true, phone, lid })
    expect((await shop.ask('DELETE', `/contacts/${id}`)).statusCode).toBe(200)
    await until(async () => (await shop.unknown()).length === 1)
    await shop.comesBack()
    await until(async () => (await shop.events('ContactIdentified')).length === 1)
    expect(shop.asked(gone)).toBe(0)
    expect(await shop.events('ContactAdded')).toHaveLength(2)
  })

  it('of another subscriber is not asked about over this one’s line', async () => {
    const [shop, stranger] = [await offline(), await offline()]
    const [own, foreign] = [newNumber(), newNumber()]
    await shop.add(own)
    await stranger.add(foreign)
    service.numbers.set(own, { exists: true, phone: own, lid: '9008' })
    await shop.comesBack()
    await until(async () => (await shop.events('ContactIdentified')).length === 1)
    expect(shop.asked(foreign)).toBe(0)
  })
})
