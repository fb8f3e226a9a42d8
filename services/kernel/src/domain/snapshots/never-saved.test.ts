import { randomBytes, randomUUID } from 'node:crypto'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../async/reachability.ts'
import { systemClock } from '../../clock.ts'
import { eventCodec } from '../../event-store/codec.ts'
import { memoryEventStore } from '../../event-store/memory.ts'
import type { EventStore, Position } from '../../event-store/port.ts'
import { createLog } from '../../observability/log.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import { type CommandContext, commandHandler } from '../command-handler.ts'
import { memoryTable } from './memory-table.ts'
import type { SnapshotTable } from './snapshot-table.ts'
import { snapshotsIn } from './snapshots.ts'
import { countingKeys, memoryKeys, names } from './testing/names.ts'

const box = secretBox(randomBytes(32))
const codec = eventCodec()
const tenant = randomUUID()
const of = (id: string) => ({ stream: `contact-${id}`, decider: 'names', version: 1 })

let store: EventStore
let table: SnapshotTable
let keys: ReturnType<typeof memoryKeys>
let logged: string[] = []
let ms = 0
let failure: Error | undefined
let attempts = 0
beforeEach(() => {
  store = memoryEventStore()
  table = memoryTable()
  keys = memoryKeys()
  logged = []
  ms = 0
  failure = undefined
  attempts = 0
})

const context = (): CommandContext => ({
  commandId: randomUUID(),
  actor: { kind: 'user', id: 'test' },
  tenant,
  causationId: 'test',
  correlationId: 'test',
})

