import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

type Shop = Awaited<ReturnType<TestContacts['shop']>>

const kept = (shop: Shop, count: number) =>
  until(async () => {
    const found = await shop.events('MessageReceived', 'MessageSentElsewhere')
    return found.length === count && found
  })
const contactIdOf = (event: { stream: string } | undefined) => event?.stream.slice('chat-'.length) ?? ''

const oneOfTwo = async () => {
  const shop = await service.shop()
  await shop.receives(arrived('um', { chatJid: '5511988776655@s.whatsapp.net', messageId: 'ONE' }))
  const [first] = await kept(shop, 1)
  await shop.receives(arrived('dois', { chatJid: '1636@lid', messageId: 'TWO' }))
  const older = contactIdOf(first)
  const younger = contactIdOf((await kept(shop, 2)).find(({ data }) => 'messageId' in data && data.messageId === 'TWO'))
  await shop.receives(arrived('três', { chatJid: '1636@lid', alternateJid: '5511988776655@s.whatsapp.net' }))
  await kept(shop, 3)
  return { ...shop, older, younger }
}

describe('whoever is added by number', () => {
  it('is added as WhatsApp knows the number, with the LID', async () => {
    const { ask, events, lineIsKnown } = await service.shop()
    await lineIsKnown()
    service.numbers.set('5511977776666', { exists: true, phone: '551177776666', lid: '1777' })
    const reply = await ask('POST', '/contacts', { phone: '5511977776666' })
    expect([reply.statusCode, reply.json()]).toMatchObject([201, { phone: '551177776666', serviceStatus: 'waiting' }])
    expect((await events('ContactAdded')).map(({ data }) => data)).toMatchObject([{ lid: '1777', origin: 'attendant' }])
    const again = await ask('POST', '/contacts', { phone: '551177776666' })
    expect(again.json().id).toBe(reply.json().id)
  })

  it('is not added when WhatsApp does not know the number', async () => {
    const { ask, events, lineIsKnown } = await service.shop()
    await lineIsKnown()
    service.numbers.set('5511900000000', { exists: false, phone: null, lid: null })
    const reply = await ask('POST', '/contacts', { phone: '5511900000000' })
    expect([reply.statusCode, reply.json().type, reply.json().errors]).toEqual([
      422,
      'number_not_on_whatsapp',
      [{ field: 'phone', message: 'Este número não tem WhatsApp.' }],
    ])
    expect(await events('ContactAdded', 'ContactKeyClaimed')).toEqual([])
  })

  it('is asked of WhatsApp once, whether it has the number or not, until the answer is too old or somebody was erased', async () => {
    const { tenant, ask, lineIsKnown } = await service.shop()
    await lineIsKnown()
    const [there, nobody] = ['5511966665555', '5511966664444']
    service.numbers.set(there, { exists: true, phone: there, lid: null })
    service.numbers.set(nobody, { exists: false, phone: null, lid: null })
    const askedFor = () => service.asked.filter((each) => each.tenant === tenant).map(({ phone }) => phone)
    for (const _ of [1, 2, 3]) {
      expect((await ask('POST', '/contacts', { phone: there })).statusCode).toBe(201)
      expect((await ask('POST', '/contacts', { phone: nobody })).statusCode).toBe(422)
    }
    expect(askedFor()).toEqual([there, nobody])
    const { pool } = service.ports
    const { rows } = await pool.query('select l::text as row from looked_up_number l where owner = $1', [tenant])
    expect(rows).toHaveLength(2)
    for (const digits of [there, nobody]) expect(JSON.stringify(rows)).not.toContain(digits)
    await pool.query(`update looked_up_number set expires_at = now() - interval '1 second' where owner = $1`, [tenant])
    const { id } = (await ask('POST', '/contacts', { phone: there })).json()
    expect(askedFor()).toEqual([there, nobody, there])
    await ask('DELETE', `/contacts/${id}`)
    const left = 'select from looked_up_number where owner = $1'
    await until(async () => (await pool.query(left, [tenant])).rowCount === 0)
  })

  it('has to wait where the lines have looked up as many numbers as they may', async () => {
    const { ask, lineIsKnown, events } = await service.shop()
    await lineIsKnown()
    service.tooSoon.add('5511933332222')
    const reply = await ask('POST', '/contacts', { phone: '5511933332222' })
    expect([reply.statusCode, reply.json().type, reply.headers['retry-after']]).toEqual([
      429,
      'too_many_look_ups',
      '90',
    ])
    expect(await events('ContactAdded')).toEqual([])
  })

  it('is added as typed while no line is up, and WhatsApp is not asked', async () => {
    const { ask, record, connectionId, tenant, lineIsKnown } = await service.shop()
    await lineIsKnown()
    await record(`connection-${connectionId}`, { type: 'LineDropped', data: { code: 428, reason: 'lost' } })
    await until(
      async () =>
        (await service.ports.pool.query('select from open_line where owner = $1 and is_open', [tenant])).rowCount === 0,
    )
    const reply = await ask('POST', '/contacts', { phone: '5511966665555' })
    expect(reply.json()).toMatchObject({ phone: '5511966665555' })
    expect(service.asked.filter((each) => each.tenant === tenant)).toEqual([])
  })

  it('is the contact whose LID that is', async () => {
    const { ask, receives, events, lineIsKnown } = await service.shop()
    await lineIsKnown()
    await receives(arrived('oi', { chatJid: '1888@lid' }))
    const [received] = await until(async () => {
      const found = await events('MessageReceived')
      return found.length > 0 && found
    })
    service.numbers.set('5511955554444', { exists: true, phone: '551155554444', lid: '1888' })
    const reply = await ask('POST', '/contacts', { phone: '5511955554444' })
    expect(reply.json().id).toBe(contactIdOf(received))
  })
})

