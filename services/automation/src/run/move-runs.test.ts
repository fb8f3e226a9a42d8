import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runsMover } from './move-runs.ts'
import { flowRunHandlers } from './run-handlers.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())

const owner = randomUUID()
const metadata = {
  ...{ causationId: 'x', correlationId: 'x', owner, recordedAt: '2026-11-25T12:00:00.000Z' },
  actor: { kind: 'user', id: owner } as const,
}

const record = async (stream: string, event: AnyEvent) => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
  const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
  expect(await ports.store.append(stream, revision, encoded)).toMatchObject({ ok: true })
}
const lastOf = async (stream: string) => {
  for await (const page of ports.store.readBack(stream)) return (await ports.codec.decode(page.slice(0, 1)))[0]
  return undefined
}

const added = async () => {
  const id = randomUUID()
  const data = { phone: null, lid: `${id}@lid`, name: 'Ana', origin: 'message' } as const
  await record(`contact-${id}`, { type: 'ContactAdded', data })
  return id
}
const waitsForPerson = async (id: string) => (await flowRunHandlers(ports).runs.load(id, owner)).handedOver !== null

/** The survivor's conversation is finished right before an append of this type. */
const merged = async (finishedBefore?: AnyEvent['type'], known?: string) => {
  const [from, into] = [await added(), known ?? (await added())]
  const run = { runId: randomUUID(), flowId: randomUUID(), version: 1 }
  await record(`flowRun-${from}`, {
    type: 'FlowRunEnded',
    data: { ...run, endedAt: metadata.recordedAt, reason: 'handed_over' },
  })
  await record(`contact-${from}`, { type: 'ContactAbsorbed', data: { into } })
  const absorbed = (await lastOf(`contact-${from}`)) as StoredOf<'ContactAbsorbed'>
  const store: EventStore = {
    ...ports.store,
    async append(stream, revision, events) {
      if (events.some(({ type }) => type === finishedBefore))
        await record(`contact-${into}`, { type: 'ConversationResolved', data: { attendantId: owner } })
      return ports.store.append(stream, revision, events)
    },
  }
  const handlers = flowRunHandlers({ ...ports, store })
  const move = (times: number) =>
    runsMover(handlers)(absorbed, owner, { commandId: `${absorbed.id} ${times}`, ...metadata })
  await move(1)
  return { move, waits: () => waitsForPerson(into), into }
}

it('a wait goes to whom the contact is merged into', async () => expect(await (await merged()).waits()).toBe(true))

it('a wait that was finished while it was handed on is over', async () =>
  expect(await (await merged('FlowCountsTakenOver')).waits()).toBe(false))

it('a wait that was finished is not handed on once more, when the merge is handled again', async () => {
  const { move, waits, into } = await merged('FlowCountsTakenOver')
  await move(2)
  expect(await waits()).toBe(false)
  expect((await lastOf(`flowRun-${into}`))?.type).toBe('FlowsResumed')
})

it('a wait goes to whom the contact is merged into, though that one is being separated from another', async () => {
  const [into, other] = [await added(), await added()]
  await record(`contact-${other}`, { type: 'ContactMerged', data: { absorbed: into } })
  await record(`contact-${into}`, { type: 'ContactAbsorbed', data: { into: other } })
  await record(`contact-${other}`, { type: 'ContactSeparated', data: { restored: into } })
  expect(await (await merged(undefined, into)).waits()).toBe(true)
  expect(await waitsForPerson(other)).toBe(false)
})
