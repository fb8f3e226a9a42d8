import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { addressSubject, contactSubject } from '@prosa/contracts/events/subjects'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { eventCodec, type Stored } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveOnMessageArrived } from '../chat/receive-on-message-arrived.ts'
import { eraseOnUserErased } from '../erase-on-user-erased.ts'
import { type ContactHandlers, contactHandlers } from '../handlers.ts'
import { contactMigrations } from '../migrations/contact-migrations.ts'
import { commandContactAt } from './command-contact-at.ts'
import { forgetOnContactErased } from './forget-on-contact-erased.ts'
import { contactsOfTenant, tenantContacts } from './tenant-contacts.ts'

let ports: TestPorts
let handlers: ContactHandlers
let following: Promise<void>
const stopping = new AbortController()
beforeAll(async () => {
  const plain = await testPorts({ migrations: [contactMigrations] })
  ports = { ...plain, codec: eventCodec({ personal: personalEncryption(plain.subjectKeys, plain.box) }) }
  handlers = contactHandlers(ports)
  following = (await keepReadModels([readModel(tenantContacts)], ports)).run(stopping.signal)
})
afterAll(async () => {
  stopping.abort()
  await following
  await ports.close()
})

const addresses = { phone: '5511988776655', lid: '163640653162923' }
const add = { type: 'AddContact', data: { isTyped: true } } as const
const erase = { type: 'EraseContact', data: {} } as const

const by = (erased: string): CommandContext => ({
  commandId: randomUUID(),
  actor: { kind: 'user', id: erased },
  tenant: erased,
  causationId: 'test',
  correlationId: 'test',
})

const eventsOf = async (erased: string): Promise<Stored[]> => {
  const found: Stored[] = []
  const categories = ['user', 'line', 'contact', 'contactKey', 'chat', 'quickReply', 'label']
  for await (const { events } of ports.store.readAll(beginning, { categories })) {
    const own = events.filter(({ metadata }) => metadata.tenant === erased)
    found.push(...(await ports.codec.decode(own)))
  }
  return found
}
const countOf = async (erased: string, type: AnyEvent['type']) =>
  (await eventsOf(erased)).filter((event) => event.type === type).length

const react = async (reactor: Reactor, erased: string) => {
  for (const event of await eventsOf(erased))
    await (reactor.on[event.type] as ((event: Stored) => Promise<void>) | undefined)?.(event)
}

const record = async (stream: string, erased: string, event: AnyEvent) => {
  const { commandId: _, ...about } = by(erased)
  const metadata = { ...about, recordedAt: ports.clock.now() }
  const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
  await ports.store.append(stream, 'no_stream', encoded)
}
const arrived = (text: string): AnyEvent => ({
  type: 'MessageArrived',
  data: {
    messageId: randomUUID(),
    chatJid: `${addresses.lid}@lid`,
    alternateJid: `${addresses.phone}@s.whatsapp.net`,
    fromMe: false,
    pushName: 'Ana',
    sentAt: ports.clock.now(),
    via: 'notify',
    content: { kind: 'text', text },
    raw: 'CgA=',
  },
})

const hasKey = async (subject: string) =>
  (await ports.pool.query('select from subject_key where subject = $1 and wrapped is not null', [subject])).rowCount ===
  1

const erasedContact = async () => {
  const erased = randomUUID()
  await record(`line-${randomUUID()}`, erased, arrived('oi'))
  await react(receiveOnMessageArrived(handlers), erased)
  const { id } = await commandContactAt(handlers, erased, addresses, add, by(erased))
  await handlers.contacts(id, erase, by(erased))
  return { tenant: erased, id }
}