describe('a command to a contact that was merged', () => {
  it('goes to the one that goes on', async () => {
    const { ask, events, older, younger, connectionId } = await oneOfTwo()
    const accepted = await ask('PATCH', `/contacts/${younger}/status`, { status: 'attending' })
    expect(accepted.json()).toEqual({ id: older, serviceStatus: 'attending' })
    const sent = await ask('POST', '/send-message', { connectionId, contactId: younger, message: 'Olá' })
    expect(sent.json()).toMatchObject({ contactId: older, status: 'queued' })
    const [queued] = await events('MessageQueued')
    expect([queued?.stream, queued?.data]).toMatchObject([`chat-${older}`, { toJid: '1636@lid' }])
    expect((await ask('POST', `/contacts/${younger}/seen`)).json()).toEqual({ id: older })
    expect(new Set((await events('ChatSeen')).map(({ stream }) => stream))).toEqual(new Set([`chat-${younger}`]))
  })

  it('finds the messages that each of them had, and a message that failed there goes out from there again', async () => {
    const shop = await service.shop()
    await shop.receives(arrived('oi', { chatJid: '1636@lid', messageId: 'TWO' }))
    const younger = contactIdOf((await kept(shop, 1))[0])
    const message = { connectionId: shop.connectionId, message: 'Olá', messageId: '3EB0BBBBBBBBBBBBBBBBBB' }
    await shop.ask('POST', '/send-message', { ...message, contactId: younger })
    await shop.receives({
      type: 'DispatchFailed',
      data: { messageId: message.messageId, contactId: younger, code: '463' },
    })
    await until(async () => (await shop.events('MessageFailed')).length === 1)
    await shop.receives(arrived('um', { chatJid: '5511988776655@s.whatsapp.net' }))
    await kept(shop, 2)
    await shop.receives(arrived('três', { chatJid: '1636@lid', alternateJid: '5511988776655@s.whatsapp.net' }))
    await kept(shop, 3)
    await until(async () => (await shop.events('ContactMerged')).length === 1)

    const reply = await shop.ask('POST', '/send-message', { ...message, contactId: younger })
    expect(reply.statusCode).toBe(202)
    expect((await shop.events('MessageQueued')).map(({ stream }) => stream)).toEqual([
      `chat-${younger}`,
      `chat-${younger}`,
    ])
    const { connectionId } = shop
    const reacted = await shop.ask('POST', `/contacts/${younger}/messages/TWO/reaction`, { connectionId, emoji: '👍' })
    expect(reacted.statusCode).toBe(202)
    expect((await shop.events('ReactionQueued'))[0]?.stream).toBe(`chat-${younger}`)
  })

  it('erases all of them', async () => {
    const { ask, events, younger } = await oneOfTwo()
    expect((await ask('DELETE', `/contacts/${younger}`)).statusCode).toBe(200)
    await until(async () => (await events('ChatErased')).length === 2)
    expect(await events('ContactErased')).toHaveLength(2)
  })
})

