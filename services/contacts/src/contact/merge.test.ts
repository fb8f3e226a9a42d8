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
  tenant: TestTenant,
  from: { chatJid: string; alternateJid?: string; pushName?: string },
) => {
  const { data } = await tenant.receives(from)
  const received = await tenant.events('MessageReceived')
  const found = received.find((each) => 'messageId' in data && each.data.messageId === data.messageId)
  if (!found) throw new Error('the message was not received')
  return found.stream.slice('chat-'.length)
}
const change = (tenant: TestTenant, id: string, type: 'AcceptConversation' | 'ResolveConversation') =>
  tenant.handlers.contacts(id, { type, data: { attendantId: tenant.owner } }, tenant.context())
const stateOf = (tenant: TestTenant, id: string) => tenant.handlers.contacts.load(id, tenant.owner)
const separated = (tenant: TestTenant, id: string, restored: string) =>
  separateContacts(tenant.handlers, id, restored, tenant.context())

const merged = async () => {
  const tenant = shop()
  const older = await contactOfMessage(tenant, { chatJid: phone })
  const younger = await contactOfMessage(tenant, { chatJid: lid, pushName: 'Ana' })
  await tenant.receives(both)
  return { tenant, older, younger }
}

describe('two contacts that turn out to be one person', () => {
  it('keep the name that the business gave one of them', async () => {
    const tenant = shop()
    const older = await contactOfMessage(tenant, { chatJid: phone })
    const younger = await contactOfMessage(tenant, { chatJid: lid, pushName: 'Ana' })
    const rename = { type: 'RenameContact', data: { name: 'Ana do bolo' } } as const
    await tenant.handlers.contacts(younger, rename, tenant.context())
    await tenant.receives(both)
    expect(await stateOf(tenant, older)).toMatchObject({ name: 'Ana', givenName: 'Ana do bolo' })
  })

  it('have the labels of both, and each its own once they are separated', async () => {
    const tenant = shop()
    const older = await contactOfMessage(tenant, { chatJid: phone })
    const younger = await contactOfMessage(tenant, { chatJid: lid })
    const [vip, late] = [randomUUID(), randomUUID()]
    const put = (id: string, labelId: string) =>
      tenant.handlers.contacts(id, { type: 'LabelContact', data: { labelId, existing: [labelId] } }, tenant.context())
    await put(older, vip)
    await put(younger, vip)
    await put(younger, late)
    await tenant.receives(both)
    expect((await stateOf(tenant, older)).labels).toEqual([vip, late])
    await tenant.handlers.contacts(older, { type: 'UnlabelContact', data: { labelId: vip } }, tenant.context())
    await tenant.settle()
    expect((await stateOf(tenant, older)).labels).toEqual([late])
    await separated(tenant, older, younger)
    expect((await stateOf(tenant, younger)).labels).toEqual([vip, late])
  })

  it('become one: the older goes on, with the other’s address and name', async () => {
    const { tenant, older, younger } = await merged()
    expect(younger).not.toBe(older)
    expect(await stateOf(tenant, older)).toMatchObject({
      status: 'waiting',
      phone: '551188776655',
      lid: '1636',
      name: 'Ana',
      absorbed: [younger],
    })
    expect(await stateOf(tenant, younger)).toMatchObject({ status: 'absorbed', into: older })
    for (const from of [{ chatJid: lid }, { chatJid: phone }, { chatJid: short }, both])
      expect(await contactOfMessage(tenant, from)).toBe(older)
  })

  it('become one also when the LID was known first', async () => {
    const tenant = shop()
    const older = await contactOfMessage(tenant, { chatJid: lid })
    const younger = await contactOfMessage(tenant, { chatJid: short })
    expect(await contactOfMessage(tenant, { chatJid: phone, alternateJid: lid })).toBe(older)
    expect(await stateOf(tenant, younger)).toMatchObject({ status: 'absorbed', into: older })
  })

  it('do not hide who waits behind a resolved conversation', async () => {
    const tenant = shop()
    const older = await contactOfMessage(tenant, { chatJid: phone })
    await change(tenant, older, 'AcceptConversation')
    await change(tenant, older, 'ResolveConversation')
    const younger = await contactOfMessage(tenant, { chatJid: lid })
    await change(tenant, younger, 'AcceptConversation')
    await tenant.receives({ ...both, fromMe: true })
    expect(await stateOf(tenant, older)).toMatchObject({ status: 'attending', attendantId: tenant.owner })
  })

  it('are all behind the oldest when three of them become one', async () => {
    const tenant = shop()
    const first = await contactOfMessage(tenant, { chatJid: '5521911112222@s.whatsapp.net' })
    const second = await contactOfMessage(tenant, { chatJid: phone })
    const third = await contactOfMessage(tenant, { chatJid: lid })
    await tenant.receives(both)
    await tenant.receives({ chatJid: lid, alternateJid: '5521911112222@s.whatsapp.net' })
    expect((await stateOf(tenant, first)).absorbed).toEqual([second, third])
    expect(await stateOf(tenant, third)).toMatchObject({ status: 'absorbed', into: first })
    for (const chatJid of [lid, phone, '5521911112222@s.whatsapp.net'])
      expect(await contactOfMessage(tenant, { chatJid })).toBe(first)
  })

  it('stay resolved when who waited behind one of them was attended there', async () => {
    const tenant = shop()
    const oldest = await contactOfMessage(tenant, { chatJid: '551133334444@s.whatsapp.net' })
    await change(tenant, oldest, 'AcceptConversation')
    await change(tenant, oldest, 'ResolveConversation')
    const middle = await contactOfMessage(tenant, { chatJid: phone })
    await contactOfMessage(tenant, { chatJid: lid })
    await tenant.receives(both)
    await change(tenant, middle, 'AcceptConversation')
    await change(tenant, middle, 'ResolveConversation')
    const people = await Promise.all([oldest, middle].map(async (id) => ({ id, state: await stateOf(tenant, id) })))
    await mergeContacts(tenant.handlers, tenant.owner, people as [Person, Person], tenant.context())
    expect(await stateOf(tenant, oldest)).toMatchObject({ status: 'resolved', absorbed: [middle, expect.any(String)] })
  })

  it('keep a message where it is that is reported again, and edits find it there', async () => {
    const tenant = shop()
    await contactOfMessage(tenant, { chatJid: phone })
    const event = await tenant.receives({ chatJid: lid, messageId: 'A1' })
    await tenant.receives(both)
    await tenant.react(receiveOnMessageArrived(tenant.handlers), event)
    expect((await tenant.events('MessageReceived')).filter(({ data }) => data.messageId === 'A1')).toHaveLength(1)
    const edit = await tenant.record(`line-${tenant.lineId}`, {
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
    await tenant.react(receiveOnMessageArrived(tenant.handlers), edit)
    const [received] = (await tenant.events('MessageReceived')).filter(({ data }) => data.messageId === 'A1')
    expect((await tenant.events('MessageEdited')).map(({ stream }) => stream)).toEqual([received?.stream])
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
      const { tenant, shared } = bare()
      const older = await contactOfMessage(tenant, { chatJid: phone })
      const younger = await contactOfMessage(tenant, { chatJid: lid, pushName: 'Ana' })
      const event = await tenant.arrived({ ...both, fromMe: true })
      const { store, wasCut } = cutShort(shared.store, nth)
      const receive = receiveOnMessageArrived(contactHandlers({ ...shared, store }))
      await tenant.react(receive, event).catch((error: Error) => expect(error.message).toBe('cut short'))
      if (!wasCut()) break
      const isDecided = (await tenant.events('ContactAbsorbed')).length > 0
      for (let time = 0; time < 2; time++) await tenant.settle()
      if (isDecided) {
        steps++
        expect(await stateOf(tenant, older)).toMatchObject({ absorbed: [younger], lid: '1636', name: 'Ana' })
        expect(await tenant.events('ContactKeyMoved')).toHaveLength(1)
      }
      await tenant.react(receiveOnMessageArrived(tenant.handlers), event)
      for (const type of ['ContactAbsorbed', 'ContactMerged', 'ContactKeyMoved', 'MessageSentElsewhere'] as const)
        expect([type, (await tenant.events(type)).length]).toEqual([type, 1])
      expect(await tenant.visible()).toHaveLength(1)
    }
    expect(steps).toBeGreaterThan(5)
  })
})

describe('a merge that is taken back', () => {
  it('gives each its own addresses again, and is not repeated by the next message', async () => {
    const { tenant, older, younger } = await merged()
    expect(await separated(tenant, older, younger)).toMatchObject({ ok: true })
    expect(await stateOf(tenant, older)).toMatchObject({ status: 'waiting', phone: '551188776655', lid: null })
    expect(await stateOf(tenant, younger)).toMatchObject({ status: 'waiting', phone: null, lid: '1636', into: null })
    expect(await contactOfMessage(tenant, { chatJid: lid })).toBe(younger)
    expect(await contactOfMessage(tenant, { chatJid: phone })).toBe(older)
    expect(await contactOfMessage(tenant, both)).toBe(younger)
    expect(await contactOfMessage(tenant, { chatJid: phone, alternateJid: lid })).toBe(younger)
    expect(await stateOf(tenant, older)).toMatchObject({ status: 'waiting', lid: null })
    expect((await tenant.visible()).map(({ id }) => id).sort()).toEqual([older, younger].sort())
  })

  it('is known to a process that remembers who held the address before', async () => {
    const { tenant, older, younger } = await merged()
    const other = contactHandlers({ ...ports, store: tenant.handlers.store, codec: tenant.handlers.codec })
    await tenant.receives({ chatJid: lid }, other)
    await separated(tenant, older, younger)
    const { data } = await tenant.receives({ chatJid: lid }, other)
    const kept = (await tenant.events('MessageReceived')).find(
      (each) => 'messageId' in data && each.data.messageId === data.messageId,
    )
    expect(kept?.stream).toBe(`chat-${younger}`)
  })

  it('is taken back once, and stays so when the merge is carried out late', async () => {
    const { tenant, older, younger } = await merged()
    for (let time = 0; time < 3; time++) expect((await separated(tenant, older, younger)).ok).toBe(true)
    await tenant.settle()
    expect(await tenant.events('ContactSeparated')).toHaveLength(1)
    expect(await tenant.events('ContactRestored')).toHaveLength(1)
    expect(await tenant.events('ContactKeyMoved')).toHaveLength(2)
    expect(await tenant.visible()).toHaveLength(2)
  })

  it('is carried to its end by the reactor wherever it was cut short', async () => {
    let steps = 0
    for (let nth = 1; ; nth++) {
      const { tenant, shared } = bare()
      const older = await contactOfMessage(tenant, { chatJid: phone })
      const younger = await contactOfMessage(tenant, { chatJid: lid })
      await tenant.receives(both)
      const { store, wasCut } = cutShort(shared.store, nth)
      const failing = contactHandlers({ ...shared, store })
      await separateContacts(failing, older, younger, tenant.context()).catch((error: Error) =>
        expect(error.message).toBe('cut short'),
      )
      if (!wasCut()) break
      if ((await tenant.events('ContactSeparated')).length === 0) continue
      steps++
      await tenant.settle()
      expect(await contactOfMessage(tenant, { chatJid: lid })).toBe(younger)
      expect(await contactOfMessage(tenant, { chatJid: phone })).toBe(older)
      expect(await stateOf(tenant, younger)).toMatchObject({ status: 'waiting', lid: '1636' })
    }
    expect(steps).toBeGreaterThan(3)
  })

  it('needs a merge', async () => {
    const tenant = shop()
    const one = await contactOfMessage(tenant, { chatJid: phone })
    const other = await contactOfMessage(tenant, { chatJid: lid })
    expect(await separated(tenant, one, other)).toEqual({ ok: false, rejected: 'contacts_not_merged' })
  })
})

describe('a person of several contacts', () => {
  it.each(['older', 'younger'] as const)('is erased whole, whichever contact is named: the %s', async (which) => {
    const { tenant, ...ids } = await merged()
    await erasePerson(tenant.handlers, ids[which], tenant.context())
    for (let time = 0; time < 2; time++)
      for (const event of await tenant.events('ContactErased'))
        await tenant.react(forgetOnContactErased(tenant.handlers), event)
    expect(await tenant.events('ContactErased')).toHaveLength(2)
    expect(await tenant.events('ChatErased')).toHaveLength(2)
    expect(await tenant.visible()).toEqual([])
    const successor = await contactOfMessage(tenant, both)
    expect([ids.older, ids.younger]).not.toContain(successor)
    expect(await tenant.visible()).toHaveLength(1)
  })
})
