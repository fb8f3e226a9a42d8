import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { streamName } from '@prosa/contracts/streams'
import { eventCodec, type Stored } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { expect, it } from 'vitest'
import type { Outbox } from './outbox.ts'
import { readMarks } from './read-marks.ts'

const [tenant, connectionId, otherConnection, attendantId] = Array.from({ length: 4 }, () => randomUUID())
const instant = '2026-11-21T14:00:00.000Z'
const content = { kind: 'text', text: 'oi' } as const

const received = (messageId: string, over = connectionId): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId: over ?? '', content, sentAt: instant },
})
const seen: AnyEvent = { type: 'ChatSeen', data: { attendantId: attendantId ?? '' } }
const answered: AnyEvent = {
  type: 'MessageQueued',
  data: { messageId: 'B', connectionId: connectionId ?? '', toJid: '1@lid', content, attendantId: attendantId ?? '' },
}

/** A process that starts late receives only the last `live` events. */
const marked = async (events: readonly AnyEvent[], live: number): Promise<[connection: string, ids: string[]][]> => {
  const store = memoryEventStore()
  const codec = eventCodec()
  const found: [string, string[]][] = []
  const add: Outbox['add'] = async ({ connectionId: over, work }) => {
    if (work.kind === 'read') found.push([over, work.messageIds])
    return true
  }
  const marks = readMarks(store, { add } as Outbox)
  const stream = streamName('chat', randomUUID())
  const about = { causationId: 'c', correlationId: 'c', actor: { kind: 'system' as const, id: 'test' } }
  const metadata = { ...about, tenant: tenant ?? '', recordedAt: instant }
  const identified = events.map((event) => ({ id: randomUUID(), stream, event, metadata }))
  await store.append(stream, 'no_stream', await codec.encode(identified))
  const stored: Stored[] = []
  for await (const page of store.read(stream)) stored.push(...(await codec.decode(page)))
  for (const event of stored.slice(events.length - live)) {
    if (event.type === 'MessageReceived') marks.received(event)
    if (event.type === 'ChatSeen' || event.type === 'MessageQueued') await marks.seen(event)
  }
  return found
}

it('are set for what came since somebody last looked or answered, each over its own connection', async () => {
  const events = [received('A'), received('B', otherConnection), seen, received('C'), answered, received('D'), seen]
  expect(await marked(events, events.length)).toEqual([
    [connectionId, ['A']],
    [otherConnection, ['B']],
    [connectionId, ['C']],
    [connectionId, ['D']],
  ])
})

it('are not set by what failed and is tried again', async () => {
  const again = { ...answered, data: { ...answered.data, isRetry: true } } as AnyEvent
  const events = [received('A'), again, received('B'), seen]
  expect(await marked(events, events.length)).toEqual([[connectionId, ['A', 'B']]])
  expect(await marked(events, 1)).toEqual([[connectionId, ['A', 'B']]])
})

it('are set also by a process that has seen nothing of it', async () => {
  const events = [received('A'), seen, received('B'), received('C'), seen]
  expect(await marked(events, 1)).toEqual([[connectionId, ['B', 'C']]])
  expect(await marked([received('A'), seen, answered], 1)).toEqual([])
})
