import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { erasedFlowDocument } from '@prosa/contracts/flows/flow-document'
import { parseStream } from '@prosa/contracts/streams'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { silentLog } from '@prosa/kernel/observability/log'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentMessageIds } from '../chat/sent-message-ids.ts'
import { contactHandlers } from '../handlers.ts'
import { findOwnLines, hasOutOfHoursFlow } from '../queries.ts'
import { closedNow, openAlways } from '../testing/closed-now.ts'
import { leaveToReply } from '../testing/leave-to-reply.ts'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'
import { replyOutOfHours } from './reply-out-of-hours.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const oneHour = (from: string) => [{ from, to: from.replace('00', '59') }]

type Shop = Awaited<ReturnType<TestContacts['shop']>>

/** Simulates another process with its own cache. */
const reactor = (reasons: string[] = [], ports = service.ports) =>
  replyOutOfHours({
    ...contactHandlers(ports),
    messageIds: sentMessageIds(ports.pool),
    hasOutOfHoursFlow: (tenant, connectionId) => hasOutOfHoursFlow(ports.pool, tenant, connectionId),
    entitlements: ports.entitlements,
    log: Object.assign(silentLog(), { info: ({ reason }: { reason: string }) => void reasons.push(reason) }),
  })

const closedShop = async (hours: object = closedNow()) => {
  const shop = await service.shop()
  const text = 'Oi, {nome}! Abrimos às 6h.'
  const set = await shop.request('PUT', '/api/opening-hours', hours)
  const reply = await shop.request('PATCH', '/api/opening-hours/reply', { isOn: true, text })
  expect([set.statusCode, reply.statusCode]).toEqual([200, 200])
  const messages = async () => (await shop.events('MessageReceived')) as StoredOf<'MessageReceived'>[]
  const received = async (count: number) => {
    await until(async () => (await messages()).length >= count)
    return leaveToReply(shop)
  }
  const replies = async () => (await shop.events('MessageQueued')) as StoredOf<'MessageQueued'>[]
  const again = async (reasons: string[] = []) => {
    for (const event of await received(1)) await reactor(reasons).on.OutOfHoursReplyRequested?.(event)
    return replies()
  }
  const replied = () =>
    until(async () => {
      await leaveToReply(shop)
      return (await replies())[0]
    })
  return { ...shop, received, replies, again, replied }
}

const statusOf = async (shop: Pick<Shop, 'tenant'>, contactId: string) =>
  (await contactHandlers(service.ports).contacts.load(contactId, shop.tenant)).status

