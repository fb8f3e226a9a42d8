import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveOnMessageArrived } from '../chat/receive-on-message-arrived.ts'
import { contactHandlers } from '../handlers.ts'
import { contactMigrations } from '../migrations/contact-migrations.ts'
import { type TestTenant, testTenant } from '../testing/test-tenant.ts'
import { commandContactAt } from './command-contact-at.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [contactMigrations] })
})
afterAll(() => ports.close())

const [phone, short] = ['5511988776655@s.whatsapp.net', '551188776655@s.whatsapp.net']
const [juliana, newHolder] = ['1636@lid', '2747@lid']

const portsOfTest = () => ({ ...ports, codec: eventCodec(), store: memoryEventStore() })
const chatOf = async (company: TestTenant, from: Parameters<TestTenant['receives']>[0]) => {
  const { data } = await company.receives(from)
  const received = await company.events('MessageReceived')
  const found = received.find((each) => 'messageId' in data && each.data.messageId === data.messageId)
  return found?.stream.slice('chat-'.length) ?? ''
}
const stateOf = (company: TestTenant, id: string) => company.handlers.contacts.load(id, company.tenant)
const passings = (company: TestTenant) => company.events('ContactNumberPassedOn', 'ContactNumberTakenOver')

const known = async () => {
  const company = testTenant(portsOfTest())
  const old = await chatOf(company, { chatJid: juliana, alternateJid: phone, pushName: 'Juliana' })
  return { tenant: company, old }
}

describe('a number that WhatsApp reports with the LID of another account', () => {
  it('is a new contact’s, in a conversation of its own; the earlier one keeps what was written, without the number', async () => {
    const { tenant: company, old } = await known()
    const fresh = await chatOf(company, { chatJid: newHolder, alternateJid: short, pushName: 'Bruno' })
    expect(fresh).not.toBe(old)
    expect(await stateOf(company, fresh)).toMatchObject({
      status: 'waiting',
      phone: '551188776655',
      lid: '2747',
      name: 'Bruno',
    })
    expect(await stateOf(company, old)).toMatchObject({ phone: null, lid: '1636', name: 'Juliana' })
    expect((await passings(company)).map(({ stream, type, data }) => [stream, type, data])).toEqual([
      [`contact-${old}`, 'ContactNumberPassedOn', { to: fresh }],
      [`contact-${fresh}`, 'ContactNumberTakenOver', { from: old }],
    ])
    for (const from of [{ chatJid: phone }, { chatJid: newHolder }, { chatJid: newHolder, alternateJid: phone }])
      expect(await chatOf(company, from)).toBe(fresh)
    expect(await chatOf(company, { chatJid: juliana })).toBe(old)
    expect(await passings(company)).toHaveLength(2)
  })

  it('is the contact’s who was known by that LID already, whom nothing merges with the earlier one', async () => {
    const { tenant: company, old } = await known()
    const fresh = await chatOf(company, { chatJid: newHolder })
    expect(await chatOf(company, { chatJid: newHolder, alternateJid: phone })).toBe(fresh)
    expect(await stateOf(company, fresh)).toMatchObject({ phone: '5511988776655', lid: '2747' })
    expect(await stateOf(company, old)).toMatchObject({ status: 'waiting', phone: null, absorbed: [] })
    expect(await company.events('ContactAbsorbed')).toEqual([])
  })

  it('does not go back because a message of the earlier time comes late', async () => {
    const { tenant: company, old } = await known()
    const fresh = await chatOf(company, { chatJid: newHolder, alternateJid: phone })
    expect(await chatOf(company, { chatJid: juliana, alternateJid: phone })).toBe(old)
    expect(await stateOf(company, old)).toMatchObject({ phone: null })
    expect(await chatOf(company, { chatJid: phone })).toBe(fresh)
    expect(await passings(company)).toHaveLength(2)
  })

  it('is a new contact’s also when the own side wrote to it, or an attendant added it', async () => {
    const { tenant: company, old } = await known()
    await company.receives({ chatJid: newHolder, alternateJid: phone, fromMe: true })
    expect((await company.visible()).map(({ state }) => [state.lid, state.phone, state.status])).toEqual([
      ['1636', null, 'waiting'],
      ['2747', '5511988776655', 'resolved'],
    ])
    const typed = { phone: '5511988776655', lid: '3858' }
    const command = { type: 'AddContact', data: { isTyped: false } } as const
    const added = await commandContactAt(company.handlers, company.tenant, typed, command, company.context())
    expect(added.id).not.toBe(old)
    expect(added.state).toMatchObject(typed)
  })

  it('is known to a process that remembers who had it', async () => {
    const all = portsOfTest()
    const company = testTenant(all)
    const other = contactHandlers(all)
    const old = await chatOf(company, { chatJid: juliana, alternateJid: phone })
    await company.receives({ chatJid: phone }, other)
    const fresh = await chatOf(company, { chatJid: newHolder, alternateJid: phone })
    const typed = { phone: '5511988776655', lid: null }
    const command = { type: 'AddContact', data: { isTyped: true } } as const
    expect((await commandContactAt(other, company.tenant, typed, command, company.context())).id).toBe(fresh)
    expect(await stateOf(company, old)).toMatchObject({ phone: null })
  })

  it('passes on once and wholly, wherever a process died in the middle of it', async () => {
    for (let appends = 0; appends < 8; appends++) {
      const all = portsOfTest()
      const company = testTenant(all)
      const old = await chatOf(company, { chatJid: juliana, alternateJid: phone })
      const event = await company.arrived({ chatJid: newHolder, alternateJid: phone })
      let left = appends
      const dying: typeof all.store = {
        ...all.store,
        async append(...about) {
          if (left-- <= 0) throw new Error('the process died')
          return all.store.append(...about)
        },
      }
      const first = contactHandlers({ ...all, store: dying })
      await company.react(receiveOnMessageArrived(first), event).catch(() => undefined)
      await company.react(receiveOnMessageArrived(contactHandlers(all)), event)
      const fresh = (await company.visible()).filter(({ id }) => id !== old)
      expect(fresh.map(({ state }) => [state.phone, state.lid])).toEqual([['5511988776655', '2747']])
      expect(await stateOf(company, old)).toMatchObject({ phone: null, lid: '1636' })
      expect((await passings(company)).map(({ type }) => type)).toEqual([
        'ContactNumberPassedOn',
        'ContactNumberTakenOver',
      ])
      expect(await company.events('MessageReceived')).toHaveLength(2)
    }
  })
})

describe('a number that was known alone', () => {
  it('gets its LID: whose it was before is unknown', async () => {
    const company = testTenant(portsOfTest())
    const one = await chatOf(company, { chatJid: phone })
    expect(await chatOf(company, { chatJid: newHolder, alternateJid: phone })).toBe(one)
    expect(await passings(company)).toEqual([])
  })
})

describe('a person who has another number', () => {
  it('stays the same contact, by the LID', async () => {
    const { tenant: company, old } = await known()
    const other = '5521977776666@s.whatsapp.net'
    expect(await chatOf(company, { chatJid: juliana, alternateJid: other })).toBe(old)
    expect(await stateOf(company, old)).toMatchObject({ phone: '5521977776666', lid: '1636' })
    expect(await passings(company)).toEqual([])
  })
})
