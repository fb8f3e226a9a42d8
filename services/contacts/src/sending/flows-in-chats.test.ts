import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentMessageIds } from '../chat/sent-message-ids.ts'
import { contactHandlers } from '../handlers.ts'
import { conversationIn } from '../testing/conversation-in.ts'
import { arrived, type TestContacts, testContacts } from '../testing/test-contacts.ts'
import { queueOnFlowMessageRequested } from './queue-on-flow-message-requested.ts'

let service: TestContacts
beforeAll(async () => {
  service = await testContacts()
})
afterAll(() => service.stop())

type Requested = Extract<AnyEvent, { type: 'FlowMessageRequested' }>['data']

const idOfStep = (runId: string, step: number) => `3EB0${step}${runId.replaceAll('-', '').slice(0, 17).toUpperCase()}`

const withFlow = async () => {
  const shop = await conversationIn(service)
  const [flowId, runId] = [randomUUID(), randomUUID()]
  const stream = `flowRun-${shop.contactId}`
  const ofStep = (step: number) => ({ flowId, runId, version: 1, step, nodeId: `n${step}` })
  const asks = (step: number, change: Partial<Requested> = {}) =>
    shop.record(stream, {
      type: 'FlowMessageRequested',
      data: {
        ...ofStep(step),
        messageId: idOfStep(runId, step),
        connectionId: shop.connectionId,
        content: { kind: 'text', text: `Passo ${step}` },
        typingSeconds: 0,
        links: [],
        ...change,
      },
    })
  const labels = (step: number, labelId: string, isLabelled: boolean) =>
    shop.record(stream, { type: 'FlowLabelRequested', data: { ...ofStep(step), labelId, isLabelled } })
  const queued = async () => (await shop.events('MessageQueued')) as StoredOf<'MessageQueued'>[]
  const requested = async () => {
    const found: StoredOf<'FlowMessageRequested'>[] = []
    for await (const page of service.ports.store.read(stream))
      for (const event of await service.ports.codec.decode(page))
        if (event.type === 'FlowMessageRequested') found.push(event)
    return found
  }
  const again = async () => {
    const { ports } = service
    const reactor = queueOnFlowMessageRequested({
      ...contactHandlers(ports),
      messageIds: sentMessageIds(ports.pool),
      entitlements: ports.entitlements,
      publicUrl: undefined,
    })
    for (const event of await requested()) await reactor.on.FlowMessageRequested?.(event)
  }
  const status = async () => (await contactHandlers(service.ports).contacts.load(shop.contactId, shop.tenant)).status
  return { ...shop, flowId, runId, asks, labels, queued, again, status }
}

