import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flowRunHandlers } from './run-handlers.ts'
import { moveRuns } from './run-process.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())

const tenant = randomUUID()
const metadata = {
  ...{ causationId: 'x', correlationId: 'x', tenant, recordedAt: '2026-11-25T12:00:00.000Z' },
  actor: { kind: 'user', id: tenant } as const,
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
const waitsForPerson = async (id: string) => (await flowRunHandlers(ports).runs.load(id, tenant)).handedOver !== null

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
        await record(`contact-${into}`, { type: 'ConversationResolved', data: { attendantId: tenant } })
      return ports.store.append(stream, revision, events)
    },
  }
  const handlers = flowRunHandlers({ ...ports, store })
  const move = (times: number) =>
    moveRuns(handlers, { event: absorbed, tenant, context: { commandId: `${absorbed.id} ${times}`, ...metadata } })
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

const runIn = async (contactId: string) => {
  const run = { runId: randomUUID(), flowId: randomUUID(), version: 1 }
  const about = { connectionId: randomUUID(), startedBy: 'keyword', startMessageId: null, text: 'oi' } as const
  await record(`flowRun-${contactId}`, {
    type: 'FlowRunStarted',
    data: { ...run, ...about, startedAt: metadata.recordedAt },
  })
  return run.runId
}
const runsOf = async (id: string) => (await flowRunHandlers(ports).runs.load(id, tenant)).runs.map(({ runId }) => runId)

/** A run with a contact that was merged and separated again, before the merge is handled. */
const separated = async ({ isRestored = true } = {}) => {
  const [from, into] = [await added(), await added()]
  const runId = await runIn(from)
  await record(`contact-${from}`, { type: 'ContactAbsorbed', data: { into } })
  const absorbed = (await lastOf(`contact-${from}`)) as StoredOf<'ContactAbsorbed'>
  await record(`contact-${into}`, { type: 'ContactMerged', data: { absorbed: from } })
  const separate = async () => {
    await record(`contact-${into}`, { type: 'ContactSeparated', data: { restored: from } })
    if (isRestored) await record(`contact-${from}`, { type: 'ContactRestored', data: { from: into } })
  }
  const move = (store = ports.store) =>
    moveRuns(flowRunHandlers({ ...ports, store }), {
      event: absorbed,
      tenant,
      context: { commandId: absorbed.id, ...metadata },
    })
  return { from, into, runId, separate, move }
}

it.each([true, false])(
  'runs stay with a contact that was separated before the merge is handled (restored: %s)',
  async (isRestored) => {
    const { from, into, runId, separate, move } = await separated({ isRestored })
    await separate()
    await move()
    expect([await runsOf(from), await runsOf(into)]).toEqual([[runId], []])
  },
)

it.each([
  ['ends with a survivor who is attended', 'accepted'],
  ['goes on with one who waits', null],
])('a run of a merged contact %s', async (_, reason) => {
  const { from, into, runId, move } = await separated()
  if (reason) await record(`contact-${into}`, { type: 'ConversationAccepted', data: { attendantId: tenant } })
  for (const _again of [1, 2]) await move()
  expect([await runsOf(from), await runsOf(into)]).toEqual([[], reason ? [] : [runId]])
  const last = await lastOf(`flowRun-${into}`)
  if (reason) expect(last).toMatchObject({ type: 'FlowRunEnded', data: { runId, reason } })
  else expect(last?.type).not.toBe('FlowRunEnded')
})

it('a wait stays with a contact that was separated before the merge is handled', async () => {
  const { from, into, runId, separate, move } = await separated()
  await record(`flowRun-${from}`, {
    type: 'FlowRunEnded',
    data: { runId, flowId: randomUUID(), version: 1, endedAt: metadata.recordedAt, reason: 'handed_over' },
  })
  await separate()
  await move()
  expect([await waitsForPerson(from), await waitsForPerson(into)]).toEqual([true, false])
})

it('runs go to whom a contact is merged into after it was separated', async () => {
  const { from, into, runId, separate, move } = await separated()
  await separate()
  const next = await added()
  await record(`contact-${from}`, { type: 'ContactAbsorbed', data: { into: next } })
  await move()
  expect([await runsOf(from), await runsOf(into), await runsOf(next)]).toEqual([[], [], [runId]])
})

it('runs that left before a crash arrive, though the contacts were separated since', async () => {
  const { from, into, runId, separate, move } = await separated()
  const store: EventStore = {
    ...ports.store,
    async append(stream, revision, events) {
      if (stream === `flowRun-${into}`) throw new Error('the process ends here')
      return ports.store.append(stream, revision, events)
    },
  }
  await expect(move(store)).rejects.toThrow('the process ends here')
  await separate()
  for (const _ of [1, 2]) await move()
  expect([await runsOf(from), await runsOf(into)]).toEqual([[], [runId]])
})
