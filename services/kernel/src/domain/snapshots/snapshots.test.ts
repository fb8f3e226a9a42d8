import { randomUUID } from 'node:crypto'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { eventCodec } from '../../event-store/codec.ts'
import { memoryEventStore } from '../../event-store/memory.ts'
import type { EventStore, RecordedEvent } from '../../event-store/port.ts'
import { createLog } from '../../observability/log.ts'
import { cleanUp } from '../../operations/operations.ts'
import { personalEncryption } from '../../privacy/personal-encryption.ts'
import { type TestPorts, testPorts } from '../../testing/test-ports.ts'
import { until } from '../../testing/until.ts'
import { type CommandContext, commandHandler } from '../command-handler.ts'
import { postgresSnapshots, type Snapshots } from './snapshots.ts'
import { countingKeys, names } from './testing/names.ts'

let ports: TestPorts
let store: EventStore
let logged = ''
let ms = 0
const tenant = randomUUID()
const log = createLog('trace', {
  write(line) {
    logged += line
  },
})

beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())
beforeEach(() => {
  store = memoryEventStore()
  logged = ''
})

const context = (commandId: string = randomUUID()): CommandContext => ({
  commandId,
  actor: { kind: 'user', id: 'test' },
  tenant,
  causationId: 'test',
  correlationId: 'test',
})

const newProcess = (version = 1, over: EventStore = store, cacheBytes?: number) => {
  const { pool, subjectKeys, box } = ports
  const codec = eventCodec({ personal: personalEncryption(subjectKeys, box) })
  const counting = countingKeys(subjectKeys)
  const snapshots = postgresSnapshots({ pool, subjectKeys: counting.keys, box, log, now: () => ms })
  let read = 0
  const countingStore: EventStore = {
    ...over,
    async *read(stream, options) {
      for await (const page of over.read(stream, options)) {
        read += page.length
        yield page
      }
    },
    async *readBack(stream) {
      for await (const page of over.readBack(stream)) {
        read += page.length
        yield page
      }
    },
  }
  const handle = commandHandler({
    store: countingStore,
    codec,
    clock: systemClock,
    service: 'contacts',
    category: 'contact',
    decider: names(version),
    foreign: 'unexpected',
    snapshots,
    ...(cacheBytes !== undefined && { cacheBytes }),
  })
  return {
    handle,
    snapshots,
    add: (id: string, name: string, about = context()) => handle(id, { type: 'AddName', data: { name } }, about),
    reads: () => read,
    encrypted: counting.encrypted,
  }
}

const filled = async (count: number) => {
  const id = randomUUID()
  const process = newProcess()
  for (let index = 0; index < count; index++) await process.add(id, `name ${index}`)
  await process.snapshots.drain()
  return id
}

const length = async (id: string) => {
  const found: RecordedEvent[] = []
  for await (const page of store.read(`contact-${id}`)) found.push(...page)
  return found.length
}

const rowsOf = async (id: string) =>
  (
    await ports.pool.query<{ revision: string; lineage: string; fold_version: number }>(
      'select revision, lineage, fold_version from stream_snapshot where stream = $1 order by revision',
      [`contact-${id}`],
    )
  ).rows

const metric = (snapshots: Snapshots, name: string) => snapshots.metrics().find((each) => each.name === name)?.value