const newProcess = ({ cacheBytes = 1_000_000, over = keys as Parameters<typeof countingKeys>[0] } = {}) => {
  let asked = 0
  const counting = countingKeys({
    ...over,
    current(subjects) {
      asked += 1
      return over.current(subjects)
    },
  })
  const log = createLog('info', { write: (line) => void logged.push(line) })
  const failing: SnapshotTable = {
    ...table,
    async write(ref, snapshot) {
      attempts += 1
      if (failure) throw failure
      return table.write(ref, snapshot)
    },
  }
  let read = 0
  const countingStore: EventStore = {
    ...store,
    async *read(stream, options) {
      for await (const page of store.read(stream, options)) {
        read += page.length
        yield page
      }
    },
  }
  const snapshots = snapshotsIn(failing, { subjectKeys: counting.keys, box, log, now: () => ms })
  const handle = commandHandler({
    store: countingStore,
    codec,
    clock: systemClock,
    service: 'contacts',
    category: 'contact',
    decider: names(),
    foreign: 'unexpected',
    snapshots,
    cacheBytes,
    eventsBetweenSaves: 20,
  })
  const add = async (id: string, name: string) =>
    expect(await handle(id, { type: 'AddName', data: { name } }, context())).toMatchObject({ ok: true })
  const metric = (name: string) => snapshots.metrics().find((each) => each.name === `prosa_snapshots_${name}`)?.value
  const settle = async () => {
    while (metric('waiting') !== 0) await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
  return {
    add,
    handle,
    snapshots,
    metric,
    settle,
    encrypted: counting.encrypted,
    asked: () => asked,
    reads: () => read,
  }
}
type Process = ReturnType<typeof newProcess>

const grow = async (process: Process, id: string, from: number, to: number) => {
  for (let index = from; index < to; index++) {
    await process.add(id, `name ${index}`)
    await process.settle()
  }
}

/** An eighth of it holds about eighty names, all of it seven hundred. */
const cacheBytes = 100_000

describe('a state that can never be saved', () => {
  const causes: [string, (id: string) => Parameters<typeof newProcess>[0]][] = [
    [
      'its key is gone',
      (id) => {
        keys.erase(contactSubject(id))
        return {}
      },
    ],
    [
      'the table fails',
      () => {
        failure = new Error('no space left on device')
        return {}
      },
    ],
    [
      'its encryption fails',
      () => ({ over: { ...keys, current: () => Promise.reject(new RangeError('no such cipher')) } }),
    ],
  ]

  it.each(causes)('is folded once, and costs a command no more as it grows: %s', async (_, cause) => {
    const id = randomUUID()
    keys.add(contactSubject(id))
    const process = newProcess({ cacheBytes, ...cause(id) })
    await grow(process, id, 0, 100)
    const early = { encrypted: process.encrypted(), asked: process.asked(), attempts }
    await grow(process, id, 100, 400)
    expect(process.reads()).toBe(0)
    expect({ encrypted: process.encrypted(), asked: process.asked(), attempts }).toEqual(early)
    expect(process.asked()).toBeGreaterThan(0)
    expect(attempts).toBeLessThanOrEqual(1)
    expect(process.metric('written_total')).toBe(0)
  })

  it.each(causes)('is reported once and not with each command: %s', async (_, cause) => {
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    for (const id of ids) keys.add(contactSubject(id))
    const process = newProcess(Object.assign({}, ...ids.map((id) => cause(id))))
    for (let round = 1; round <= 5; round++)
      for (const id of ids) {
        await grow(process, id, (round - 1) * 30, round * 30)
        ms += 60_000
      }
    expect(logged.filter((line) => line.includes('a snapshot was not saved'))).toHaveLength(1)
  })

  it('is given up by memory once it takes more than all of it, as every other state', async () => {
    const id = randomUUID()
    failure = new Error('no space left on device')
    keys.add(contactSubject(id))
    const process = newProcess({ cacheBytes })
    await grow(process, id, 0, 800)
    expect(process.reads()).toBeGreaterThan(0)
  })

  it('is tried again with growing pauses, a minute at most, and saved once that works', async () => {
    const id = randomUUID()
    failure = new Error('no space left on device')
    keys.add(contactSubject(id))
    const process = newProcess()
    await grow(process, id, 0, 21)
    const times: number[] = []
    for (let second = 1; second <= 200; second++) {
      ms = second * 1000
      const before = attempts
      await grow(process, id, 20 + second, 21 + second)
      if (attempts > before) times.push(second)
    }
    expect(times).toEqual([1, 3, 7, 15, 31, 63, 123, 183])
    expect(process.metric('failing')).toBe(1)
    expect(process.metric('failed_total')).toBe(9)

    failure = undefined
    ms += 60_000
    await grow(process, id, 221, 222)
    expect(process.metric('failing')).toBe(0)
    expect((await table.newest(of(id)))?.revision).toBe(221n)
    expect(logged.filter((line) => line.includes('snapshots are saved again'))).toHaveLength(1)
    await grow(process, id, 222, 242)
    expect((await table.newest(of(id)))?.revision).toBe(241n)
    failure = new Error('no space left on device')
    await grow(process, id, 242, 262)
    failure = undefined
    ms += 1000
    await grow(process, id, 262, 263)
    expect((await table.newest(of(id)))?.revision).toBe(262n)
    expect(logged.filter((line) => line.includes('a snapshot was not saved'))).toHaveLength(2)
  })

  it('keeps others from being encrypted for nothing while the table fails, and only then', async () => {
    const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()]
    for (const id of [one, other, third]) keys.add(contactSubject(id))
    failure = new Error('no space left on device')
    const process = newProcess()
    await grow(process, one, 0, 30)
    await grow(process, other, 0, 30)
    expect(attempts).toBe(1)
    expect(process.encrypted()).toBe(21)
    failure = undefined
    ms += 1000
    await grow(process, other, 30, 31)
    await grow(process, third, 0, 20)
    expect([attempts, process.metric('written_total'), process.metric('failing')]).toEqual([3, 2, 1])
    expect(logged.filter((line) => line.includes('snapshots are saved again'))).toEqual([])
  })

  it('is not tried beside others that waited with it, nor put in line while it has to wait', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    for (const id of ids) keys.add(contactSubject(id))
    failure = new Error('no space left on device')
    const process = newProcess()
    for (const id of ids) for (let index = 0; index < 20; index++) await process.add(id, `name ${index}`)
    await process.settle()
    expect(attempts).toBe(1)
    const { saving } = names()
    if (!saving) throw new Error('names are saved')
    let taken = 0
    const take = () => {
      taken += 1
      return undefined
    }
    process.snapshots.saveLater({ stream: `contact-${ids[0]}`, saving }, take, () => undefined)
    await process.settle()
    expect(taken).toBe(0)
    const head = { revision: 19n, eventId: randomUUID(), position: '1' as Position, tenant }
    const of = { stream: `contact-${ids[1]}`, saving }
    expect(await process.snapshots.save(of, { head, state: { last: '' }, saved: undefined })).toBeUndefined()
    expect(attempts).toBe(1)
  })

  it('is no hindrance to others when only it fails', async () => {
    const [poor, other] = [randomUUID(), randomUUID()]
    for (const id of [poor, other]) keys.add(contactSubject(id))
    const current: typeof keys.current = async (subjects) => {
      if (subjects.includes(contactSubject(poor))) throw new RangeError('no such cipher')
      return keys.current(subjects)
    }
    const process = newProcess({ over: { ...keys, current } })
    await grow(process, poor, 0, 25)
    await grow(process, other, 0, 25)
    expect([process.metric('written_total'), process.metric('failing')]).toEqual([1, 1])
  })

  it('waits with all others while no key can be asked for, because the database is out of reach', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    for (const id of [one, other]) keys.add(contactSubject(id))
    let asked = 0
    const current = () => {
      asked += 1
      return Promise.reject(new StoreUnavailable('no answer'))
    }
    const process = newProcess({ over: { ...keys, current } })
    await grow(process, one, 0, 30)
    await grow(process, other, 0, 30)
    expect(asked).toBe(1)
  })

  it('is no reason for an alarm any more where nothing comes that would have it saved', async () => {
    const id = randomUUID()
    keys.add(contactSubject(id))
    failure = new Error('no space left on device')
    const process = newProcess()
    await grow(process, id, 0, 20)
    ms = 600_999
    expect(process.metric('failing')).toBe(1)
    ms = 601_000
    expect(process.metric('failing')).toBe(0)
  })

  it('is tried at once when the process ends, whatever failed before', async () => {
    const id = randomUUID()
    keys.add(contactSubject(id))
    failure = new Error('no space left on device')
    const process = newProcess()
    await grow(process, id, 0, 30)
    failure = undefined
    await process.snapshots.drain()
    expect((await table.newest(of(id)))?.revision).toBe(29n)
  })

  it('is not encrypted for nothing where another process has saved more', async () => {
    const id = randomUUID()
    keys.add(contactSubject(id))
    const [one, other] = [newProcess(), newProcess()]
    await grow(one, id, 0, 15)
    await grow(other, id, 15, 30)
    const before = one.encrypted()
    await grow(one, id, 30, 35)
    expect(one.encrypted()).toBe(before)
    await grow(one, id, 35, 55)
    expect((await table.newest(of(id)))?.revision).toBe(39n)
  })
})

