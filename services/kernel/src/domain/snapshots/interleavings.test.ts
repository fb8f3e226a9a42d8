import { randomBytes, randomUUID } from 'node:crypto'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { eventCodec } from '../../event-store/codec.ts'
import { memoryEventStore } from '../../event-store/memory.ts'
import type { EventStore } from '../../event-store/port.ts'
import { silentLog } from '../../observability/log.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import { everyOrder, type Gate } from '../../testing/every-order.ts'
import { type CommandContext, commandHandler } from '../command-handler.ts'
import { fold } from '../decider.ts'
import { entryOf } from './entries.ts'
import { memoryTable } from './memory-table.ts'
import type { SnapshotTable } from './snapshot-table.ts'
import { snapshotsIn } from './snapshots.ts'
import { countingKeys, memoryKeys, type Named, names } from './testing/names.ts'

/** Runs every order of save, append, cache loss, another process's save and erasure: each wait for log, table or key is a gate. */
const id = 'c0ffee00-0000-4000-8000-000000000001'
const stream = `contact-${id}`
const subject = contactSubject(id)
const box = secretBox(randomBytes(32))
const codec = eventCodec()
const tenant = randomUUID()
const decider = names()
const { saving } = decider
if (!saving) throw new Error('names are saved')
const of = { stream, saving }
const passed: Gate = async () => undefined

const context = (): CommandContext => ({
  commandId: randomUUID(),
  actor: { kind: 'user', id: 'test' },
  tenant,
  causationId: 'test',
  correlationId: 'test',
})

const world = () => {
  const [store, table, keys] = [memoryEventStore(), memoryTable(), memoryKeys()]
  keys.add(subject)
  let gate = passed
  let encrypted = 0
  let saves: bigint[] = []

  const gatedStore = (name: string): EventStore => ({
    ...store,
    async append(at, ...about) {
      if (at !== stream) return store.append(at, ...about)
      await gate(`${name} appends`)
      const appended = await store.append(at, ...about)
      await gate(`${name} has appended`)
      return appended
    },
    async *read(at, options) {
      if (at === stream) await gate(`${name} reads`)
      yield* store.read(at, options)
    },
  })
  const gatedTable = (name: string): SnapshotTable => ({
    ...table,
    async newest(ref) {
      await gate(`${name} looks`)
      return table.newest(ref)
    },
    async write(ref, snapshot) {
      await gate(`${name} saves`)
      const before = await table.newest(ref)
      const isWritten = await table.write(ref, snapshot)
      if (isWritten) {
        saves.push(snapshot.revision)
        encrypted += snapshot.entries.length
        expect(before === undefined || before.revision < snapshot.revision).toBe(true)
      }
      await gate(`${name} has saved`)
      return isWritten
    },
  })

  const newProcess = (name: string, { cacheBytes = 1_000_000, waitsForKeys = false } = {}) => {
    const counting = countingKeys(keys)
    const subjectKeys: typeof counting.keys = {
      ...counting.keys,
      async current(subjects) {
        const found = await counting.keys.current(subjects)
        if (waitsForKeys) await gate(`${name} has its keys`)
        return found
      },
    }
    const snapshots = snapshotsIn(gatedTable(name), { subjectKeys, box, log: silentLog() })
    const handle = commandHandler({
      store: gatedStore(name),
      codec,
      clock: systemClock,
      service: 'contacts',
      category: 'contact',
      decider,
      foreign: 'unexpected',
      snapshots,
      cacheBytes,
      eventsBetweenSaves: 2,
    })
    const add = async (added: string, to = id) => {
      expect(await handle(to, { type: 'AddName', data: { name: added } }, context())).toMatchObject({ ok: true })
    }
    return { add, handle, snapshots, encrypted: counting.encrypted }
  }

  const folded = async () => {
    const events: Named[] = []
    for await (const page of store.read(stream)) events.push(...((await codec.decode(page)) as unknown as Named[]))
    return { state: fold(decider, decider.initial, events), names: events.map(({ data }) => data.name) }
  }

  const expectFold = async (process: ReturnType<typeof newProcess>) => {
    const { state, names } = await folded()
    expect(new Set(names).size).toBe(names.length)
    const loaded = await process.handle.load(id, tenant, ({ entries }) => {
      for (const name of [...names, 'never']) entryOf(entries, name)
    })
    expect(loaded.last).toBe(state.last)
    expect(loaded.entries.count).toBe(names.length)
    expect(names.filter((name) => entryOf(loaded.entries, name) !== name.length)).toEqual([])
    expect(entryOf(loaded.entries, 'never')).toBeUndefined()
  }

  return {
    keys,
    table,
    newProcess,
    expectFold,
    folded,
    encrypted: () => encrypted,
    close(to: Gate) {
      gate = to
      saves = []
    },
    open() {
      gate = passed
    },
    saves: () => saves,
  }
}