describe('a reply out of hours', () => {
  it('goes to whoever writes, by name, over the line that they wrote to, and leaves them waiting and unseen', async () => {
    const shop = await closedShop()
    await shop.receives(arrived('Vocês entregam?'))
    const { stream, data, metadata } = await shop.replied()
    expect(data).toMatchObject({
      connectionId: shop.connectionId,
      toJid: '1636@lid',
      content: { kind: 'text', text: 'Oi, Ana! Abrimos às 6h.' },
      automatic: 'out_of_hours',
    })
    expect(metadata.actor).toEqual({ kind: 'system', id: 'reply-out-of-hours' })
    const contactId = parseStream(stream).id
    expect(await statusOf(shop, contactId)).toBe('waiting')
    expect(await shop.events('ConversationAccepted')).toEqual([])
    await shop.ask('POST', `/contacts/${contactId}/seen`, {})
    expect(await shop.events('ChatSeen')).toHaveLength(1)
  })

  it('goes over the number that they wrote to meanwhile, where that is another one', async () => {
    const shop = await closedShop(openAlways())
    const connectionId = randomUUID()
    await shop.record(
      `connection-${connectionId}`,
      { type: 'ConnectionAdded', data: { name: 'Outra' } },
      { type: 'LineOpened', data: {} },
    )
    await shop.receives(arrived('Oi'))
    await shop.received(1)
    await shop.record(`line-${connectionId}`, arrived('E por aqui?'))
    const [first] = await shop.received(2)
    await shop.request('PUT', '/api/opening-hours', closedNow())
    if (first) await reactor().on.OutOfHoursReplyRequested?.(first)
    expect((await shop.replies()).map(({ data }) => data.connectionId)).toEqual([connectionId])
  })

  it('does not go from a number that they never wrote to, as the connection has another one by now', async () => {
    const shop = await closedShop(openAlways())
    const linked = (phone: string): AnyEvent => ({ type: 'NumberLinked', data: { phone, lid: null, pushName: null } })
    await shop.record(`connection-${shop.connectionId}`, linked('551130000001'))
    await shop.receives(arrived('Oi'))
    const [asked] = await shop.received(1)
    await shop.record(`connection-${shop.connectionId}`, linked('551130000009'), { type: 'LineOpened', data: {} })
    await until(async () => (await findOwnLines(service.ports.pool, shop.tenant))[0]?.numbers.length === 2)
    await shop.request('PUT', '/api/opening-hours', closedNow())
    const reasons: string[] = []
    if (asked) await reactor(reasons).on.OutOfHoursReplyRequested?.(asked)
    expect([reasons, await shop.replies()]).toEqual([['line_not_open'], []])
  })

  it('goes once until the business opens, however often they write and whoever handles it again', async () => {
    const shop = await closedShop()
    await shop.receives(arrived('Oi'), arrived('Tem alguém aí?'))
    await shop.received(2)
    await shop.replied()
    expect(await shop.again()).toHaveLength(1)
  })

  it('goes once in a closed time to a person of whom two contacts are merged meanwhile', async () => {
    const shop = await closedShop(openAlways())
    await shop.receives(arrived('Oi', { chatJid: '5511988776655@s.whatsapp.net' }))
    const [first] = await shop.received(1)
    const survivor = first ? parseStream(first.stream).id : ''
    await shop.request('PUT', '/api/opening-hours', closedNow())
    await shop.receives(arrived('Alguém aí?'))
    const absorbed = parseStream((await shop.replied()).stream).id
    expect(absorbed).not.toBe(survivor)
    await shop.record(`contact-${survivor}`, { type: 'ContactMerged', data: { absorbed } })
    await shop.record(`contact-${absorbed}`, { type: 'ContactAbsorbed', data: { into: survivor } })
    await shop.receives(arrived('E agora?'))
    await shop.received(3)
    expect(await shop.again()).toHaveLength(1)
  })

  it('goes again when they write in another closed time', async () => {
    const shop = await closedShop()
    await shop.receives(arrived('Oi'))
    await shop.replied()
    const { week, ...hours } = closedNow()
    const earlier = week.map(() => (week[0]?.[0]?.from === '18:00' ? oneHour('17:00') : oneHour('05:00')))
    await shop.request('PUT', '/api/opening-hours', { ...hours, week: earlier })
    await shop.receives(arrived('Bom dia'))
    await shop.received(2)
    await until(async () => (await shop.replies()).length === 2)
  })

  it('does not go while the business is open, has not turned it on, or has set no hours', async () => {
    const open = await closedShop(openAlways())
    const off = await closedShop()
    await off.request('PATCH', '/api/opening-hours/reply', { isOn: false })
    for (const shop of [open, off]) {
      await shop.receives(arrived('Oi'))
      expect(await shop.again()).toEqual([])
    }
    const unset = await service.shop()
    const refused = await unset.request('PATCH', '/api/opening-hours/reply', { isOn: true })
    expect([refused.statusCode, refused.json().type, refused.json().errors[0].field]).toEqual([
      409,
      'opening_hours_not_set',
      'isOn',
    ])
  })

  const without: [string, string, (shop: Awaited<ReturnType<typeof closedShop>>) => Promise<AnyEvent>][] = [
    ['who wrote more than ten minutes ago', 'too_late', async () => arrived('Oi', { sentAt: minutesAgo(11) })],
    [
      'who wrote over a line that is down',
      'line_not_open',
      async (shop) => {
        await shop.record(`connection-${shop.connectionId}`, {
          type: 'LineDropped',
          data: { code: 428, reason: 'connection_closed' },
        } as AnyEvent)
        return arrived('Oi')
      },
    ],
  ]
  it.each(without)('does not go to %s, and the log names the reason', async (_, reason, write) => {
    const shop = await closedShop()
    await shop.receives(await write(shop))
    const reasons: string[] = []
    expect(await shop.again(reasons)).toEqual([])
    expect(reasons).toEqual([reason])
  })

  it('does not go to who is being attended: the attendant knows when to answer', async () => {
    const shop = await closedShop(openAlways())
    await shop.receives(arrived('Oi'))
    const [first] = await shop.received(1)
    const contactId = first && parseStream(first.stream).id
    await shop.ask('PATCH', `/contacts/${contactId}/status`, { status: 'attending' })
    await shop.request('PUT', '/api/opening-hours', closedNow())
    await shop.receives(arrived('Ainda está aí?'))
    await shop.received(2)
    const reasons: string[] = []
    expect(await shop.again(reasons)).toEqual([])
    expect(reasons).toContain('not_waiting')
  })

  const flowOn = (connectionIds: string[] = []): AnyEvent => {
    const start = { trigger: '', enabled: true, start: { kind: 'out_of_hours' } } as const
    const trigger = { id: 't', type: 'trigger', position: { x: 0, y: 0 }, data: start } as const
    const settings = { ...erasedFlowDocument.settings, connectionIds }
    return { type: 'FlowPublished', data: { version: 1, document: { nodes: [trigger], links: [], settings } } }
  }

  it('does not go where a flow is on that answers out of hours on this line, and does when that is off', async () => {
    const shop = await closedShop()
    const stream = `flow-${randomUUID()}`
    await shop.record(`flow-${randomUUID()}`, flowOn([randomUUID()]))
    await shop.record(stream, flowOn())
    await until(() => hasOutOfHoursFlow(service.ports.pool, shop.tenant, shop.connectionId))
    await shop.receives(arrived('Oi'))
    const reasons: string[] = []
    expect(await shop.again(reasons)).toEqual([])
    expect(reasons).toEqual(['flow_answers'])
    await shop.record(stream, { type: 'FlowTurnedOff', data: {} })
    await until(async () => !(await hasOutOfHoursFlow(service.ports.pool, shop.tenant, shop.connectionId)))
    await shop.receives(arrived('Alguém?'))
    await shop.replied()
  })

  it('goes to who waits for a person, as no flow starts with them; until the conversation was finished', async () => {
    const shop = await closedShop(openAlways())
    await shop.record(`flow-${randomUUID()}`, flowOn())
    await until(() => hasOutOfHoursFlow(service.ports.pool, shop.tenant, shop.connectionId))
    await shop.receives(arrived('Oi', { messageId: 'FIRST' }))
    const [first] = await shop.received(1)
    const stream = `flowRun-${first && parseStream(first.stream).id}`
    const run = { flowId: randomUUID(), runId: randomUUID(), version: 1 }
    await shop.request('PUT', '/api/opening-hours', closedNow())
    const reasons: string[] = []
    expect(await shop.again(reasons)).toEqual([])
    const ended = { ...run, endedAt: new Date().toISOString() }
    await shop.record(stream, { type: 'FlowRunEnded', data: { ...ended, reason: 'handed_over' } })
    const resumed = { resumedAt: new Date().toISOString(), isFinished: true }
    await shop.record(stream, { type: 'FlowsResumed', data: resumed })
    expect(await shop.again(reasons)).toEqual([])
    expect(reasons).toEqual(['flow_answers', 'flow_answers'])
    await shop.record(stream, { type: 'FlowRunEnded', data: { ...ended, reason: 'handed_over' } })
    await shop.receives(arrived('Alguém?'))
    await shop.replied()
  })

  it('goes to whom an attendant paused the bot for, as no flow starts with them; until it is resumed', async () => {
    const shop = await closedShop(openAlways())
    await shop.record(`flow-${randomUUID()}`, flowOn())
    await until(() => hasOutOfHoursFlow(service.ports.pool, shop.tenant, shop.connectionId))
    await shop.receives(arrived('Oi', { messageId: 'FIRST' }))
    const [first] = await shop.received(1)
    const stream = `flowRun-${first && parseStream(first.stream).id}`
    const attendantId = shop.tenant
    await shop.request('PUT', '/api/opening-hours', closedNow())
    const reasons: string[] = []
    await shop.record(stream, {
      type: 'BotPaused',
      data: { pausedAt: minutesAgo(9), until: minutesAgo(8), attendantId },
    })
    expect(await shop.again(reasons)).toEqual([])
    await shop.record(stream, { type: 'BotPaused', data: { pausedAt: minutesAgo(7), until: null, attendantId } })
    await shop.record(stream, { type: 'BotResumed', data: { resumedAt: minutesAgo(6), attendantId } })
    expect(await shop.again(reasons)).toEqual([])
    expect(reasons).toEqual(['flow_answers', 'flow_answers'])
    await shop.record(stream, { type: 'BotPaused', data: { pausedAt: minutesAgo(5), until: null, attendantId } })
    await shop.receives(arrived('Alguém?'))
    await shop.replied()
  })

  it('does not go to whom a flow talks with, nor after a message that one answered', async () => {
    const shop = await closedShop(openAlways())
    await shop.receives(arrived('Oi', { messageId: 'FIRST' }))
    const [first] = await shop.received(1)
    const stream = `flowRun-${first && parseStream(first.stream).id}`
    const run = { flowId: randomUUID(), runId: randomUUID(), version: 1 }
    const { connectionId } = shop
    await shop.record(stream, {
      type: 'FlowRunStarted',
      data: { ...run, connectionId, startedBy: 'any_message', startMessageId: 'FIRST', text: 'Oi' },
    })
    await shop.request('PUT', '/api/opening-hours', closedNow())
    const reasons: string[] = []
    expect(await shop.again(reasons)).toEqual([])
    const ended = { ...run, endedAt: new Date().toISOString() }
    await shop.record(stream, { type: 'FlowRunEnded', data: { ...ended, reason: 'completed' } })
    expect(await shop.again(reasons)).toEqual([])
    expect(reasons).toEqual(['flow_answers', 'flow_answers'])
    await shop.receives(arrived('Mais uma coisa'))
    await shop.replied()
  })

  it.each([
    ['access_ended', { access: 'ended' as const }],
    ['email_not_confirmed', { mustConfirmEmail: true }],
    ['no_message_left', { messages: { used: 5, limit: 5 } }],
  ])('does not go where nothing may be sent: %s', async (reason, change) => {
    const shop = await service.shop()
    const { openingHours } = contactHandlers(service.ports)
    const context = {
      commandId: randomUUID(),
      actor: { kind: 'user', id: shop.tenant },
      tenant: shop.tenant,
      causationId: 'test',
      correlationId: 'test',
    } as const
    const sentAt = new Date().toISOString()
    await shop.receives(arrived('Oi', { messageId: 'FIRST', sentAt }))
    const { stream } = (await until(
      async () => (await shop.events('MessageReceived'))[0],
    )) as StoredOf<'MessageReceived'>
    const asks = { messageId: 'FIRST', connectionId: shop.connectionId, sentAt }
    await shop.record(stream.replace('chat-', 'flowRun-'), { type: 'OutOfHoursReplyRequested', data: asks })
    const [event] = (await shop.events('OutOfHoursReplyRequested')) as StoredOf<'OutOfHoursReplyRequested'>[]
    if (!event) throw new Error('nothing was asked for')
    await openingHours(shop.tenant, { type: 'SetOpeningHours', data: closedNow() }, context)
    await openingHours(shop.tenant, { type: 'SetOutOfHoursReply', data: { isOn: true } }, context)
    const usage = await service.ports.entitlements.of(shop.tenant)
    const entitlements = { of: async () => ({ ...usage, ...change }) }
    const reasons: string[] = []
    await reactor(reasons, { ...service.ports, entitlements }).on.OutOfHoursReplyRequested?.(event)
    expect(reasons).toEqual([reason])
    expect(await shop.events('MessageQueued')).toEqual([])
  })

  it('ends with the account', async () => {
    const shop = await closedShop()
    await shop.record(`user-${shop.tenant}`, { type: 'UserErased', data: {} })
    await until(
      async () => !(await contactHandlers(service.ports).openingHours.load(shop.tenant, shop.tenant)).isReplyOn,
    )
  })
})

