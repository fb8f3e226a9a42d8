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

const by = (owner: string): CommandContext => ({
  commandId: randomUUID(),
  actor: { kind: 'user', id: owner },
  owner,
  causationId: 'test',
  correlationId: 'test',
})

const eventsOf = async (owner: string): Promise<Stored[]> => {
  const found: Stored[] = []
  const categories = ['user', 'line', 'contact', 'contactKey', 'chat', 'quickReply', 'label']
  for await (const { events } of ports.store.readAll(beginning, { categories })) {
    const own = events.filter(({ metadata }) => metadata.owner === owner)
    found.push(...(await ports.codec.decode(own)))
  }
  return found
}
const countOf = async (owner: string, type: AnyEvent['type']) =>
  (await eventsOf(owner)).filter((event) => event.type === type).length

const react = async (reactor: Reactor, owner: string) => {
  for (const event of await eventsOf(owner))
    await (reactor.on[event.type] as ((event: Stored) => Promise<void>) | undefined)?.(event)
}

const record = async (stream: string, owner: string, event: AnyEvent) => {
  const { commandId: _, ...about } = by(owner)
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
  const owner = randomUUID()
  await record(`line-${randomUUID()}`, owner, arrived('oi'))
  await react(receiveOnMessageArrived(handlers), owner)
  const { id } = await commandContactAt(handlers, owner, addresses, add, by(owner))
  await handlers.contacts(id, erase, by(owner))
  return { owner, id }
}

describe('an erased contact', () => {
  it('lets the same person be a new contact at once, before anything is destroyed, and again after each erasure', async () => {
    const { owner, id } = await erasedContact()
    const second = await commandContactAt(handlers, owner, addresses, add, by(owner))
    await handlers.contacts(second.id, erase, by(owner))
    const third = await commandContactAt(handlers, owner, addresses, add, by(owner))
    expect(new Set([id, second.id, third.id]).size).toBe(3)
    const again = await commandContactAt(contactHandlers(ports), owner, addresses, add, by(owner))
    expect(again.id).toBe(third.id)
  })

  it('is distinguished from its successor by a process that still takes the old one for the holder', async () => {
    const owner = randomUUID()
    const elsewhere = contactHandlers(ports)
    const { id } = await commandContactAt(elsewhere, owner, addresses, add, by(owner))
    await handlers.contacts(id, erase, by(owner))
    await react(forgetOnContactErased(handlers), owner)
    const successor = await commandContactAt(handlers, owner, addresses, add, by(owner))
    const found = await commandContactAt(elsewhere, owner, addresses, add, by(owner))
    expect(found.id).toBe(successor.id)
    expect(successor.id).not.toBe(id)
  })

  it('loses its keys, its addresses and its chat, also when the first tries are cut short, and once only', async () => {
    const { owner, id } = await erasedContact()
    const subjects = [contactSubject(id), addressSubject(owner, `${addresses.lid}@lid`, ports.box.fingerprint)]
    for (const subject of subjects) expect(await hasKey(subject)).toBe(true)
    const failing = forgetOnContactErased({
      ...handlers,
      subjectKeys: { ...ports.subjectKeys, erase: () => Promise.reject(new Error('the database is away')) },
    })
    await expect(react(failing, owner)).rejects.toThrow('away')
    for (let time = 0; time < 3; time++) await react(forgetOnContactErased(handlers), owner)

    for (const subject of subjects) expect(await hasKey(subject)).toBe(false)
    expect(await countOf(owner, 'ContactKeyReleased')).toBe(2)
    expect(await countOf(owner, 'ChatErased')).toBe(1)
    expect(await countOf(owner, 'ContactErased')).toBe(1)
    expect(JSON.stringify((await eventsOf(owner)).map(({ data }) => data))).not.toMatch(
      /5511988776655|163640653|Ana|oi/,
    )
  })

  it('does not come back when what it had written is received only then', async () => {
    const { owner } = await erasedContact()
    await react(forgetOnContactErased(handlers), owner)
    await react(receiveOnMessageArrived(handlers), owner)
    expect(await countOf(owner, 'ContactAdded')).toBe(1)
    expect(await countOf(owner, 'MessageReceived')).toBe(1)
  })

  it('does not come back when its message is read again after a restart, before and after its addresses are free', async () => {
    const { owner } = await erasedContact()
    await react(receiveOnMessageArrived(contactHandlers(ports)), owner)
    expect(await countOf(owner, 'ContactAdded')).toBe(1)
    const cutShort = forgetOnContactErased({
      ...handlers,
      subjectKeys: { ...ports.subjectKeys, erase: () => Promise.reject(new Error('the database is away')) },
    })
    await expect(react(cutShort, owner)).rejects.toThrow('away')
    expect(await countOf(owner, 'ContactKeyReleased')).toBe(2)
    await react(receiveOnMessageArrived(contactHandlers(ports)), owner)
    expect(await countOf(owner, 'ContactAdded')).toBe(1)

    await record(`line-${randomUUID()}`, owner, arrived('voltei'))
    for (let time = 0; time < 2; time++) await react(receiveOnMessageArrived(contactHandlers(ports)), owner)
    const received = (await eventsOf(owner)).filter(({ type }) => type === 'MessageReceived')
    expect(received.map(({ data }) => data)).toMatchObject([
      { content: { text: 'oi' } },
      { content: { text: 'voltei' } },
    ])
    expect(await countOf(owner, 'ContactAdded')).toBe(2)
  })

  it('refuses a message that was on its way into the chat, which then belongs to a new contact', async () => {
    const { owner, id } = await erasedContact()
    await handlers.chats(id, { type: 'EraseChat', data: {} }, by(owner))
    await record(`line-${randomUUID()}`, owner, arrived('bem na hora'))
    await react(receiveOnMessageArrived(handlers), owner)
    const received = (await eventsOf(owner)).filter(({ type }) => type === 'MessageReceived')
    expect(received.at(-1)?.stream).not.toBe(`chat-${id}`)
    expect(received.at(-1)?.data).toMatchObject({ content: { text: 'bem na hora' } })
  })
})