describe('a save', () => {
  it('is superseded also where another process saves while it is encrypted', async () => {
    const id = randomUUID()
    keys.add(contactSubject(id))
    const { saving } = names()
    if (!saving) throw new Error('names are saved')
    const options = { subjectKeys: keys, box, log: createLog('fatal') }
    const blind = snapshotsIn({ ...table, newest: async () => undefined }, options)
    const of = { stream: `contact-${id}`, saving }
    const head = { revision: 9n, eventId: randomUUID(), position: '1' as Position, tenant }
    const unsaved = { head, state: { last: 'name' }, saved: undefined }
    expect(await snapshotsIn(table, options).save(of, unsaved)).toMatchObject({ revision: 9n })
    expect(await blind.save(of, { ...unsaved, head: { ...head, revision: 19n } })).toBe('superseded')
    expect((await snapshotsIn(table, options).load(of))?.head).toEqual(head)
  })
})

describe('a snapshot whose key cannot be asked for', () => {
  it('is not thrown away for it', async () => {
    const id = randomUUID()
    keys.add(contactSubject(id))
    const process = newProcess()
    await grow(process, id, 0, 30)
    const toDecrypt = () => Promise.reject(new StoreUnavailable('no answer'))
    const cut = newProcess({ over: { ...keys, toDecrypt } })
    await expect(cut.handle.load(id, tenant)).rejects.toThrow(StoreUnavailable)
    expect((await table.newest(of(id)))?.revision).toBe(19n)
    expect(cut.metric('discarded_total')).toBe(0)
  })
})
