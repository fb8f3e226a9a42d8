import { randomUUID } from 'node:crypto'
import { correlated, correlationId } from '@prosa/kernel/observability/correlation'
import { silentLog } from '@prosa/kernel/observability/log'
import { until } from '@prosa/kernel/testing/until'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { LineHandle } from '../gateway/gateway.ts'
import { sessionMigrations } from '../migrations/session-migrations.ts'
import { type Outbox, outbox } from '../outbox/outbox.ts'
import { fastTimings } from '../testing/fast-timings.ts'
import { productionTimings } from '../timings.ts'
import type { LineFacts } from './line-facts.ts'
import { sender } from './sender.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts({ migrations: [sessionMigrations] })
})
afterAll(() => ports.close())

it('a first message that a refusal held up goes when its time has come, also when that came while the line was being looked at', async () => {
  const connectionId = randomUUID()
  const restricted = 300
  let now = Date.now()
  const real = outbox(ports.pool, ports.box)
  const slow: Outbox = {
    ...real,
    async first(connection, selection) {
      const found = await real.first(connection, selection)
      if (selection?.withoutDeferred && !found) now += restricted
      return found
    },
  }
  const sent: string[] = []
  const settled = async (messageId: string, state: 'dispatched' | 'failed') => {
    await real.settle(connectionId, messageId, state)
  }
  const facts: Pick<LineFacts, 'dispatched' | 'failed' | 'hasPartner'> = {
    dispatched: (messageId) => settled(messageId, 'dispatched'),
    failed: (messageId) => settled(messageId, 'failed'),
    hasPartner: async () => false,
  }
  const handle: Pick<LineHandle, 'send'> = {
    async send({ messageId }) {
      sent.push(messageId)
      outgoing.acknowledged(messageId, messageId === 'refused' ? '463' : undefined)
    },
  }
  const outgoing = sender({
    connectionId,
    outbox: slow,
    facts: facts as LineFacts,
    clock: { now: () => new Date(now).toISOString() },
    timings: { ...productionTimings, ...fastTimings, restricted },
    log: silentLog(),
  })
  for (const [position, messageId] of ['refused', 'next'].entries())
    await real.add({
      ...{ connectionId, messageId, position: String(position), contactId: randomUUID(), eventId: randomUUID() },
      tenant: randomUUID(),
      toJid: '5511900000002@s.whatsapp.net',
      work: { kind: 'message', content: { kind: 'text', text: 'oi' }, secret: Buffer.alloc(32).toString('base64') },
      correlationId: 'test',
    })
  const stopping = new AbortController()
  const running = outgoing.run(handle as LineHandle, stopping.signal, null)
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
  await until(() => sent.length === 2)
  expect(sent).toEqual(['refused', 'next'])
})

it('a message on which the line breaks each time fails, holds up nobody else, and those behind it go on', async () => {
  const connectionId = randomUUID()
  const messages = outbox(ports.pool, ports.box)
  const settledAs: string[] = []
  const settled = (state: 'dispatched' | 'failed') => async (messageId: string, code?: string) => {
    await messages.settle(connectionId, messageId, state)
    settledAs.push([state, messageId, code].filter(Boolean).join(' '))
  }
  const facts: Pick<LineFacts, 'dispatched' | 'failed' | 'hasPartner'> = {
    dispatched: settled('dispatched'),
    failed: settled('failed'),
    hasPartner: async () => true,
  }
  let line = new AbortController()
  let breaks = 0
  const handle: Pick<LineHandle, 'send'> = {
    async send({ messageId }) {
      if (messageId !== 'poison') return outgoing.acknowledged(messageId, undefined)
      setImmediate(() => {
        breaks += 1
        outgoing.lineBroke()
        line.abort()
      })
    },
  }
  const outgoing = sender({
    connectionId,
    outbox: messages,
    facts: facts as LineFacts,
    clock: ports.clock,
    timings: { ...productionTimings, ...fastTimings },
    log: silentLog(),
  })
  const contactId = randomUUID()
  for (const [position, messageId] of ['poison', 'behind', 'other'].entries())
    await messages.add({
      ...{ connectionId, messageId, position: String(position), eventId: randomUUID() },
      contactId: messageId === 'other' ? randomUUID() : contactId,
      tenant: randomUUID(),
      toJid: '5511900000002@s.whatsapp.net',
      work: { kind: 'message', content: { kind: 'text', text: 'oi' }, secret: Buffer.alloc(32).toString('base64') },
      correlationId: 'test',
    })
  const stopping = new AbortController()
  const reconnecting = async () => {
    while (!stopping.signal.aborted) {
      line = new AbortController()
      await outgoing.run(handle as LineHandle, AbortSignal.any([line.signal, stopping.signal]), null)
    }
  }
  const running = reconnecting()
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
  await until(() => settledAs.length === 3)
  expect(settledAs).toEqual(['dispatched other', 'failed poison line_broken', 'dispatched behind'])
  expect(breaks).toBe(8)
})

it('what follows an answer is none of the work in which it came', async () => {
  const [first, next] = [randomUUID(), randomUUID()]
  const messages = outbox(ports.pool, ports.box)
  const connectionId = randomUUID()
  const contexts: (string | undefined)[] = []
  const facts: Pick<LineFacts, 'dispatched' | 'hasPartner'> = {
    async dispatched(messageId) {
      contexts.push(correlationId())
      await messages.settle(connectionId, messageId, 'dispatched')
    },
    hasPartner: async () => true,
  }
  const handle: Pick<LineHandle, 'send'> = {
    async send({ messageId }) {
      setImmediate(() => correlated('work of Baileys', () => outgoing.acknowledged(messageId, undefined)))
    },
  }
  const outgoing = sender({
    connectionId,
    outbox: messages,
    facts: facts as LineFacts,
    clock: ports.clock,
    timings: { ...productionTimings, ...fastTimings },
    log: silentLog(),
  })
  for (const [position, messageId] of [first, next].entries())
    await messages.add({
      ...{ connectionId, messageId, position: String(position), contactId: randomUUID(), eventId: randomUUID() },
      tenant: randomUUID(),
      toJid: '5511900000002@s.whatsapp.net',
      work: { kind: 'message', content: { kind: 'text', text: 'oi' }, secret: Buffer.alloc(32).toString('base64') },
      correlationId: 'test',
    })
  const stopping = new AbortController()
  const running = outgoing.run(handle as LineHandle, stopping.signal, null)
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
  await until(() => contexts.length === 2)
  expect(contexts).toEqual([undefined, undefined])
})
