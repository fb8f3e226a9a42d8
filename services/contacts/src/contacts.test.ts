import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { type Host, host } from '@prosa/kernel/host'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { type TestPorts, testPorts } from '@prosa/kernel/testing/test-ports'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contacts } from './contacts.ts'

let ports: TestPorts
let running: Host

beforeAll(async () => {
  ports = await testPorts()
  running = await host([contacts], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
})
afterAll(async () => {
  await running.stop()
  await ports.close()
})

const actor: Actor = { kind: 'whatsapp', id: 'test' }

/** Records facts that another service witnessed, as that service would. */
const recorded = async (stream: string, owner: string, ...events: AnyEvent[]) => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
  const metadata = { causationId: 'x', correlationId: randomUUID(), actor, owner, recordedAt: ports.clock.now() }
  const encoded = await ports.codec.encode(events.map((event) => ({ id: randomUUID(), stream, event, metadata })))
  const appended = await ports.store.append(stream, revision, encoded)
  if (!appended.ok) throw new Error('conflict')
}

const arrived = (text: string, from: Partial<Extract<AnyEvent, { type: 'MessageArrived' }>['data']>): AnyEvent => ({
  type: 'MessageArrived',
  data: {
    messageId: randomUUID(),
    chatJid: '1636@lid',
    alternateJid: null,
    fromMe: false,
    pushName: 'Ana',
    sentAt: ports.clock.now(),
    via: 'notify',
    content: { kind: 'text', text },
    raw: 'CgA=',
    ...from,
  },
})

/** A subscriber with a line that is open. */
const shop = async () => {
  const owner = randomUUID()
  const connectionId = randomUUID()
  await recorded(
    `connection-${connectionId}`,
    owner,
    { type: 'ConnectionAdded', data: { name: 'Loja' } },
    { type: 'LineOpened', data: {} },
  )
  const { token } = await ports.browserSessions.issue(owner)
  const ask = (method: 'POST' | 'PATCH', url: string, payload: object) =>
    running.app.inject({ method, url: `/api/whatsapp${url}`, payload, headers: { cookie: `__Host-prosa=${token}` } })
  const events = async (...types: AnyEvent['type'][]) =>
    (await everythingIn(ports.store, 'contact', 'chat', 'contactKey')).filter(
      ({ metadata, type }) => metadata.owner === owner && types.includes(type),
    )
  const hears = (...events: AnyEvent[]) => recorded(`line-${connectionId}`, owner, ...events)
  return { owner, connectionId, ask, events, hears }
}

describe('a message that arrives', () => {
  it('adds its author once, waiting, and keeps every message', async () => {
    const { events, hears } = await shop()
    await hears(...['um', 'dois', 'três', 'quatro', 'cinco'].map((text) => arrived(text, {})))
    await until(async () => (await events('MessageReceived')).length === 5)
    expect(await events('ContactAdded')).toHaveLength(1)
    const texts = (await events('MessageReceived')).map(({ data }) => 'content' in data && data.content)
    expect(texts.map((content) => content && content.kind === 'text' && content.text)).toEqual([
      'um',
      'dois',
      'três',
      'quatro',
      'cinco',
    ])
  })

  it('changes nothing when it is delivered again', async () => {
    const { events, hears } = await shop()
    const message = arrived('uma vez só', { messageId: 'REPEATED' })
    await hears(message, message, arrived('fim', {}))
    await until(async () => (await events('MessageReceived')).length >= 2)
    expect(await events('MessageReceived')).toHaveLength(2)
  })

  it('leads to one contact whether it comes from the LID, the number, or both, at the same instant', async () => {
    const { events, hears } = await shop()
    const phone = '5511988776655@s.whatsapp.net'
    await hears(
      arrived('pelos dois', { chatJid: '1636@lid', alternateJid: phone }),
      arrived('pelo número', { chatJid: phone, alternateJid: '1636@lid' }),
      arrived('só o LID', { chatJid: '1636@lid' }),
      arrived('sem o nono dígito', { chatJid: '551188776655@s.whatsapp.net' }),
    )
    await until(async () => (await events('MessageReceived')).length === 4)
    expect(await events('ContactAdded')).toHaveLength(1)
    expect(new Set((await events('MessageReceived')).map(({ stream }) => stream)).size).toBe(1)
  })

  it('reopens a resolved conversation, once', async () => {
    const { ask, events, hears } = await shop()
    await hears(arrived('oi', {}))
    const [added] = await until(async () => {
      const found = await events('ContactAdded')
      return found.length > 0 && found
    })
    const id = added?.stream.slice('contact-'.length)
    expect((await ask('PATCH', `/contacts/${id}/status`, { status: 'attending' })).json().serviceStatus).toBe(
      'attending',
    )
    expect((await ask('PATCH', `/contacts/${id}/status`, { status: 'resolved' })).json().serviceStatus).toBe('resolved')
    await hears(arrived('voltei', {}), arrived('mais uma coisa', {}))
    await until(async () => (await events('MessageReceived')).length === 3)
    await until(async () => (await events('ConversationReopened')).length > 0)
    expect(await events('ConversationReopened')).toHaveLength(1)
  })

  it('written on the own phone opens no conversation', async () => {
    const { events, hears } = await shop()
    await hears(arrived('promoção!', { fromMe: true, pushName: null }))
    await until(async () => (await events('MessageSentElsewhere')).length === 1)
    expect((await events('ContactAdded'))[0]?.data).toMatchObject({ origin: 'phone' })
    expect(await events('ConversationReopened')).toEqual([])
  })
})