describe('an erased account', () => {
  it('takes all its contacts with it, nobody else’s, and whoever writes to it afterwards', async () => {
    const [owner, other] = [randomUUID(), randomUUID()]
    for (const tenant of [owner, other]) {
      await record(`line-${randomUUID()}`, tenant, arrived('oi'))
      await react(receiveOnMessageArrived(handlers), tenant)
    }
    const reply = { quickReplyId: randomUUID(), shortcut: 'pix', content: 'Minha chave', isActive: true }
    const label = { labelId: randomUUID(), name: 'Fiel', colour: 'green' } as const
    for (const tenant of [owner, other]) await handlers.labels(tenant, { type: 'CreateLabel', data: label }, by(tenant))
    for (const tenant of [owner, other])
      await handlers.quickReplies(tenant, { type: 'AddQuickReply', data: reply }, by(tenant))
    await record(`user-${owner}`, owner, { type: 'UserErased', data: {} })
    for (let time = 0; time < 2; time++) await react(eraseOnUserErased(handlers, contactsOfTenant(ports)), owner)
    expect([await countOf(owner, 'ContactErased'), await countOf(other, 'ContactErased')]).toEqual([1, 0])
    expect([await countOf(owner, 'LabelDeleted'), await countOf(other, 'LabelDeleted')]).toEqual([1, 0])
    expect([await countOf(owner, 'QuickReplyRemoved'), await countOf(other, 'QuickReplyRemoved')]).toEqual([1, 0])

    await record(`line-${randomUUID()}`, owner, arrived('ainda aí?'))
    await react(receiveOnMessageArrived(handlers), owner)
    await react(forgetOnContactErased(handlers), owner)
    expect(await countOf(owner, 'ContactAdded')).toBe(2)
    expect(await countOf(owner, 'ContactErased')).toBe(2)
    expect(JSON.stringify(await eventsOf(owner), (_, value) => (typeof value === 'bigint' ? '' : value))).not.toMatch(
      /ainda aí|5511988776655|163640653/,
    )
    expect(await hasKey(addressSubject(other, `${addresses.lid}@lid`, ports.box.fingerprint))).toBe(true)
  })

  const accountWith = async (contacts: number) => {
    const owner = randomUUID()
    for (let number = 0; number < contacts; number++)
      await commandContactAt(handlers, owner, { phone: `551190000000${number}`, lid: null }, add, by(owner))
    await record(`user-${owner}`, owner, { type: 'UserErased', data: {} })
    return owner
  }

  it('is erased whole after a crash in the middle, by a process that never reads the whole log', async () => {
    const owner = await accountWith(5)
    const readAll = () => expect.fail('the whole log was read')
    const others = contactHandlers({ ...ports, store: { ...ports.store, readAll } })
    let left = 2
    const give = async (...given: Parameters<ContactHandlers['contacts']>) => {
      if (left-- === 0) throw new Error('killed')
      return others.contacts(...given)
    }
    const contacts = Object.assign(give, others.contacts)
    const contactsOf = contactsOfTenant(ports)
    await expect(react(eraseOnUserErased({ ...others, contacts }, contactsOf), owner)).rejects.toThrow('killed')
    expect(await countOf(owner, 'ContactErased')).toBe(2)
    for (let time = 0; time < 2; time++) await react(eraseOnUserErased(others, contactsOf), owner)
    expect(await countOf(owner, 'ContactErased')).toBe(5)
  })

  it('takes a contact with it that was added while the others were erased', async () => {
    const owner = await accountWith(2)
    let isAdded = false
    const give = async (...given: Parameters<ContactHandlers['contacts']>) => {
      if (!isAdded) await commandContactAt(handlers, owner, { phone: '5511955554444', lid: null }, add, by(owner))
      isAdded = true
      return handlers.contacts(...given)
    }
    const contacts = Object.assign(give, handlers.contacts)
    await react(eraseOnUserErased({ ...handlers, contacts }, contactsOfTenant(ports)), owner)
    expect(await countOf(owner, 'ContactErased')).toBe(3)
  })

  it('waits until all its contacts are known, and erases nothing before', async () => {
    const owner = await accountWith(1)
    const lagging = { ...ports.readModels, reached: async () => false }
    const parked = { ...ports.readModels, isParked: () => true }
    for (const readModels of [lagging, parked])
      await expect(
        react(eraseOnUserErased(handlers, contactsOfTenant({ pool: ports.pool, readModels })), owner),
      ).rejects.toThrow(StoreUnavailable)
    expect(await countOf(owner, 'ContactErased')).toBe(0)
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
    const [owner, other] = [randomUUID(), randomUUID()]
    await record(`user-${owner}`, owner, { type: 'UserErased', data: {} })
    await react(eraseOnUserErased(handlers, contactsOfTenant(ports)), owner)
    const about = { messageId: randomUUID(), chatJid: `${addresses.lid}@lid`, alternateJid: null, fromMe: false }
    for (const tenant of [owner, other])
      await record(`line-${randomUUID()}`, tenant, { type, data: { ...about, ...data } } as AnyEvent)
    for (const tenant of [owner, other]) await react(receiveOnMessageArrived(handlers), tenant)
    const keys = [owner, other].map((each) => addressSubject(each, about.chatJid, ports.box.fingerprint))
    expect(await Promise.all(keys.map(hasKey))).toEqual([false, true])
    expect(JSON.stringify((await eventsOf(owner)).map((event) => event.data))).not.toMatch(/🤫|163640653/)
  })
})