describe('an erased contact', () => {
  it('lets the same person be a new contact at once, before anything is destroyed, and again after each erasure', async () => {
    const { tenant: erased, id } = await erasedContact()
    const second = await commandContactAt(handlers, erased, addresses, add, by(erased))
    await handlers.contacts(second.id, erase, by(erased))
    const third = await commandContactAt(handlers, erased, addresses, add, by(erased))
    expect(new Set([id, second.id, third.id]).size).toBe(3)
    const again = await commandContactAt(contactHandlers(ports), erased, addresses, add, by(erased))
    expect(again.id).toBe(third.id)
  })

  it('is distinguished from its successor by a process that still takes the old one for the holder', async () => {
    const erased = randomUUID()
    const elsewhere = contactHandlers(ports)
    const { id } = await commandContactAt(elsewhere, erased, addresses, add, by(erased))
    await handlers.contacts(id, erase, by(erased))
    await react(forgetOnContactErased(handlers), erased)
    const successor = await commandContactAt(handlers, erased, addresses, add, by(erased))
    const found = await commandContactAt(elsewhere, erased, addresses, add, by(erased))
    expect(found.id).toBe(successor.id)
    expect(successor.id).not.toBe(id)
  })

  it('loses its keys, its addresses and its chat, also when the first tries are cut short, and once only', async () => {
    const { tenant: erased, id } = await erasedContact()
    const subjects = [contactSubject(id), addressSubject(erased, `${addresses.lid}@lid`, ports.box.fingerprint)]
    for (const subject of subjects) expect(await hasKey(subject)).toBe(true)
    const failing = forgetOnContactErased({
      ...handlers,
      subjectKeys: { ...ports.subjectKeys, erase: () => Promise.reject(new Error('the database is away')) },
    })
    await expect(react(failing, erased)).rejects.toThrow('away')
    for (let time = 0; time < 3; time++) await react(forgetOnContactErased(handlers), erased)

    for (const subject of subjects) expect(await hasKey(subject)).toBe(false)
    expect(await countOf(erased, 'ContactKeyReleased')).toBe(2)
    expect(await countOf(erased, 'ChatErased')).toBe(1)
    expect(await countOf(erased, 'ContactErased')).toBe(1)
    expect(JSON.stringify((await eventsOf(erased)).map(({ data }) => data))).not.toMatch(
      /5511988776655|163640653|Ana|oi/,
    )
  })

  it('does not come back when what it had written is received only then', async () => {
    const { tenant: erased } = await erasedContact()
    await react(forgetOnContactErased(handlers), erased)
    await react(receiveOnMessageArrived(handlers), erased)
    expect(await countOf(erased, 'ContactAdded')).toBe(1)
    expect(await countOf(erased, 'MessageReceived')).toBe(1)
  })

  it('does not come back when its message is read again after a restart, before and after its addresses are free', async () => {
    const { tenant: erased } = await erasedContact()
    await react(receiveOnMessageArrived(contactHandlers(ports)), erased)
    expect(await countOf(erased, 'ContactAdded')).toBe(1)
    const cutShort = forgetOnContactErased({
      ...handlers,
      subjectKeys: { ...ports.subjectKeys, erase: () => Promise.reject(new Error('the database is away')) },
    })
    await expect(react(cutShort, erased)).rejects.toThrow('away')
    expect(await countOf(erased, 'ContactKeyReleased')).toBe(2)
    await react(receiveOnMessageArrived(contactHandlers(ports)), erased)
    expect(await countOf(erased, 'ContactAdded')).toBe(1)

    await record(`line-${randomUUID()}`, erased, arrived('voltei'))
    for (let time = 0; time < 2; time++) await react(receiveOnMessageArrived(contactHandlers(ports)), erased)
    const received = (await eventsOf(erased)).filter(({ type }) => type === 'MessageReceived')
    expect(received.map(({ data }) => data)).toMatchObject([
      { content: { text: 'oi' } },
      { content: { text: 'voltei' } },
    ])
    expect(await countOf(erased, 'ContactAdded')).toBe(2)
  })

  it('refuses a message that was on its way into the chat, which then belongs to a new contact', async () => {
    const { tenant: erased, id } = await erasedContact()
    await handlers.chats(id, { type: 'EraseChat', data: {} }, by(erased))
    await record(`line-${randomUUID()}`, erased, arrived('bem na hora'))
    await react(receiveOnMessageArrived(handlers), erased)
    const received = (await eventsOf(erased)).filter(({ type }) => type === 'MessageReceived')
    expect(received.at(-1)?.stream).not.toBe(`chat-${id}`)
    expect(received.at(-1)?.data).toMatchObject({ content: { text: 'bem na hora' } })
  })
})