type World = ReturnType<typeof world>
type Process = ReturnType<World['newProcess']>

const expectWhole = async (at: World, processes: readonly Process[]) => {
  at.open()
  for (const process of processes) await at.expectFold(process)
  const [first] = processes
  if (!first) throw new Error('nobody is there')
  for (let round = 0; round < 3; round++) for (const added of ['p', 'q']) await first.add(`${added}${round}`)
  // A dropped state may be saved twice.
  await first.snapshots.drain()
  const { names } = await at.folded()
  const newest = await at.table.newest({ stream, decider: 'names', version: 1 })
  expect(newest && Number(newest.revision)).toBeGreaterThanOrEqual(names.length - 2)
  for (const process of processes) await at.expectFold(process)
  await at.expectFold(at.newProcess('last'))
}

describe('in every order of what happens at once', () => {
  it('no save of one process is lost while it appends, and each entry is encrypted once', async () => {
    const { orders } = await everyOrder(async (gate) => {
      const at = world()
      const process = at.newProcess('one')
      await process.add('a')
      at.close(gate)
      await Promise.all(['b', 'c', 'd', 'e'].map((name) => process.add(name)))
      await process.snapshots.drain()
      at.open()
      await expectWhole(at, [process])
      const { names } = await at.folded()
      const written = Number(process.snapshots.metrics().find(({ name }) => name.endsWith('written_total'))?.value)
      expect(process.encrypted() - written).toBe(at.encrypted())
      expect(at.encrypted()).toBeLessThanOrEqual(names.length)
      expect(at.encrypted()).toBeGreaterThanOrEqual(names.length - 1)
    })
    expect(orders).toBeGreaterThan(30)
  })

  it('nothing is lost where memory is short and states are driven out between', async () => {
    const { orders } = await everyOrder(async (gate) => {
      const at = world()
      const process = at.newProcess('one', { cacheBytes: 2600 })
      await process.add('a')
      at.close(gate)
      const driveOut = async () => {
        await gate('another stream needs the memory')
        await process.add('x'.repeat(500), randomUUID())
      }
      await Promise.all([process.add('b'), process.add('c'), driveOut()])
      await process.snapshots.drain()
      await expectWhole(at, [process])
    })
    expect(orders).toBeGreaterThan(30)
  })

  it('no process saves over what another has saved', async () => {
    const { orders } = await everyOrder(async (gate) => {
      const at = world()
      const [one, two] = [at.newProcess('one'), at.newProcess('two')]
      await one.add('a')
      await two.add('b')
      await two.snapshots.drain()
      at.close(gate)
      await Promise.all([one.add('c'), two.add('d')])
      await Promise.all([one.snapshots.drain(), two.snapshots.drain()])
      await expectWhole(at, [one, two])
    })
    expect(orders).toBeGreaterThan(100)
  })

  it('who only looks puts nothing older in the place of what was saved', async () => {
    const { orders } = await everyOrder(async (gate) => {
      const at = world()
      const process = at.newProcess('one')
      await process.add('a')
      at.close(gate)
      const look = () => process.handle.load(id, tenant)
      await Promise.all([look(), process.add('b'), process.add('c'), look()])
      await process.snapshots.drain()
      await expectWhole(at, [process])
      expect(at.encrypted()).toBeLessThanOrEqual((await at.folded()).names.length)
    })
    expect(orders).toBeGreaterThan(100)
  })

  it('what a subject was before its erasure does not come back', async () => {
    const { orders } = await everyOrder(async (gate) => {
      const at = world()
      const process = at.newProcess('one', { waitsForKeys: true })
      await process.add('a')
      at.close(gate)
      const erase = async () => {
        await gate('erasure')
        at.keys.erase(subject)
      }
      await Promise.all([process.add('b'), process.add('c'), erase()])
      await process.snapshots.drain()
      at.open()
      const reader = snapshotsIn(at.table, { subjectKeys: at.keys, box, log: silentLog() })
      expect(await reader.load(of)).toBeUndefined()
      expect(await at.table.newest({ stream, decider: 'names', version: 1 })).toBeUndefined()
      await at.expectFold(process)
      await process.add('d')
      await process.snapshots.drain()
      expect(await at.table.newest({ stream, decider: 'names', version: 1 })).toBeUndefined()
    })
    expect(orders).toBeGreaterThan(30)
  })
})