describe('a merge', () => {
  it('is taken back by an attendant, once', async () => {
    const { ask, events, receives, older, younger } = await oneOfTwo()
    for (let time = 0; time < 2; time++) {
      const reply = await ask('POST', `/contacts/${older}/separate`, { contactId: younger })
      expect([reply.statusCode, reply.json()]).toEqual([200, { id: older, contactId: younger }])
    }
    expect(await events('ContactSeparated', 'ContactRestored')).toHaveLength(2)
    await receives(arrived('quatro', { chatJid: '1636@lid', alternateJid: '5511988776655@s.whatsapp.net' }))
    const last = (
      await until(async () => {
        const found = await events('MessageReceived')
        return found.length === 4 && found
      })
    ).at(-1)
    expect(contactIdOf(last)).toBe(younger)
    expect(await events('ContactAbsorbed')).toHaveLength(1)
  })

  it('is not taken back by anybody else, nor where there is none', async () => {
    const [theirs, mine] = [await oneOfTwo(), await service.shop()]
    const foreign = await mine.ask('POST', `/contacts/${theirs.older}/separate`, { contactId: theirs.younger })
    expect([foreign.statusCode, foreign.json().type]).toEqual([404, 'contact_not_found'])
    const { id } = (await mine.ask('POST', '/contacts', { phone: '5511988776655' })).json()
    const none = await mine.ask('POST', `/contacts/${id}/separate`, { contactId: theirs.younger })
    expect([none.statusCode, none.json().type]).toEqual([409, 'contacts_not_merged'])
    expect(await theirs.events('ContactSeparated')).toEqual([])
  })
})

describe('while a browser shows a contact', () => {
  it('the sessions are notified where that person is to be found, and that somebody writes', async () => {
    const { tenant, older, younger, connectionId } = await oneOfTwo()
    const { pubSub } = service.ports
    const wanted: unknown[] = []
    const published: unknown[] = []
    pubSub.subscribe('presence.wanted', (each) => void (each.tenant === tenant && wanted.push(each)))
    pubSub.subscribe('presence.requested', (each) => void (each.tenant === tenant && published.push(each)))
    await until(async () => {
      await pubSub.publish('contact.opened', { tenant, contactId: younger })
      return wanted.length > 0
    })
    const jids = ['1636@lid', '5511988776655@s.whatsapp.net']
    expect(wanted[0]).toEqual({ tenant, contactId: younger, jids })

    await pubSub.publish('contact.typing', { tenant, contactId: older, state: 'typing' })
    await pubSub.publish('contact.typing', { tenant, contactId: older, state: 'paused' })
    await until(() => published.length > 1)
    const about = { tenant, contactId: older, connectionId, toJid: '1636@lid' }
    expect(published).toContainEqual({ ...about, state: 'typing' })
    expect(published).toContainEqual({ ...about, state: 'paused' })
  })

  it('nobody is notified of another tenant’s contact', async () => {
    const [theirs, mine] = [await oneOfTwo(), await oneOfTwo()]
    const { pubSub } = service.ports
    const wanted: string[] = []
    pubSub.subscribe('presence.wanted', ({ contactId }) => void wanted.push(contactId))
    await pubSub.publish('contact.opened', { tenant: mine.tenant, contactId: theirs.older })
    await until(async () => {
      await pubSub.publish('contact.opened', { tenant: mine.tenant, contactId: mine.older })
      return wanted.includes(mine.older)
    })
    expect(wanted).not.toContain(theirs.older)
  })
})
