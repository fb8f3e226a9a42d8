import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { shortestSlices } from '@prosa/kernel/testing/time-slices'
import { expect, it } from 'vitest'
import { pastRunOf } from './past-run.ts'

it('reads again what was written in the millisecond in which the run began, and nothing from before', async () => {
  const [store, codec] = [memoryEventStore(), eventCodec()]
  const [tenant, contactId, runId, connectionId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const record = async (stream: string, ...events: (readonly [at: string, AnyEvent])[]) => {
    const about = { causationId: 'x', correlationId: 'x', tenant, actor: { kind: 'user', id: tenant } as const }
    const encoded = events.map(([recordedAt, event]) => ({
      ...{ id: randomUUID(), stream, event, metadata: { ...about, recordedAt } },
    }))
    await store.append(stream, 'no_stream', await codec.encode(encoded))
  }
  const [before, startedAt] = ['2026-11-25T11:59:59.999Z', '2026-11-25T12:00:00.000Z']
  const received = (messageId: string, sentAt: string) => {
    const data = { messageId, connectionId, content: { kind: 'text', text: messageId }, sentAt } as const
    return [sentAt, { type: 'MessageReceived', data }] as const
  }
  await record(
    `chat-${contactId}`,
    ...[received('earlier', before), received('starts', before), received('at once', startedAt)],
  )
  const run = { runId, flowId: randomUUID(), version: 1, connectionId, text: 'starts' }
  const started = { ...run, startedBy: 'any_message', startMessageId: 'starts' } as const
  await record(`flowRun-${contactId}`, [startedAt, { type: 'FlowRunStarted', data: started }])
  const now = '2026-11-25T13:00:00.000Z'
  const past = await pastRunOf({ store, codec }, { tenant, contactId, runId, now }, shortestSlices)
  expect(past?.messages.map(({ messageId }) => messageId)).toEqual(['at once'])
})