describe('an attendant', () => {
  it('adds a number once and finds the same contact again, also without its ninth digit', async () => {
    const { ask } = await shop()
    const first = await ask('POST', '/contacts', { phone: '5511988776655' })
    expect(first.statusCode).toBe(201)
    expect(first.json()).toMatchObject({ phone: '5511988776655', serviceStatus: 'waiting' })
    const second = await ask('POST', '/contacts', { phone: '55 (11) 8877-6655' })
    expect(second.json().id).toBe(first.json().id)
  })

  it('is told which number cannot be', async () => {
    const { ask } = await shop()
    const reply = await ask('POST', '/contacts', { phone: '123' })
    expect(reply.json().errors).toEqual([
      { field: 'phone', message: 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)' },
    ])
  })

  it('sends a message once, however often the request is repeated, and sees its ticks', async () => {
    const { ask, connectionId, events, hears } = await shop()
    const { id: contactId } = (await ask('POST', '/contacts', { phone: '5511988776655' })).json()
    const body = { connectionId, contactId, message: 'Olá', messageId: '3EB0AAAAAAAAAAAAAAAAAA' }
    for (let time = 0; time < 3; time++) expect((await ask('POST', '/send-message', body)).statusCode).toBe(202)
    expect(await events('MessageQueued')).toHaveLength(1)
    const about = { messageId: body.messageId, contactId }
    await hears(
      { type: 'MessageDispatched', data: about },
      { type: 'DeliveryReported', data: { ...about, status: 'read' } },
      { type: 'DeliveryReported', data: { ...about, status: 'delivered' } },
    )
    await until(async () => (await events('MessageRead')).length === 1)
    expect(await events('MessageSent', 'MessageDelivered', 'MessageRead')).toHaveLength(2)
  })

  it('cannot send over a line that is down, nor a blank or endless message', async () => {
    const { ask, connectionId, owner } = await shop()
    const { id: contactId } = (await ask('POST', '/contacts', { phone: '5511988776655' })).json()
    const send = (message: string) => ask('POST', '/send-message', { connectionId, contactId, message })
    expect((await send('  \n ')).json().errors[0].message).toBe('Escreva uma mensagem.')
    expect((await send('a'.repeat(4097))).json().errors[0].field).toBe('message')
    await recorded(`connection-${connectionId}`, owner, { type: 'LineDropped', data: { code: 428, reason: 'lost' } })
    const refused = await send('Olá')
    expect(refused.statusCode).toBe(409)
    expect(refused.json().title).toContain('WhatsApp não está conectado')
  })

  it('cannot touch what belongs to another tenant', async () => {
    const [mine, theirs] = [await shop(), await shop()]
    const { id } = (await theirs.ask('POST', '/contacts', { phone: '5511988776655' })).json()
    expect((await mine.ask('PATCH', `/contacts/${id}/status`, { status: 'attending' })).statusCode).toBe(404)
    expect((await mine.ask('POST', `/contacts/${id}/seen`, {})).statusCode).toBe(404)
    const message = { contactId: id, message: 'oi' }
    expect((await mine.ask('POST', '/send-message', { ...message, connectionId: mine.connectionId })).statusCode).toBe(
      404,
    )
    const own = (await mine.ask('POST', '/contacts', { phone: '5511988776655' })).json()
    expect(own.id).not.toBe(id)
    const foreignLine = { contactId: own.id, message: 'oi', connectionId: theirs.connectionId }
    expect((await mine.ask('POST', '/send-message', foreignLine)).statusCode).toBe(404)
  })
})

describe('stream names', () => {
  it('hold no number', async () => {
    const events = await everythingIn(ports.store, 'contact', 'chat', 'contactKey')
    expect(events.length).toBeGreaterThan(0)
    expect(events.some(({ stream }) => stream.includes('988776655') || stream.includes('88776655'))).toBe(false)
  })
})
