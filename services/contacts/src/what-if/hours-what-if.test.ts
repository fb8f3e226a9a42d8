import { randomUUID } from 'node:crypto'
import type { HoursWhatIfPart } from '@prosa/contracts/http/what-if/hours'
import { daysAfter } from '@prosa/contracts/values/time/period'
import { saoPauloDay } from '@prosa/contracts/values/time/sao-paulo'
import { shortestSlices } from '@prosa/kernel/testing/time-slices'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactHandlers } from '../handlers.ts'
import { listContacts } from '../queries.ts'
import { closedNow, openAlways } from '../testing/closed-now.ts'
import { leaveToReply } from '../testing/leave-to-reply.ts'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'
import { hoursWhatIf } from './hours-what-if.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const today = () => saoPauloDay(new Date().toISOString()).name
const days = () => ({ from: daysAfter(today(), -1), to: today() })

const closedShop = async (hours: object = closedNow()) => {
  const shop = await service.shop()
  await shop.request('PUT', '/api/opening-hours', hours)
  await shop.request('PATCH', '/api/opening-hours/reply', { isOn: true })
  const ask = async (draft: object, more: object = {}) => {
    const body = { ...draft, isReplyOn: true, ...days(), ...more }
    return shop.request('POST', '/api/opening-hours/what-if', body)
  }
  const received = async (count: number) => {
    await until(async () => (await shop.events('MessageReceived')).length === count)
    await leaveToReply(shop)
  }
  const replied = (count: number) =>
    until(async () => {
      await leaveToReply(shop)
      return (await shop.events('MessageQueued')).length === count
    })
  const isListed = (count: number) =>
    until(async () => (await listContacts(service.ports.pool, shop.tenant, '', 10)).total === count)
  return { ...shop, whatIf: ask, received, replied, isListed }
}