describe('what a flow says', () => {
  it('gets into the chat in its order, as the flow’s, once, and the contact goes on waiting unseen', async () => {
    const shop = await withFlow()
    await shop.asks(1, { typingSeconds: 3 })
    await shop.asks(2)
    const [first, second] = await until(async () => {
      const found = await shop.queued()
      return found.length === 2 && found
    })
    await shop.again()
    expect(await shop.queued()).toHaveLength(2)
    expect(first).toMatchObject({
      stream: `chat-${shop.contactId}`,
      data: {
        messageId: idOfStep(shop.runId, 1),
        connectionId: shop.connectionId,
        toJid: '1636@lid',
        attendantId: shop.tenant,
        automatic: 'flow',
        flow: { flowId: shop.flowId, version: 1, runId: shop.runId, nodeId: 'n1' },
        typingSeconds: 3,
      },
      metadata: { actor: { kind: 'flow', id: shop.flowId } },
    })
    expect(second?.data.content).toEqual({ kind: 'text', text: 'Passo 2' })
    expect(second?.data).not.toHaveProperty('typingSeconds')
    expect(await shop.status()).toBe('waiting')
    expect(await shop.events('ConversationAccepted', 'ChatSeen')).toEqual([])
  })

  it('stands once in the chats of a person, also where the contact that it was sent to is merged since', async () => {
    const shop = await withFlow()
    await shop.asks(1)
    await until(async () => (await shop.queued()).length === 1)
    await shop.receives(arrived('Oi', { chatJid: '5511988776655@s.whatsapp.net' }))
    const [, other] = await until(async () => {
      const found = await shop.events('MessageReceived')
      return found.length === 2 && found
    })
    const survivor = other?.stream.slice('chat-'.length) ?? ''
    await shop.record(`contact-${survivor}`, { type: 'ContactMerged', data: { absorbed: shop.contactId } })
    await shop.record(`contact-${shop.contactId}`, { type: 'ContactAbsorbed', data: { into: survivor } })
    await shop.again()
    expect((await shop.queued()).map(({ stream }) => stream)).toEqual([`chat-${shop.contactId}`])
  })

  it('goes over the number that the person writes to by now, wherever the run began, also while that is down', async () => {
    const shop = await withFlow()
    const connectionId = randomUUID()
    await shop.record(
      `connection-${connectionId}`,
      { type: 'ConnectionAdded', data: { name: 'Outra' } },
      { type: 'LineOpened', data: {} },
      { type: 'LineDropped', data: { code: 428, reason: 'connection_closed' } },
    )
    await shop.asks(1)
    await until(async () => (await shop.queued()).length === 1)
    await shop.record(`line-${connectionId}`, arrived('Respondo por aqui'))
    await until(async () => (await shop.events('MessageReceived')).length === 2)
    await shop.asks(2)
    await until(async () => (await shop.queued()).length === 2)
    expect((await shop.queued()).map(({ data }) => data.connectionId)).toEqual([shop.connectionId, connectionId])
    expect(await shop.events('MessageFailed')).toEqual([])
  })

  it('waits in the chat while the line is down', async () => {
    const shop = await withFlow()
    await shop.record(`connection-${shop.connectionId}`, {
      type: 'LineDropped',
      data: { code: 428, reason: 'connection_closed' },
    } as AnyEvent)
    await shop.asks(1)
    await until(async () => (await shop.queued()).length === 1)
    expect(await shop.events('MessageFailed')).toEqual([])
  })

  it.each([
    ['access_ended', { access: 'ended' }],
    ['email_not_confirmed', { mustConfirmEmail: true }],
    ['no_message_left', { messages: { used: 5, limit: 5 } }],
  ])('stands in the chat as failed where nothing may be sent: %s', async (code, change) => {
    const shop = await withFlow()
    const running = { ...service.ports.entitlements }
    const limited = { of: async (tenant: string) => ({ ...(await running.of(tenant)), ...change }) }
    Object.assign(service.ports.entitlements, limited)
    await shop.asks(1)
    const [failed] = await until(async () => {
      const found = (await shop.events('MessageFailed')) as StoredOf<'MessageFailed'>[]
      return found.length > 0 && found
    })
    const tried = await shop.send({ messageId: failed?.data.messageId, message: 'Passo 1' })
    Object.assign(service.ports.entitlements, running)
    expect(failed?.data.code).toBe(code)
    expect(await shop.queued()).toMatchObject([{ data: { isRefused: true } }])
    expect(tried.statusCode).toBeGreaterThanOrEqual(400)
    expect((await shop.send({ messageId: failed?.data.messageId, message: 'Passo 1' })).statusCode).toBe(202)
    expect(await shop.queued()).toMatchObject([{ data: { isRefused: true } }, { data: { isRetry: true } }])
  })

  it('counts when an attendant sends what was refused, and not once more when that fails and is tried again', async () => {
    const shop = await withFlow()
    const running = { ...service.ports.entitlements }
    const ended = { of: async (tenant: string) => ({ ...(await running.of(tenant)), access: 'ended' as const }) }
    Object.assign(service.ports.entitlements, ended)
    await shop.asks(1)
    const [failed] = await until(async () => {
      const found = (await shop.events('MessageFailed')) as StoredOf<'MessageFailed'>[]
      return found.length > 0 && found
    })
    Object.assign(service.ports.entitlements, running)
    const again = { messageId: failed?.data.messageId, message: 'Passo 1' }
    const failure = { messageId: failed?.data.messageId ?? '', contactId: shop.contactId, code: '463' }
    expect((await shop.send(again)).statusCode).toBe(202)
    await shop.receives({ type: 'DispatchFailed', data: failure })
    await until(async () => (await shop.events('MessageFailed')).length === 2)
    expect((await shop.send(again)).statusCode).toBe(202)
    const [refused, first, second] = await shop.queued()
    expect(refused?.data).toMatchObject({ isRefused: true })
    expect(first?.data).toMatchObject({ isRetry: true, wasRefused: true })
    expect(second?.data).toMatchObject({ isRetry: true })
    expect(second?.data).not.toHaveProperty('wasRefused')
  })

  it('stands in the chat as failed where its line or its file is gone', async () => {
    const shop = await withFlow()
    const file = { id: randomUUID(), mediaType: 'image/png', bytes: 1, source: null }
    await shop.asks(1, { content: { kind: 'image', file, caption: '' } })
    await until(async () => (await shop.events('MessageFailed')).length === 1)
    await shop.record(`connection-${shop.connectionId}`, { type: 'ConnectionRemoved', data: {} })
    await shop.asks(2)
    const failed = await until(async () => {
      const found = (await shop.events('MessageFailed')) as StoredOf<'MessageFailed'>[]
      return found.length === 2 && found
    })
    expect(failed.map(({ data }) => data.code)).toEqual(['media_missing', 'connection_removed'])
  })

  it('goes to nobody from a number that they never wrote to, as the connection has another one by now', async () => {
    const shop = await withFlow()
    const linked = (phone: string): AnyEvent => ({ type: 'NumberLinked', data: { phone, lid: null, pushName: null } })
    const renumbered: AnyEvent[] = [
      linked('551130000001'),
      { type: 'NumberUnlinked', data: {} },
      linked('551130000009'),
    ]
    await shop.record(`connection-${shop.connectionId}`, ...renumbered, { type: 'LineOpened', data: {} })
    await until(
      async () =>
        (
          await service.ports.pool.query(
            'select from open_line where connection_id = $1 and jsonb_array_length(numbers) = 2',
            [shop.connectionId],
          )
        ).rowCount === 1,
    )
    await shop.asks(1)
    const failed = await until(async () => {
      const found = await shop.events('MessageFailed')
      return found.length > 0 && found
    })
    expect(failed).toMatchObject([{ data: { code: 'connection_removed' } }])
  })

  it('gets to nobody who was erased', async () => {
    const shop = await withFlow()
    await shop.request('DELETE', `/api/whatsapp/contacts/${shop.contactId}`)
    if ((await shop.status()) !== 'erased')
      await shop.record(`contact-${shop.contactId}`, { type: 'ContactErased', data: {} })
    await shop.asks(1)
    await shop.again()
    expect(await shop.queued()).toEqual([])
  })
})

describe('a label that a flow sets', () => {
  it('is put on and taken off; one that was deleted changes nothing', async () => {
    const shop = await withFlow()
    const made = await shop.request('POST', '/api/labels', { name: 'VIP', colour: 'green' })
    expect(made.statusCode).toBe(201)
    const labelId = made.json().id
    await shop.labels(1, randomUUID(), true)
    await shop.labels(2, labelId, true)
    await shop.labels(3, labelId, false)
    const found = await until(async () => {
      const events = await shop.events('ContactLabelled', 'ContactUnlabelled')
      return events.length === 2 && events
    })
    expect(found.map(({ type }) => type)).toEqual(['ContactLabelled', 'ContactUnlabelled'])
    expect(found[0]?.data).toEqual({ labelId })
  })
})