describe('an erased account', () => {
  it('takes all its contacts with it, nobody else’s, and whoever writes to it afterwards', async () => {
    const [erased, other] = [randomUUID(), randomUUID()]
    for (const tenant of [erased, other]) {
      await record(`line-${randomUUID()}`, tenant, arrived('oi'))
      await react(receiveOnMessageArrived(handlers), tenant)
    }
    const reply = { quickReplyId: randomUUID(), shortcut: 'pix', content: 'Minha chave', isActive: true }
    const label = { labelId: randomUUID(), name: 'Fiel', colour: 'green' } as const
    for (const tenant of [erased, other])
      await handlers.labels(tenant, { type: 'CreateLabel', data: label }, by(tenant))
    for (const tenant of [erased, other])
      await handlers.quickReplies(tenant, { type: 'AddQuickReply', data: reply }, by(tenant))
    await record(`user-${erased}`, erased, { type: 'UserErased', data: {} })
    for (let time = 0; time < 2; time++) await react(eraseOnUserErased(handlers, contactsOfTenant(ports)), erased)
    expect([await countOf(erased, 'ContactErased'), await countOf(other, 'ContactErased')]).toEqual([1, 0])
    expect([await countOf(erased, 'LabelDeleted'), await countOf(other, 'LabelDeleted')]).toEqual([1, 0])
    expect([await countOf(erased, 'QuickReplyRemoved'), await countOf(other, 'QuickReplyRemoved')]).toEqual([1, 0])

    await record(`line-${randomUUID()}`, erased, arrived('ainda aí?'))
    await react(receiveOnMessageArrived(handlers), erased)
    await react(forgetOnContactErased(handlers), erased)
    expect(await countOf(erased, 'ContactAdded')).toBe(2)
    expect(await countOf(erased, 'ContactErased')).toBe(2)
    expect(JSON.stringify(await eventsOf(erased), (_, value) => (typeof value === 'bigint' ? '' : value))).not.toMatch(
      /ainda aí|5511988776655|163640653/,
    )
    expect(await hasKey(addressSubject(other, `${addresses.lid}@lid`, ports.box.fingerprint))).toBe(true)
  })

  const accountWith = async (contacts: number) => {
    const erased = randomUUID()
    for (let number = 0; number < contacts; number++)
      await commandContactAt(handlers, erased, { phone: `551190000000${number}`, lid: null }, add, by(erased))
    await record(`user-${erased}`, erased, { type: 'UserErased', data: {} })
    return erased
  }

  it('is erased whole after a crash in the middle, by a process that never reads the whole log', async () => {
    const erased = await accountWith(5)
    const readAll = () => expect.fail('the whole log was read')
    const others = contactHandlers({ ...ports, store: { ...ports.store, readAll } })
    let left = 2
    const give = async (...given: Parameters<ContactHandlers['contacts']>) => {
      if (left-- === 0) throw new Error('killed')
      return others.contacts(...given)
    }
    const contacts = Object.assign(give, others.contacts)
    const contactsOf = contactsOfTenant(ports)
    await expect(react(eraseOnUserErased({ ...others, contacts }, contactsOf), erased)).rejects.toThrow('killed')
    expect(await countOf(erased, 'ContactErased')).toBe(2)
    for (let time = 0; time < 2; time++) await react(eraseOnUserErased(others, contactsOf), erased)
    expect(await countOf(erased, 'ContactErased')).toBe(5)
  })

  it('takes a contact with it that was added while the others were erased', async () => {
    const erased = await accountWith(2)
    let isAdded = false
    const give = async (...given: Parameters<ContactHandlers['contacts']>) => {
      if (!isAdded) await commandContactAt(handlers, erased, { phone: '5511955554444', lid: null }, add, by(erased))
      isAdded = true
      return handlers.contacts(...given)
    }
    const contacts = Object.assign(give, handlers.contacts)
    await react(eraseOnUserErased({ ...handlers, contacts }, contactsOfTenant(ports)), erased)
    expect(await countOf(erased, 'ContactErased')).toBe(3)
  })

  it('waits until all its contacts are known, and erases nothing before', async () => {
    const erased = await accountWith(1)
    const lagging = { ...ports.readModels, reached: async () => false }
    const parked = { ...ports.readModels, isParked: () => true }
    for (const readModels of [lagging, parked])
      await expect(
        react(eraseOnUserErased(handlers, contactsOfTenant({ pool: ports.pool, readModels })), erased),
      ).rejects.toThrow(StoreUnavailable)
    expect(await countOf(erased, 'ContactErased')).toBe(0)
  })

  // Simulation, seed 1 of 25 November 2026: such events have no contact to be erased with.
  it.each([
    { type: 'ReactionArrived', data: { reactionId: randomUUID(), reactedAt: '2026-11-25T12:00:00.000Z', emoji: '🤫' } },
    {
      type: 'EditArrived',
      data: {
        editId: randomUUID(),
        editedAt: '2026-11-25T12:00:00.000Z',
        content: { kind: 'text', text: '🤫' },
      },
    },
    { type: 'DeletionArrived', data: { deletionId: randomUUID(), deletedAt: '2026-11-25T12:00:00.000Z' } },
  ])('keeps nothing of a $type that its line receives afterwards', async ({ type, data }) => {
    const [erased, other] = [randomUUID(), randomUUID()]
    await record(`user-${erased}`, erased, { type: 'UserErased', data: {} })
    await react(eraseOnUserErased(handlers, contactsOfTenant(ports)), erased)
    const about = { messageId: randomUUID(), chatJid: `${addresses.lid}@lid`, alternateJid: null, fromMe: false }
    for (const tenant of [erased, other])
      await record(`line-${randomUUID()}`, tenant, { type, data: { ...about, ...data } } as AnyEvent)
    for (const tenant of [erased, other]) await react(receiveOnMessageArrived(handlers), tenant)
    const keys = [erased, other].map((each) => addressSubject(each, about.chatJid, ports.box.fingerprint))
    expect(await Promise.all(keys.map(hasKey))).toEqual([false, true])
    expect(JSON.stringify((await eventsOf(erased)).map((event) => event.data))).not.toMatch(/🤫|163640653/)
  })
})