describe('a state that was saved', () => {
  it('is loaded by a new process, which reads only what came after it', async () => {
    const id = await filled(450)
    const process = newProcess()
    expect(await process.add(id, 'name 449')).toMatchObject({ ok: true, events: [] })
    expect(process.reads()).toBeLessThan(60)
    expect(await process.add(id, 'another')).toMatchObject({ ok: true, state: { last: 'another' } })
  })

  it('knows what is as old as the stream: nothing is doubled', async () => {
    const id = await filled(450)
    const process = newProcess()
    for (const name of ['name 0', 'name 17', 'name 400'])
      expect(await process.add(id, name)).toMatchObject({ ok: true, events: [] })
    expect(await length(id)).toBe(450)
    expect(process.reads()).toBeLessThan(60)
  })

  it('is saved and kept also when all of it would never fit into memory', async () => {
    const id = await filled(900)
    await ports.pool.query('delete from stream_snapshot')
    const process = newProcess(1, store, 100_000)
    expect(await process.add(id, 'name 0')).toMatchObject({ ok: true, events: [] })
    expect(process.reads()).toBeGreaterThanOrEqual(900)
    const before = process.reads()
    for (let index = 0; index < 300; index++)
      expect(await process.add(id, `name ${index}`)).toMatchObject({ ok: true, events: [] })
    expect(process.reads() - before).toBe(0)
  })

  it('holds nothing about a person that could be read without the key, neither in the state nor in a key', async () => {
    const id = await filled(250)
    const { rows } = await ports.pool.query<{ text: string }>(
      `select s::text || encode(s.state, 'escape') as text from stream_snapshot s where stream = $1 union all
       select e.key || encode(e.value, 'escape') from stream_entry e
       where lineage in (select lineage from stream_snapshot where stream = $1)`,
      [`contact-${id}`],
    )
    expect(rows.length).toBeGreaterThan(250)
    expect(rows.filter(({ text }) => text.includes('name '))).toEqual([])
  })

  it('cannot be opened once its subject was erased, is thrown away then, and not saved again', async () => {
    const id = await filled(250)
    await ports.subjectKeys.erase([contactSubject(id)])
    const process = newProcess()
    expect(await process.handle.load(id, tenant)).toMatchObject({ last: '[apagado]' })
    expect(await rowsOf(id)).toEqual([])
    await process.snapshots.drain()
    expect(await rowsOf(id)).toEqual([])
    expect((await ports.subjectKeys.current([contactSubject(id)])).size).toBe(0)
  })

  it('is cleaned up once its subject was erased, with its entries, also when nobody asks for it again', async () => {
    const [id, other] = [await filled(250), await filled(250)]
    const entries = async () => (await ports.pool.query('select from stream_entry')).rowCount ?? 0
    const before = await entries()
    await ports.subjectKeys.erase([contactSubject(id)])
    await cleanUp(ports.pool, 100)
    expect([await rowsOf(id), (await rowsOf(other)).length]).toEqual([[], 1])
    expect(before - (await entries())).toBeGreaterThanOrEqual(200)
    expect(await newProcess().add(other, 'name 0')).toMatchObject({ ok: true, events: [] })
  })

  it.each<[string, string]>([
    [
      'a state that was changed',
      `update stream_snapshot set state = overlay(state placing 'xx' from 20) where stream = $1`,
    ],
    ['a state of nothing', `update stream_snapshot set state = '' where stream = $1`],
    [
      'entries that were changed',
      `update stream_entry set value = overlay(value placing 'xxx' from 10) where lineage in
         (select lineage from stream_snapshot where stream = $1)`,
    ],
    ['a key that nobody knows', `update stream_snapshot set subject_key = gen_random_uuid() where stream = $1`],
  ])('is thrown away and folded again: %s', async (_, damage) => {
    const id = await filled(450)
    await ports.pool.query(damage, [`contact-${id}`])
    const process = newProcess()
    expect(await process.add(id, 'name 0')).toMatchObject({ ok: true, events: [], state: { last: 'name 449' } })
    expect(process.reads()).toBeGreaterThanOrEqual(450)
    expect(metric(process.snapshots, 'prosa_snapshots_discarded_total')).toBe(1)
    await process.snapshots.drain()
    const next = newProcess()
    expect(await next.add(id, 'name 1')).toMatchObject({ ok: true, events: [] })
    expect(next.reads()).toBeLessThan(60)
    expect(logged).not.toContain('name ')
  })

  it('of another version of the fold is folded again, beside the old one, which goes', async () => {
    const id = await filled(250)
    const process = newProcess(2)
    expect(await process.add(id, 'name 0')).toMatchObject({ ok: true, events: [] })
    expect(process.reads()).toBeGreaterThanOrEqual(250)
    await process.snapshots.drain()
    expect((await rowsOf(id)).map((row) => row.fold_version)).toEqual([2])
    const old = newProcess(1)
    expect(await old.add(id, 'name 0')).toMatchObject({ ok: true, events: [] })
  })

  it('of a log that was restored without its newest events is thrown away', async () => {
    const id = await filled(450)
    const restored = memoryEventStore()
    const chosenState: RecordedEvent[] = []
    for await (const page of store.read(`contact-${id}`)) chosenState.push(...page)
    const restore = async (events: RecordedEvent[]) => {
      for (const [index, event] of events.entries())
        await restored.append(event.stream, index === 0 ? 'no_stream' : BigInt(index - 1), [event])
    }
    await restore(chosenState.slice(0, 300))
    const process = newProcess(1, restored)
    expect(await process.add(id, 'name 400')).toMatchObject({ ok: true, state: { last: 'name 400' } })
    expect(await process.add(id, 'name 299')).toMatchObject({ ok: true, events: [] })
  })
})

