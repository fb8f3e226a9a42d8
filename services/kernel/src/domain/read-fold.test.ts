import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { expect, it } from 'vitest'
import { type Codec, eventCodec, type StoredOf } from '../event-store/codec.ts'
import { memoryEventStore } from '../event-store/memory.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import type { Reader } from './decider.ts'
import { readFold, readFoldBack } from './read-fold.ts'

type Named = StoredOf<'ContactNamed'>

const names: Reader<Named, readonly string[]> = {
  initial: [],
  evolve: { ContactNamed: (known, { name }, { revision }) => [...known, `${revision} ${name}`] },
}

const [tenant, id] = [randomUUID(), randomUUID()]
const stream = `contact-${id}`
const named = (name: string): AnyEvent => ({ type: 'ContactNamed', data: { name } })
const resolved: AnyEvent = { type: 'ConversationResolved', data: { attendantId: tenant } }

const recorded = async (...events: AnyEvent[]) => {
  const codec = eventCodec()
  const actor = { kind: 'system', id: 'test' } as const
  const metadata = { causationId: 'x', correlationId: 'x', actor, tenant, recordedAt: '2026-11-26T12:00:00.000Z' }
  const store = memoryEventStore()
  let last = -1
  const add = async (...more: AnyEvent[]) => {
    const encoded = await codec.encode(more.map((event) => ({ id: randomUUID(), stream, event, metadata })))
    await store.append(stream, last < 0 ? 'no_stream' : BigInt(last), encoded)
    last += more.length
  }
  await add(...events)
  const decoded: string[] = []
  const counting: Codec = {
    ...codec,
    decode(page) {
      decoded.push(...page.map(({ type }) => type))
      return codec.decode(page)
    },
  }
  return { store: store as EventStore, codec: counting, decoded, add }
}

it('folds the events that the reader names, and decodes no others', async () => {
  const { decoded, ...ports } = await recorded(named('Ana'), resolved, named('Bia'))
  expect(await readFold(ports, 'contact', names).load(id, tenant)).toEqual(['0 Ana', '2 Bia'])
  expect(decoded).toEqual(['ContactNamed', 'ContactNamed'])
})

it('includes each time what was stored before, and reads nothing twice', async () => {
  const { add, decoded, ...ports } = await recorded(named('Ana'))
  const { load } = readFold(ports, 'contact', names)
  await load(id, tenant)
  await add(resolved, named('Bia'))
  expect(await load(id, tenant)).toEqual(['0 Ana', '2 Bia'])
  expect(await load(id, tenant)).toEqual(['0 Ana', '2 Bia'])
  expect(decoded).toHaveLength(2)
})

it('knows nothing of another tenant’s stream, nor of none', async () => {
  const ports = await recorded(named('Ana'))
  const back = { id, tenant: 'somebody else', isDone: () => false }
  expect(await readFold(ports, 'contact', names).load(id, 'somebody else')).toEqual([])
  expect(await readFold(ports, 'contact', names).load(randomUUID(), tenant)).toEqual([])
  expect(await readFoldBack(ports, 'contact', names, back)).toEqual([])
})

it('folds from the newest event back until enough is known', async () => {
  const ports = await recorded(named('Ana'), named('Bia'), resolved, named('Eva'))
  const store: EventStore = {
    ...ports.store,
    async *readBack(name) {
      const all: RecordedEvent[] = []
      for await (const page of ports.store.readBack(name)) all.push(...page)
      for (const event of all) yield [event]
    },
  }
  const upTo = (count: number) =>
    readFoldBack({ ...ports, store }, 'contact', names, { id, tenant, isDone: (known) => known.length >= count })
  expect(await upTo(1)).toEqual(['3 Eva'])
  expect(await upTo(2)).toEqual(['3 Eva', '1 Bia'])
  const first = { id, tenant, isDone: () => false, maxEvents: 2 }
  expect(await readFoldBack({ ...ports, store }, 'contact', names, first)).toEqual(['3 Eva'])
})
