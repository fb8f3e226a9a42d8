import { randomUUID } from 'node:crypto'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Codec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import type { NewEvent } from '@prosa/kernel/event-store/port'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flowDocuments } from './flow-documents.ts'
import { seenLog } from './stream-cache.ts'
import { nodeOf, rowOf } from './testing/flow-of.ts'

let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())

const published = async (tenant: string, flows: Readonly<Record<string, FlowDocument>>) => {
  const store = memoryEventStore()
  for (const [flowId, document] of Object.entries(flows)) {
    const stream = `flow-${flowId}`
    const metadata = {
      ...{ causationId: 'x', correlationId: 'x', tenant, recordedAt: ports.clock.now() },
      actor: { kind: 'user', id: tenant } as const,
    }
    const event = { type: 'FlowPublished', data: { version: 1, document } } as const
    await store.append(stream, 'no_stream', await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }]))
  }
  let read = 0
  const codec: Codec = {
    ...ports.codec,
    decode: (page) => {
      read += page.length
      return ports.codec.decode(page)
    },
  }
  return { documents: flowDocuments({ store, codec }, seenLog()), read: () => read }
}

it('hands no more documents to one decision than fit into memory sixteen times', async () => {
  const tenant = randomUUID()
  const ids = Array.from({ length: 20 }, () => randomUUID())
  const large = (next: string | undefined) =>
    rowOf([
      nodeOf('start', 'trigger'),
      ...Array.from({ length: 7 }, (_, index) => nodeOf(`m${index}`, 'message', { message: 'a'.repeat(95_000) })),
      ...(next ? [nodeOf('next', 'flow', { flowId: next })] : []),
    ])
  const flows = Object.fromEntries(ids.map((id, index) => [id, large(ids[index + 1])]))
  const { documents, read } = await published(tenant, flows)
  const library = await documents.libraryOf(tenant, [{ flowId: ids[0] ?? '', version: 1 }])
  const known = ids.filter((id) => library.version(id, 1))
  expect(known).toEqual(ids.slice(0, known.length))
  expect(known.length).toBeGreaterThan(1)
  expect(read()).toBeLessThan(10)
  expect(library.published(ids[known.length] ?? '')).toBeNull()
})

it('finds the version that is on among two hundred thousand', async () => {
  const store = memoryEventStore()
  const [tenant, flowId] = [randomUUID(), randomUUID()]
  const versions = 200_000
  let revision: bigint | 'no_stream' = 'no_stream'
  for (let version = 1; version <= versions; version += 2000) {
    const events = Array.from(
      { length: 2000 },
      (_, index): NewEvent => ({
        id: randomUUID(),
        type: 'FlowPublished',
        data: { version: version + index },
        metadata: {
          ...{ causationId: 'x', correlationId: 'x', tenant, recordedAt: ports.clock.now(), schemaVersion: 1 },
          actor: { kind: 'user', id: tenant },
        },
      }),
    )
    const appended = await store.append(`flow-${flowId}`, revision, events)
    if (!appended.ok) throw new Error('conflict')
    revision = appended.revision
  }
  const documents = flowDocuments({ store, codec: ports.codec }, seenLog())
  expect(await documents.publishedOf(tenant, flowId)).toBe(versions)
  expect(await documents.publishedOf(randomUUID(), flowId)).toBeNull()
})