describe('what if the hours were others', () => {
  it('shows whom they would not have answered, and appends and sends nothing', async () => {
    const shop = await closedShop()
    await shop.receives(arrived('Oi', { messageId: 'FIRST' }), arrived('Tem alguém?'))
    await shop.replied(1)
    await shop.received(2)
    await shop.isListed(1)
    const before = (await shop.events('MessageQueued', 'OpeningHoursSet', 'MessageReceived')).length
    const found = (await shop.whatIf(openAlways())).json<HoursWhatIfPart>()
    expect(found).toMatchObject({ done: 1, total: 1, next: null, isCut: false })
    expect(found).toMatchObject({ messages: 2, answered: 1, wouldAnswer: 0, gained: 0, lost: 1 })
    expect(found.differences).toMatchObject([
      { contactName: 'Ana', messageId: 'FIRST', was: 'answered', would: 'open' },
    ])
    expect((await shop.whatIf(closedNow())).json()).toMatchObject({ answered: 1, wouldAnswer: 1, differences: [] })
    const off = (await shop.whatIf(closedNow(), { isReplyOn: false })).json<HoursWhatIfPart>()
    expect(off.differences).toMatchObject([{ was: 'answered', would: 'off' }])
    expect(await shop.events('MessageQueued', 'OpeningHoursSet', 'MessageReceived')).toHaveLength(before)
  })

  it('shows whom they would have answered: not who was attended, nor twice in a closed time', async () => {
    const shop = await closedShop(openAlways())
    await shop.receives(
      arrived('Oi', { messageId: 'ANA' }),
      arrived('Oi de novo'),
      arrived('Olá', { messageId: 'BIA', chatJid: '77@lid', pushName: 'Bia' }),
    )
    await shop.received(3)
    await shop.isListed(2)
    const bia = (await shop.events('MessageReceived')).find(
      ({ data }) => 'messageId' in data && data.messageId === 'BIA',
    )
    await shop.ask('PATCH', `/contacts/${bia?.stream.slice('chat-'.length)}/status`, { status: 'attending' })
    await shop.receives(arrived('E agora?', { messageId: 'ATTENDED', chatJid: '77@lid', pushName: 'Bia' }))
    await shop.received(4)
    const { gained, lost, differences } = (await shop.whatIf(closedNow())).json<HoursWhatIfPart>()
    expect([gained, lost]).toEqual([2, 0])
    expect(differences.map(({ messageId, was, would }) => [messageId, was, would]).toSorted()).toEqual([
      ['ANA', 'open', 'answered'],
      ['BIA', 'open', 'answered'],
    ])
  })

  it('takes a person whose contacts were merged as one', async () => {
    const shop = await closedShop(openAlways())
    await shop.receives(arrived('Oi', { messageId: 'ONE', chatJid: '5511988776655@s.whatsapp.net' }))
    await shop.received(1)
    await shop.receives(arrived('Oi', { messageId: 'OTHER' }))
    await shop.received(2)
    const ids = (await shop.events('MessageReceived')).map(({ stream }) => stream.slice('chat-'.length))
    const [survivor = '', absorbed = ''] = ids
    await shop.record(`contact-${survivor}`, { type: 'ContactMerged', data: { absorbed } })
    await shop.record(`contact-${absorbed}`, { type: 'ContactAbsorbed', data: { into: survivor } })
    await shop.receives(arrived('E agora?', { messageId: 'AFTER' }))
    await shop.received(3)
    await shop.isListed(2)
    const found = (await shop.whatIf(closedNow())).json<HoursWhatIfPart>()
    expect(found.messages).toBe(3)
    expect(found.differences.map(({ contactId, messageId }) => [contactId, messageId])).toEqual([
      [survivor, 'ONE'],
      [survivor, 'OTHER'],
    ])
  })

  it('goes through the contacts in parts, each of them once', async () => {
    const shop = await closedShop()
    for (let count = 0; count < 6; count++) await shop.receives(arrived('Oi', { chatJid: `${100 + count}@lid` }))
    await shop.replied(6)
    await shop.isListed(6)
    const handlers = contactHandlers(service.ports)
    const [from, now] = [new Date(Date.now() - 86_400_000).toISOString(), new Date().toISOString()]
    const asked = { tenant: shop.tenant, hours: openAlways(), isReplyOn: true, from, until: now }
    const { ids } = await listContacts(service.ports.pool, shop.tenant, '', 10)
    const whole = await hoursWhatIf(handlers, service.ports, { ...asked, after: '' }, shortestSlices)
    const rest = await hoursWhatIf(handlers, service.ports, { ...asked, after: ids[3] ?? '' }, shortestSlices)
    expect([whole.lost, whole.done, rest.lost, rest.done, rest.total, rest.next]).toEqual([6, 6, 2, 6, 6, null])
    expect(rest.differences.map(({ contactId }) => contactId)).toEqual(ids.slice(4))
  })

  it('shows nothing of a contact who was erased', async () => {
    const shop = await closedShop()
    await shop.receives(arrived('Oi'))
    await shop.replied(1)
    await shop.isListed(1)
    expect((await shop.whatIf(openAlways())).json()).toMatchObject({ lost: 1 })
    const [received] = await shop.events('MessageReceived')
    const { contacts } = contactHandlers(service.ports)
    await contacts(
      received?.stream.slice('chat-'.length) ?? '',
      { type: 'EraseContact', data: {} },
      {
        ...{ commandId: randomUUID(), causationId: 'test', correlationId: 'test', tenant: shop.tenant },
        actor: { kind: 'user', id: shop.tenant },
      },
    )
    await shop.isListed(0)
    expect((await shop.whatIf(openAlways())).json()).toMatchObject({ total: 0, messages: 0, differences: [] })
  })

  it('shows another tenant nothing of it', async () => {
    const shop = await closedShop()
    await shop.receives(arrived('Oi'))
    await shop.replied(1)
    const stranger = await closedShop()
    const found = (await stranger.whatIf(openAlways())).json<HoursWhatIfPart>()
    expect(found).toMatchObject({ total: 0, messages: 0, differences: [] })
    const { ids } = await listContacts(service.ports.pool, shop.tenant, '', 10)
    const after = (await stranger.whatIf(openAlways(), { after: ids[0] })).json<HoursWhatIfPart>()
    expect(after).toMatchObject({ done: 0, total: 0, messages: 0, next: null })
  })

  it('refuses days that it cannot show in a sentence beside the field', async () => {
    const shop = await closedShop()
    const errors = async (more: object) => {
      const reply = await shop.whatIf(closedNow(), more)
      return [
        reply.statusCode,
        ...reply.json().errors.map((each: { field: string; message: string }) => [each.field, each.message]),
      ]
    }
    expect(await errors({ from: '2026-10-01', to: '2026-11-20' })).toEqual([
      422,
      ['to', 'O período pode ter no máximo 31 dias.'],
    ])
    expect(await errors({ from: today(), to: '2020-01-01' })).toEqual([
      422,
      ['to', 'A data final vem antes da inicial.'],
    ])
    expect(await errors({ from: 'ontem' })).toEqual([422, ['from', 'Informe uma data válida.']])
    expect((await shop.whatIf(closedNow(), { after: randomUUID() })).statusCode).toBe(200)
    for (const after of ['\u0000', "'; drop table tenant_contact; --", 'x'.repeat(65)])
      expect([400, 422]).toContain((await shop.whatIf(closedNow(), { after })).statusCode)
  })
})
