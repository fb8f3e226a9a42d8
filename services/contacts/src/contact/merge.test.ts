import { randomUUID } from 'node:crypto'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveOnMessageArrived } from '../chat/receive-on-message-arrived.ts'
import { contactHandlers } from '../handlers.ts'
import { contactMigrations } from '../migrations/contact-migrations.ts'
import { type TestTenant, testTenant } from '../testing/test-tenant.ts'
import { erasePerson } from './erase-person.ts'
import { forgetOnContactErased } from './forget-on-contact-erased.ts'
import { mergeContacts, separateContacts } from './merge-process.ts'
import type { Person } from './person.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [contactMigrations] })
})
afterAll(() => ports.close())

const [lid, phone, short] = ['1636@lid', '5511988776655@s.whatsapp.net', '551188776655@s.whatsapp.net']
const both = { chatJid: lid, alternateJid: short }

const shop = () => testTenant({ ...ports, codec: eventCodec(), store: memoryEventStore() })

const contactOfMessage = async (
  company: TestTenant,
  from: { chatJid: string; alternateJid?: string; pushName?: string },
) => {
  const { data } = await company.receives(from)
  const received = await company.events('MessageReceived')
  const found = received.find((each) => 'messageId' in data && each.data.messageId === data.messageId)
  if (!found) throw new Error('the message was not received')
  return found.stream.slice('chat-'.length)
}
const change = (company: TestTenant, id: string, type: 'AcceptConversation' | 'ResolveConversation') =>
  company.handlers.contacts(id, { type, data: { attendantId: company.tenant } }, company.context())
const stateOf = (company: TestTenant, id: string) => company.handlers.contacts.load(id, company.tenant)
const separated = (company: TestTenant, id: string, restored: string) =>
  separateContacts(company.handlers, id, restored, company.context())

const merged = async () => {
  const company = shop()
  const older = await contactOfMessage(company, { chatJid: phone })
  const younger = await contactOfMessage(company, { chatJid: lid, pushName: 'Ana' })
  await company.receives(both)
  return { tenant: company, older, younger }
}

