import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Codec } from '@prosa/kernel/event-store/codec'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noFlowLimits } from './recent-flows.ts'
import { flowRunHandlers } from './run-handlers.ts'
import { nodeOf, rowOf } from './testing/flow-of.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())

const [tenant, contactId, connectionId] = [randomUUID(), randomUUID(), randomUUID()]
const now = '2026-11-25T12:00:00.000Z'

const record = async (stream: string, events: readonly AnyEvent[]) => {
  const metadata = {
    ...{ causationId: 'x', correlationId: 'x', tenant, recordedAt: now },
    actor: { kind: 'user', id: tenant } as const,
  }
  const encoded = await ports.codec.encode(events.map((event) => ({ id: randomUUID(), stream, event, metadata })))
  await ports.store.append(stream, 'no_stream', encoded)
}

const document = rowOf([
  nodeOf('start', 'trigger'),
  nodeOf('rest', 'delay', { delay: '86400' }),
  nodeOf('hi', 'message', { message: 'Oi!' }),
])
const publishedFlow = async () => {
  const flowId = randomUUID()
  await record(`flow-${flowId}`, [{ type: 'FlowPublished', data: { version: 1, document } }])
  return flowId
}

it('reads the flow that a message starts, and none of the hundred that rest with the contact', async () => {
  const delayed = await Promise.all(Array.from({ length: 100 }, publishedFlow))
  await record(
    `flowRun-${contactId}`,
    delayed.flatMap((flowId): AnyEvent[] => {
      const run = { runId: randomUUID(), flowId, version: 1 }
      const started = { connectionId, startedBy: 'any_message', startMessageId: randomUUID(), text: 'oi' } as const
      return [
        { type: 'FlowRunStarted', data: { ...run, ...started } },
        { type: 'FlowDelayStarted', data: { ...run, step: 1, nodeId: 'rest', until: '2026-11-26T12:00:00.000Z' } },
      ]
    }),
  )
  let read = 0
  const codec: Codec = {
    ...ports.codec,
    decode: (page) => {
      read += page.filter(({ type }) => type === 'FlowPublished').length
      return ports.codec.decode(page)
    },
  }
  const handlers = flowRunHandlers({ ...ports, codec })
  const flow = { flowId: await publishedFlow(), version: 1, document }
  const facts = {
    now,
    today: '2026-11-23',
    fields: new Map(),
    fieldValues: {},
    isOpen: true,
    labelIds: [],
    labels: new Set<string>(),
    firstName: 'Ana',
    company: 'Padaria Sol',
    limits: noFlowLimits,
  }
  const candidates = { candidates: [flow], isFirst: false, isOutOfHours: false, defaultFlowId: null }
  const start = { connectionId, writtenAt: now, ...candidates }
  const input = { contactId, messageId: randomUUID(), text: 'oi', start, facts }
  const outcome = await handlers.giveWithDocuments(
    tenant,
    contactId,
    (library) => ({ type: 'ReceiveInput', data: { ...input, library } }),
    {
      ...{ commandId: randomUUID(), tenant, causationId: 'x', correlationId: 'x' },
      actor: { kind: 'system', id: 'test' },
    },
    { startsBy: () => ({ flow, startedBy: 'any_message' }) },
  )
  expect(outcome.state.runs).toHaveLength(101)
  expect(read).toBe(1)
})