describe('processes side by side', () => {
  it('lose and double nothing, whoever saves', async () => {
    const id = randomUUID()
    const processes = [newProcess(), newProcess(), newProcess()]
    const wanted = Array.from({ length: 700 }, (_, index) => `name ${index % 500}`)
    await Promise.all(
      processes.map(async ({ add, snapshots }, number) => {
        for (const [index, name] of wanted.entries()) {
          expect(await add(id, name)).toMatchObject({ ok: true })
          if (index % (60 + number) === 0) await snapshots.drain()
        }
      }),
    )
    expect(await length(id)).toBe(500)
    const { rows } = await ports.pool.query(
      'select from stream_entry where lineage in (select lineage from stream_snapshot where stream = $1)',
      [`contact-${id}`],
    )
    expect(rows.length).toBeGreaterThan(400)
    const last = newProcess()
    for (let index = 0; index < 500; index++)
      expect(await last.add(id, `name ${index}`)).toMatchObject({ ok: true, events: [] })
  }, 60_000)

  it('go on where one of them ended without a word, in the middle of saving', async () => {
    const id = await filled(450)
    // Uncommitted entries do not exist.
    const [before] = await rowsOf(id)
    const killed = newProcess()
    for (let index = 0; index < 150; index++) await killed.add(id, `later ${index}`)
    expect((await rowsOf(id)).map(({ revision }) => revision)).toEqual([before?.revision])
    const next = newProcess()
    for (const name of ['name 3', 'later 0', 'later 149'])
      expect(await next.add(id, name)).toMatchObject({ ok: true, events: [] })
    expect(await length(id)).toBe(600)
  })
})

describe('saving', () => {
  it('is never in the way of an append: one that fails is logged and counted', async () => {
    const id = randomUUID()
    const process = newProcess()
    await ports.pool.query('alter table stream_entry rename to stream_entry_gone')
    try {
      for (let index = 0; index < 250; index++)
        expect(await process.add(id, `name ${index}`)).toMatchObject({ ok: true })
      await process.snapshots.drain()
      expect(metric(process.snapshots, 'prosa_snapshots_failed_total')).toBeGreaterThan(0)
      expect(logged).toContain('a snapshot was not saved')
      expect(await length(id)).toBe(250)
    } finally {
      await ports.pool.query('alter table stream_entry_gone rename to stream_entry')
    }
    ms += 60_000
    await process.add(id, 'one more')
    await until(async () => (await rowsOf(id)).length === 1)
  })

  it('leaves out what does not fit into the queue', async () => {
    const { pool, subjectKeys, box } = ports
    const snapshots = postgresSnapshots({ pool, subjectKeys, box, log, maxWaiting: 2 })
    const { saving } = names()
    if (!saving) throw new Error('these names are saved')
    let taken = 0
    const take = () => {
      taken += 1
      return undefined
    }
    for (let index = 0; index < 5; index++)
      snapshots.saveLater({ stream: `contact-${index}`, saving }, take, () => undefined)
    await snapshots.drain()
    // The writer took the first at once.
    expect(taken).toBe(3)
    expect(metric(snapshots, 'prosa_snapshots_failed_total')).toBe(2)
  })
})

describe('a repeated command', () => {
  it('is found without reading the stream from its beginning', async () => {
    const id = await filled(450)
    const about = context()
    await newProcess().add(id, 'named twice', about)
    const process = newProcess()
    expect(await process.add(id, 'other words', { ...about, repeated: true })).toMatchObject({
      ok: true,
      events: [],
      state: { last: 'named twice' },
    })
    expect(process.reads()).toBeLessThan(200)
    expect(await length(id)).toBe(451)
  })
})

const slowToAnswer = (over: EventStore): EventStore => ({
  ...over,
  async append(...about) {
    const appended = await over.append(...about)
    await new Promise(setImmediate)
    return appended
  },
})

describe('a stream with commands without a pause', () => {
  it('is saved as it grows, and each entry is encrypted once', async () => {
    const id = randomUUID()
    const process = newProcess(1, slowToAnswer(store))
    const amount = 1500
    const names = Array.from({ length: amount }, (_, index) => `name ${index}`)
    const callers = Array.from({ length: 50 }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        expect(await process.add(id, name)).toMatchObject({ ok: true })
    })
    await Promise.all(callers)
    await process.snapshots.drain()
    const saves = Number(metric(process.snapshots, 'prosa_snapshots_written_total'))
    expect(saves).toBeGreaterThan(1)
    expect((await rowsOf(id)).map(({ revision }) => revision)).toEqual([String(amount - 1)])
    expect(process.encrypted() - saves).toBe(amount)
  })
})