describe('two contacts that turn out to be one person', () => {
  it('keep the name that the business gave one of them', async () => {
    const company = shop()
    const older = await contactOfMessage(company, { chatJid: phone })
    const younger = await contactOfMessage(company, { chatJid: lid, pushName: 'Ana' })
    const rename = { type: 'RenameContact', data: { name: 'Ana do bolo' } } as const
    await company.handlers.contacts(younger, rename, company.context())
    await company.receives(both)
    expect(await stateOf(company, older)).toMatchObject({ name: 'Ana', givenName: 'Ana do bolo' })
  })

  it('have the labels of both, and each its own once they are separated', async () => {
    const company = shop()
    const older = await contactOfMessage(company, { chatJid: phone })
    const younger = await contactOfMessage(company, { chatJid: lid })
    const [vip, late] = [randomUUID(), randomUUID()]
    const put = (id: string, labelId: string) =>
      company.handlers.contacts(id, { type: 'LabelContact', data: { labelId, existing: [labelId] } }, company.context())
    await put(older, vip)
    await put(younger, vip)
    await put(younger, late)
    await company.receives(both)
    expect((await stateOf(company, older)).labels).toEqual([vip, late])
    await company.handlers.contacts(older, { type: 'UnlabelContact', data: { labelId: vip } }, company.context())
    await company.settle()
    expect((await stateOf(company, older)).labels).toEqual([late])
    await separated(company, older, younger)
    expect((await stateOf(company, younger)).labels).toEqual([vip, late])
  })

  it('become one: the older goes on, with the other’s address and name', async () => {
    const { tenant: company, older, younger } = await merged()
    expect(younger).not.toBe(older)
    expect(await stateOf(company, older)).toMatchObject({
      status: 'waiting',
      phone: '551188776655',
      lid: '1636',
      name: 'Ana',
      absorbed: [younger],
    })
    expect(await stateOf(company, younger)).toMatchObject({ status: 'absorbed', into: older })
    for (const from of [{ chatJid: lid }, { chatJid: phone }, { chatJid: short }, both])
      expect(await contactOfMessage(company, from)).toBe(older)
  })

  it('become one also when the LID was known first', async () => {
    const company = shop()
    const older = await contactOfMessage(company, { chatJid: lid })
    const younger = await contactOfMessage(company, { chatJid: short })
    expect(await contactOfMessage(company, { chatJid: phone, alternateJid: lid })).toBe(older)
    expect(await stateOf(company, younger)).toMatchObject({ status: 'absorbed', into: older })
  })

  it('do not hide who waits behind a resolved conversation', async () => {
    const company = shop()
    const older = await contactOfMessage(company, { chatJid: phone })
    await change(company, older, 'AcceptConversation')
    await change(company, older, 'ResolveConversation')
    const younger = await contactOfMessage(company, { chatJid: lid })
    await change(company, younger, 'AcceptConversation')
    await company.receives({ ...both, fromMe: true })
    expect(await stateOf(company, older)).toMatchObject({ status: 'attending', attendantId: company.tenant })
  })

  it('are all behind the oldest when three of them become one', async () => {
    const company = shop()
    const first = await contactOfMessage(company, { chatJid: '5521911112222@s.whatsapp.net' })
    const second = await contactOfMessage(company, { chatJid: phone })
    const third = await contactOfMessage(company, { chatJid: lid })
    await company.receives(both)
    await company.receives({ chatJid: lid, alternateJid: '5521911112222@s.whatsapp.net' })
    expect((await stateOf(company, first)).absorbed).toEqual([second, third])
    expect(await stateOf(company, third)).toMatchObject({ status: 'absorbed', into: first })
    for (const chatJid of [lid, phone, '5521911112222@s.whatsapp.net'])
      expect(await contactOfMessage(company, { chatJid })).toBe(first)
  })

  it('stay resolved when who waited behind one of them was attended there', async () => {
    const company = shop()
    const oldest = await contactOfMessage(company, { chatJid: '551133334444@s.whatsapp.net' })
    await change(company, oldest, 'AcceptConversation')
    await change(company, oldest, 'ResolveConversation')
    const middle = await contactOfMessage(company, { chatJid: phone })
    await contactOfMessage(company, { chatJid: lid })
    await company.receives(both)
    await change(company, middle, 'AcceptConversation')
    await change(company, middle, 'ResolveConversation')
    const people = await Promise.all([oldest, middle].map(async (id) => ({ id, state: await stateOf(company, id) })))
    await mergeContacts(company.handlers, company.tenant, people as [Person, Person], company.context())
    expect(await stateOf(company, oldest)).toMatchObject({ status: 'resolved', absorbed: [middle, expect.any(String)] })
  })

  it('keep a message where it is that is reported again, and edits find it there', async () => {
    const company = shop()
    await contactOfMessage(company, { chatJid: phone })
    const event = await company.receives({ chatJid: lid, messageId: 'A1' })
    await company.receives(both)
    await company.react(receiveOnMessageArrived(company.handlers), event)
    expect((await company.events('MessageReceived')).filter(({ data }) => data.messageId === 'A1')).toHaveLength(1)
    const edit = await company.record(`line-${company.lineId}`, {
      type: 'EditArrived',
      data: {
        messageId: 'A1',
        editId: 'E1',
        chatJid: lid,
        alternateJid: null,
        fromMe: false,
        editedAt: ports.clock.now(),
        content: { kind: 'text', text: 'olá' },
      },
    })
    await company.react(receiveOnMessageArrived(company.handlers), edit)
    const [received] = (await company.events('MessageReceived')).filter(({ data }) => data.messageId === 'A1')
    expect((await company.events('MessageEdited')).map(({ stream }) => stream)).toEqual([received?.stream])
  })
})

/** Dies once, at its `nth` call. */
const cutShort = (store: EventStore, nth: number): { store: EventStore; wasCut: () => boolean } => {
  let calls = 0
  const next = () => {
    calls += 1
    if (calls === nth) throw new Error('cut short')
  }
  return {
    store: {
      ...store,
      async append(...all) {
        next()
        return store.append(...all)
      },
      async *read(...all) {
        next()
        yield* store.read(...all)
      },
    },
    wasCut: () => calls >= nth,
  }
}

const bare = () => {
  const store = memoryEventStore()
  const shared = { ...ports, codec: eventCodec(), store }
  return { tenant: testTenant(shared), shared }
}

describe('a merge that is cut short', () => {
  it('is carried to its end by the reactor alone, each step once, wherever it was', async () => {
    let steps = 0
    for (let nth = 1; ; nth++) {
      const { tenant: company, shared } = bare()
      const older = await contactOfMessage(company, { chatJid: phone })
      const younger = await contactOfMessage(company, { chatJid: lid, pushName: 'Ana' })
      const event = await company.arrived({ ...both, fromMe: true })
      const { store, wasCut } = cutShort(shared.store, nth)
      const receive = receiveOnMessageArrived(contactHandlers({ ...shared, store }))
      await company.react(receive, event).catch((error: Error) => expect(error.message).toBe('cut short'))
      if (!wasCut()) break
      const isDecided = (await company.events('ContactAbsorbed')).length > 0
      for (let time = 0; time < 2; time++) await company.settle()
      if (isDecided) {
        steps++
        expect(await stateOf(company, older)).toMatchObject({ absorbed: [younger], lid: '1636', name: 'Ana' })
        expect(await company.events('ContactKeyMoved')).toHaveLength(1)
      }
      await company.react(receiveOnMessageArrived(company.handlers), event)
      for (const type of ['ContactAbsorbed', 'ContactMerged', 'ContactKeyMoved', 'MessageSentElsewhere'] as const)
        expect([type, (await company.events(type)).length]).toEqual([type, 1])
      expect(await company.visible()).toHaveLength(1)
    }
    expect(steps).toBeGreaterThan(5)
  })
})