describe('{empresa} without a name of the company', () => {
  it('is refused at its field, in the reply and in a quick reply, until the company has one', async () => {
    const shop = await service.shop()
    await shop.request('PUT', '/api/opening-hours', closedNow())
    const wish = (text: string, isOn?: boolean) =>
      shop.request('PATCH', '/api/opening-hours/reply', { text, ...(isOn !== undefined && { isOn }) })
    const quick = (content: string) =>
      shop.request('POST', '/api/quick-replies', { shortcut: randomUUID().slice(0, 8), content, isActive: true })
    for (const [refused, field] of [
      [await wish('A {empresa} está fechada.', true), 'text'],
      [await wish('A {EMPRESA} está fechada.'), 'text'],
      [await quick('Aqui é da {empresa}.'), 'content'],
    ] as const)
      expect([refused.statusCode, refused.json().type, refused.json().errors[0].field]).toEqual([
        409,
        'company_name_missing',
        field,
      ])
    expect((await wish('Fechado.', true)).statusCode).toBe(200)
    const described = { name: 'Padaria Sol', email: '', phone: '', website: '', address: '' }
    await shop.record(`company-${shop.tenant}`, { type: 'CompanyDescribed', data: described })
    expect([(await wish('A {empresa} está fechada.')).statusCode, (await quick('{empresa}')).statusCode]).toEqual([
      200, 201,
    ])
  })
})

describe('opening hours over HTTP', () => {
  it('name the field of the week that is wrong', async () => {
    const shop = await service.shop()
    const week = closedNow().week.with(1, [{ from: '18:00', to: '08:00' }])
    const refused = await shop.request('PUT', '/api/opening-hours', { ...closedNow(), week })
    expect([refused.statusCode, refused.json().errors[0].field]).toEqual([422, 'week.1.0.to'])
  })

  it('are set once when the request is repeated', async () => {
    const shop = await service.shop()
    const headers = { 'idempotency-key': randomUUID() }
    const set = () => shop.request('PUT', '/api/opening-hours', closedNow(), headers)
    const [first, second] = [await set(), await set()]
    expect(second.json()).toEqual(first.json())
    expect(first.json()).toMatchObject({ isSet: true, timeZone: 'America/Sao_Paulo', reply: { isOn: false } })
    expect(await shop.events('OpeningHoursSet')).toHaveLength(1)
  })
})
