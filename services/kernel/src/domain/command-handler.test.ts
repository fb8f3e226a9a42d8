import type { EventOf } from '@prosa/contracts/events/all-events'
import type { contactEvents } from '@prosa/contracts/events/contacts'
import { describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../async/reachability.ts'
import { systemClock } from '../clock.ts'
import { eventCodec } from '../event-store/codec.ts'
import { memoryEventStore } from '../event-store/memory.ts'
import { beginning, type EventStore } from '../event-store/port.ts'
import { type CommandContext, commandHandler } from './command-handler.ts'
import type { Decider } from './decider.ts'

type Named = Extract<EventOf<typeof contactEvents>, { type: 'ContactNamed' }>
type AddName = { type: 'AddName'; data: { name: string } }
type AddNames = { type: 'AddNames'; data: { names: readonly string[] } }

const names: Decider<AddName | AddNames, Named, readonly string[], 'contact_not_found' | 'unexpected'> = {
  initial: [],
  decide: {
    AddName: (known, { name }) => {
      if (name === 'forbidden') return { rejected: 'unexpected' }
      return known.includes(name) ? [] : [{ type: 'ContactNamed', data: { name } }]
    },
    AddNames: (known, { names: wanted }) =>
      wanted.filter((name) => !known.includes(name)).map((name) => ({ type: 'ContactNamed', data: { name } })),
  },
  evolve: { ContactNamed: (known, { name }) => [...known, name] },
}

const handlerOver = (store: EventStore, cacheBytes?: number) =>
  commandHandler({
    store,
    ...(cacheBytes !== undefined && { cacheBytes }),
    codec: eventCodec(),
    clock: systemClock,
    service: 'contacts',
    category: 'contact',
    decider: names,
    foreign: 'contact_not_found',
  })

const context = (commandId: string, tenant = 'tenant-a'): CommandContext => ({
  commandId,
  actor: { kind: 'user', id: 'user' },
  tenant,
  causationId: 'cause',
  correlationId: 'correlation',
})

const add = (name: string): AddName => ({ type: 'AddName', data: { name } })
const addAll = (...wanted: string[]): AddNames => ({ type: 'AddNames', data: { names: wanted } })

const everything = async (store: EventStore) => {
  const events = []
  for await (const batch of store.readAll(beginning, { categories: ['contact'] })) events.push(...batch.events)
  return events
}

describe('a command handler', () => {
  it('takes streams of its own service only', () => {
    const deps = {
      ...{ store: memoryEventStore(), codec: eventCodec(), clock: systemClock, decider: names },
      ...({ service: 'contacts', foreign: 'contact_not_found' } as const),
    }
    commandHandler({ ...deps, category: 'chat' })
    // @ts-expect-error: automation owns the streams of flows.
    commandHandler({ ...deps, category: 'flow' })
    // @ts-expect-error: a category must exist.
    commandHandler({ ...deps, category: 'friend' })
  })

  it('does not look for a stream that is presumed to be new, and finds out where it is not', async () => {
    const memory = memoryEventStore()
    let reads = 0
    const counted: EventStore = {
      ...memory,
      read: (...asked) => {
        reads++
        return memory.read(...asked)
      },
    }
    const isNew = { ...context('1'), presumedNew: true } as const
    expect(await handlerOver(counted)('ana', add('Ana'), isNew)).toMatchObject({ ok: true, state: ['Ana'] })
    expect(reads).toBe(0)
    const elsewhere = handlerOver(counted)
    expect(await elsewhere('ana', add('Ana'), { ...isNew, commandId: '2' })).toMatchObject({ ok: true, events: [] })
    const foreign = { ...isNew, commandId: '3', tenant: 'tenant-b' }
    expect(await elsewhere('ana', add('Bia'), foreign)).toEqual({ ok: false, rejected: 'contact_not_found' })
    expect((await everything(memory)).map(({ metadata }) => 'presumedNew' in metadata)).toEqual([false])
  })

  it('stores what was decided, with actor, cause and tenant', async () => {
    const store = memoryEventStore()
    const outcome = await handlerOver(store)('one', add('Ana'), context('c1'))
    expect(outcome).toMatchObject({ ok: true, state: ['Ana'] })
    const [stored] = await everything(store)
    expect(stored?.metadata).toMatchObject({
      actor: { kind: 'user', id: 'user' },
      tenant: 'tenant-a',
      causationId: 'cause',
      correlationId: 'correlation',
      schemaVersion: 1,
    })
    expect(stored?.metadata).not.toHaveProperty('commandId')
  })

  it('stores nothing the second time and returns where the stream ends', async () => {
    const store = memoryEventStore()
    const handle = handlerOver(store)
    const first = await handle('one', add('Ana'), context('c1'))
    const second = await handle('one', add('Ana'), context('c1'))
    expect(second).toMatchObject({ ok: true, events: [] })
    expect(first.ok && second.ok && second.position === first.position).toBe(true)
    expect(await everything(store)).toHaveLength(1)
  })

  it('decides again when somebody else wrote first', async () => {
    const store = memoryEventStore()
    const [here, there] = [handlerOver(store), handlerOver(store)]
    await here('one', add('Ana'), context('c1'))
    await there('one', add('Bia'), context('c2'))
    await here('one', add('Caio'), context('c3'))
    expect(await there.load('one', 'tenant-a')).toEqual(['Ana', 'Bia', 'Caio'])
  })

  it('loses and doubles nothing when two processes write to one stream at once', async () => {
    const store = memoryEventStore()
    const handlers = [handlerOver(store), handlerOver(store)]
    const wanted = Array.from({ length: 60 }, (_, index) => `name ${index}`)
    await Promise.all(wanted.flatMap((name) => handlers.map((handle) => handle('one', add(name), context(name)))))
    const stored = (await everything(store)).map(({ data }) => data.name)
    expect(stored.toSorted()).toEqual(wanted.toSorted())
  })

  it('does not reject on the ground of a remembered state that is out of date', async () => {
    const store = memoryEventStore()
    const [here, there] = [handlerOver(store), handlerOver(store)]
    await here('one', add('Ana'), context('c1'))
    await there('one', add('Bia'), context('c2'))
    expect(await here('one', add('Bia'), context('c3'))).toMatchObject({ ok: true, events: [], state: ['Ana', 'Bia'] })
  })

  it('does nothing without asking the server only where the log, followed as far as the cause, holds nothing newer', async () => {
    const real = memoryEventStore()
    let reads = 0
    let followed = 0
    const store: EventStore = {
      ...real,
      read(stream, options) {
        reads++
        return real.read(stream, options)
      },
      isUnchanged: (_, since) => followed <= Number(since),
    }
    const [here, there] = [handlerOver(store), handlerOver(real)]
    const first = await here('one', add('Ana'), context('c1'))
    const asOf = first.ok && first.position
    if (!asOf) throw new Error('nothing was stored')
    followed = 1
    reads = 0
    const caused = (commandId: string, position = asOf) => ({ ...context(commandId), asOf: position })
    expect(await here('one', add('Ana'), caused('c2'))).toMatchObject({ ok: true, events: [] })
    expect(reads).toBe(0)
    expect(await here('one', add('Ana'), context('c3'))).toMatchObject({ ok: true, events: [] })
    expect(reads).toBe(1)
    const second = await there('one', add('Bia'), context('c4'))
    followed = 2
    const position = (second.ok && second.position) || asOf
    expect(await here('one', add('Ana'), caused('c5', position))).toMatchObject({ state: ['Ana', 'Bia'] })
    expect(reads).toBeGreaterThan(1)
    const last = (await everything(real)).at(-1)
    expect(last?.metadata).not.toHaveProperty('asOf')
  })

  it('remembers states of so many bytes together, and none that would drive all others out', async () => {
    const real = memoryEventStore()
    const readFromTheStart: string[] = []
    const store: EventStore = {
      ...real,
      read(stream, options) {
        if (!options?.from) readFromTheStart.push(stream)
        return real.read(stream, options)
      },
    }
    const again = async (handle: ReturnType<typeof handlerOver>, ids: readonly string[], name: string) => {
      readFromTheStart.length = 0
      for (const id of ids) await handle(id, add(name), context(name))
      return readFromTheStart
    }
    const handle = handlerOver(store, 100_000)
    const short = ['a', 'b', 'c']
    await again(handle, short, 'Ana')
    expect(await again(handle, short, 'Bia')).toEqual([])
    // Above an eighth of the memory by its bytes, not by its number of events.
    await again(handle, ['large'], 'x'.repeat(10_000))
    expect(await again(handle, [...short, 'large'], 'Caio')).toEqual(['contact-large'])
    await again(
      handle,
      Array.from({ length: 30 }, (_, index) => `middling ${index}`),
      'y'.repeat(2000),
    )
    expect(await again(handle, ['middling 29', 'a'], 'Dora')).toEqual(['contact-a'])
  })

  it('answers another tenant as if the stream did not exist', async () => {
    const handle = handlerOver(memoryEventStore())
    await handle('one', add('Ana'), context('c1'))
    expect(await handle('one', add('Bia'), context('c2', 'tenant-b'))).toEqual({
      ok: false,
      rejected: 'contact_not_found',
    })
    expect(await handle.load('one', 'tenant-b')).toEqual([])
  })

  it('passes a refusal on as a value', async () => {
    const handle = handlerOver(memoryEventStore())
    expect(await handle('one', add('forbidden'), context('c1'))).toEqual({ ok: false, rejected: 'unexpected' })
  })

  it('can be asked again after an unknown outcome, and stores once', async () => {
    const real = memoryEventStore()
    let lost = 1
    const store: EventStore = {
      ...real,
      async append(stream, expected, events) {
        const result = await real.append(stream, expected, events)
        if (lost-- > 0) throw new StoreUnavailable('the answer was lost')
        return result
      },
    }
    const handle = handlerOver(store)
    await expect(handle('one', add('Ana'), context('c1'))).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await handle('one', add('Ana'), context('c1'))).toMatchObject({ ok: true, state: ['Ana'] })
    expect(await everything(real)).toHaveLength(1)
  })

  it('finds what a repeated command did before, with the state that it led to, whatever has happened since', async () => {
    const store = memoryEventStore()
    const handle = handlerOver(store)
    await handle('one', add('Ana'), context('c1'))
    const first = await handle('one', add('Bia'), context('c2'))
    await handle('one', add('Caio'), context('c3'))
    const again = await handlerOver(store)('one', add('Dora'), { ...context('c2'), repeated: true })
    expect(again).toMatchObject({ ok: true, events: [], state: ['Ana', 'Bia'], position: first.ok && first.position })
    expect(await everything(store)).toHaveLength(3)
  })

  it('finds all events of a repeated command: the state and the position are those of its last one', async () => {
    const store = memoryEventStore()
    const handle = handlerOver(store)
    await handle('one', add('Ana'), context('c1'))
    const first = await handle('one', addAll('Bia', 'Caio', 'Dora'), context('c2'))
    await handle('one', addAll('Eva', 'Fabio'), context('c3'))
    const events = await everything(store)
    const led = { ok: true, state: ['Ana', 'Bia', 'Caio', 'Dora'], position: events[3]?.position }
    expect(first).toMatchObject(led)
    const repeated = { ...context('c2'), repeated: true }
    for (const process of [handle, handlerOver(store)]) {
      expect(await process('one', addAll('Bia', 'Caio', 'Dora'), repeated)).toEqual({ ...led, events: [] })
      expect(await process.earlier('one', 'AddNames', repeated)).toEqual({ ...led, events: [] })
    }
    expect(await everything(store)).toHaveLength(events.length)
  })

  it('carries a repeated command out that did nothing before, and shows it to its own tenant only', async () => {
    const store = memoryEventStore()
    const handle = handlerOver(store)
    await handle('one', add('Ana'), context('c1'))
    expect(await handle('one', add('Bia'), { ...context('c2'), repeated: true })).toMatchObject({
      state: ['Ana', 'Bia'],
    })
    expect(await handle('one', add('Ana'), { ...context('c1', 'tenant-b'), repeated: true })).toMatchObject({
      ok: false,
    })
    const [stored] = await everything(store)
    expect(stored?.metadata).not.toHaveProperty('repeated')
  })
})