describe('a merge that is taken back', () => {
  it('gives each its own addresses again, and is not repeated by the next message', async () => {
    const { tenant: company, older, younger } = await merged()
    expect(await separated(company, older, younger)).toMatchObject({ ok: true })
    expect(await stateOf(company, older)).toMatchObject({ status: 'waiting', phone: '551188776655', lid: null })
    expect(await stateOf(company, younger)).toMatchObject({ status: 'waiting', phone: null, lid: '1636', into: null })
    expect(await contactOfMessage(company, { chatJid: lid })).toBe(younger)
    expect(await contactOfMessage(company, { chatJid: phone })).toBe(older)
    expect(await contactOfMessage(company, both)).toBe(younger)
    expect(await contactOfMessage(company, { chatJid: phone, alternateJid: lid })).toBe(younger)
    expect(await stateOf(company, older)).toMatchObject({ status: 'waiting', lid: null })
    expect((await company.visible()).map(({ id }) => id).sort()).toEqual([older, younger].sort())
  })

  it('is known to a process that remembers who held the address before', async () => {
    const { tenant: company, older, younger } = await merged()
    const other = contactHandlers({ ...ports, store: company.handlers.store, codec: company.handlers.codec })
    await company.receives({ chatJid: lid }, other)
    await separated(company, older, younger)
    const { data } = await company.receives({ chatJid: lid }, other)
    const kept = (await company.events('MessageReceived')).find(
      (each) => 'messageId' in data && each.data.messageId === data.messageId,
    )
    expect(kept?.stream).toBe(`chat-${younger}`)
  })

  it('is taken back once, and stays so when the merge is carried out late', async () => {
    const { tenant: company, older, younger } = await merged()
    for (let time = 0; time < 3; time++) expect((await separated(company, older, younger)).ok).toBe(true)
    await company.settle()
    expect(await company.events('ContactSeparated')).toHaveLength(1)
    expect(await company.events('ContactRestored')).toHaveLength(1)
    expect(await company.events('ContactKeyMoved')).toHaveLength(2)
    expect(await company.visible()).toHaveLength(2)
  })

  it('is carried to its end by the reactor wherever it was cut short', async () => {
    let steps = 0
    for (let nth = 1; ; nth++) {
      const { tenant: company, shared } = bare()
      const older = await contactOfMessage(company, { chatJid: phone })
      const younger = await contactOfMessage(company, { chatJid: lid })
      await company.receives(both)
      const { store, wasCut } = cutShort(shared.store, nth)
      const failing = contactHandlers({ ...shared, store })
      await separateContacts(failing, older, younger, company.context()).catch((error: Error) =>
        expect(error.message).toBe('cut short'),
      )
      if (!wasCut()) break
      if ((await company.events('ContactSeparated')).length === 0) continue
      steps++
      await company.settle()
      expect(await contactOfMessage(company, { chatJid: lid })).toBe(younger)
      expect(await contactOfMessage(company, { chatJid: phone })).toBe(older)
      expect(await stateOf(company, younger)).toMatchObject({ status: 'waiting', lid: '1636' })
    }
    expect(steps).toBeGreaterThan(3)
  })

  it('needs a merge', async () => {
    const company = shop()
    const one = await contactOfMessage(company, { chatJid: phone })
    const other = await contactOfMessage(company, { chatJid: lid })
    expect(await separated(company, one, other)).toEqual({ ok: false, rejected: 'contacts_not_merged' })
  })
})

describe('a person of several contacts', () => {
  it.each(['older', 'younger'] as const)('is erased whole, whichever contact is named: the %s', async (which) => {
    const { tenant: company, ...ids } = await merged()
    await erasePerson(company.handlers, ids[which], company.context())
    for (let time = 0; time < 2; time++)
      for (const event of await company.events('ContactErased'))
        await company.react(forgetOnContactErased(company.handlers), event)
    expect(await company.events('ContactErased')).toHaveLength(2)
    expect(await company.events('ChatErased')).toHaveLength(2)
    expect(await company.visible()).toEqual([])
    const successor = await contactOfMessage(company, both)
    expect([ids.older, ids.younger]).not.toContain(successor)
    expect(await company.visible()).toHaveLength(1)
  })
})
