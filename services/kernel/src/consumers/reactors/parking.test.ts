import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../async/reachability.ts'
import type { Codec } from '../../event-store/codec.ts'
import { memoryEventStore } from '../../event-store/memory.ts'
import { beginning, type EventStore, type RecordedEvent } from '../../event-store/port.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { everythingIn } from '../../testing/everything-in.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import {
  appendRaw,
  nameContact,
  nameContactRepeatedly,
  namingReactor,
  reactorDeps,
  runningReactor,
} from '../../testing/running-reactor.ts'
import { until } from '../../testing/until.ts'
import { loadCheckpoint } from '../engine/checkpoints.ts'
import { EffectUnknown, effectOnce } from '../engine/effect-once.ts'
import { Overtaken, takeOver } from '../engine/epochs.ts'
import { listParked, type ParkedRow, parkedCounts } from '../engine/parked-queries.ts'
import { parkedWorkHandler } from '../engine/parked-work.ts'
import { parkingLot } from '../engine/parking-lot.ts'
import { decideOnWorkRetried } from './decide-on-work-retried.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

const scene = (react: (who: string, name: string) => Promise<void>, store: EventStore = memoryEventStore()) => {
  const name = randomUUID()
  const seen: string[] = []
  const deps = { ...reactorDeps(store, database), pauses: [1, 1] }
  const current = { react }
  const reactor = namingReactor(name, async (who, text) => {
    await current.react(who, text)
    seen.push(`${who} ${text}`)
  })
  const decisions = { ...decideOnWorkRetried(database.pool), name: randomUUID() }
  const works = parkedWorkHandler(deps)
  const parked = async () =>
    (await listParked(database.pool, 1000)).filter(({ worker }) => worker === `reactor ${name}`)
  const line = async (length: number) =>
    (await parked()).find(({ waiting, request }) => waiting === length && request === null)
  const decide = async (type: 'RetryWork' | 'ReleaseWork', row: ParkedRow | undefined) => {
    if (!row) throw new Error('nothing is parked')
    const { id, parkingId } = row
    await until(async () => (await works.load(id, null)).parkingId === parkingId)
    const outcome = await works(
      id,
      { type, data: { parkingId } },
      {
        commandId: randomUUID(),
        actor: { kind: 'admin', id: 'rosa' },
        tenant: null,
        causationId: 'x',
        correlationId: 'x',
      },
    )
    expect(outcome.ok).toBe(true)
  }
  return {
    store,
    seen,
    current,
    parked,
    line,
    decide,
    worker: `reactor ${name}`,
    nameContact: (who: string, text: string) => nameContact(store, who, text),
    run: () => {
      const [reacting, deciding] = [runningReactor(reactor, deps), runningReactor(decisions, deps)]
      return { health: reacting.health, stop: async () => void (await Promise.all([reacting.stop(), deciding.stop()])) }
    },
  }
}

const cutLocks = () =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'prosa-lock %'`,
  )

const recorded = async (store: EventStore, stream: string): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for await (const page of store.read(stream)) events.push(...page)
  return events
}

const poisoned = (poison: string) => async (_: string, text: string) => {
  if (text === poison) throw new Error('5511988776655 wrote something odd')
}

describe('a poison event', () => {
  it('parks its key with the error, and the others go on', async () => {
    const { nameContact, seen, run, line, worker } = scene(poisoned('poison'))
    const running = run()
    await nameContact('ana', 'one')
    const poison = await nameContact('ana', 'poison')
    await nameContact('ana', 'two')
    await nameContact('bia', 'one')
    const row = await until(() => line(2))
    expect(row).toMatchObject({ eventId: poison, errorName: 'Error', attempts: 3, request: null })
    expect(row.message).toMatch(/^thrown at parking\.test\.ts:\d+$/)
    await nameContact('bia', 'two')
    await until(() => seen.includes('bia two'))
    expect(seen.filter((each) => each.startsWith('ana'))).toEqual(['ana one'])
    expect((await parkedCounts(database.pool)).get(worker)).toBe(1)
    await until(() => running.health.size === 0)
    await running.stop()
  })

  it('is handled with what waits behind it, in order, once an administrator has it retried', async () => {
    const { nameContact, seen, run, parked, line, decide, current, store } = scene(poisoned('poison'))
    const running = run()
    await nameContact('ana', 'poison')
    await nameContact('ana', 'two')
    await nameContact('ana', 'three')
    const row = await until(() => line(3))
    current.react = async () => undefined
    await decide('RetryWork', row)
    await until(async () => (await parked()).length === 0)
    await nameContact('ana', 'four')
    await until(() => seen.includes('ana four'))
    expect(seen).toEqual(['ana poison', 'ana two', 'ana three', 'ana four'])
    const events = await everythingIn(store, 'parkedWork')
    expect(events.map(({ type }) => type)).toEqual(['WorkParked', 'WorkRetried', 'WorkResumed'])
    await running.stop()
  })

  it('stays parked, with all behind it, when the retry fails as well', async () => {
    const { nameContact, seen, run, parked, line, decide } = scene(poisoned('poison'))
    const running = run()
    await nameContact('ana', 'poison')
    await nameContact('ana', 'two')
    const row = await until(() => line(2))
    await decide('RetryWork', row)
    const again = await until(async () => (await parked()).find(({ parkingId }) => parkingId !== row.parkingId))
    expect(again).toMatchObject({ id: row.id, eventId: row.eventId, request: null, waiting: 2 })
    expect(seen).toEqual([])
    await running.stop()
  })

  it('alone is skipped when an administrator releases it; what waits behind goes on in order', async () => {
    const { nameContact, seen, run, parked, line, decide } = scene(async (_, text) => {
      if (text.startsWith('poison')) throw new Error('no')
    })
    const running = run()
    for (const text of ['poison', 'two', 'poison too', 'three']) await nameContact('ana', text)
    await decide('ReleaseWork', await until(() => line(4)))
    const next = await until(() => line(2))
    expect(seen).toEqual(['ana two'])
    await decide('ReleaseWork', next)
    await until(() => seen.includes('ana three'))
    await until(async () => (await parked()).length === 0)
    expect(seen).toEqual(['ana two', 'ana three'])
    await running.stop()
  })

  it('is not handled again by the process that takes over before the checkpoint has passed it, when it was released', async () => {
    let release: () => void = () => undefined
    const paused = new Promise<void>((resolve) => {
      release = resolve
    })
    let slow = 0
    const { nameContact, seen, run, parked, line, decide, current } = scene(async (who, text) => {
      if (who === 'slow') {
        slow++
        await paused
      }
      if (text === 'poison') throw new Error('no')
    })
    const first = run()
    await nameContact('slow', 'holds the checkpoint')
    await nameContact('ana', 'poison')
    await nameContact('ana', 'two')
    await decide('ReleaseWork', await until(() => line(2)))
    await until(async () => seen.includes('ana two') && (await parked()).length === 0)
    await nameContact('bia', 'poison')
    await until(async () => (await parked()).length === 1)
    const { react } = current
    current.react = async (who, text) => (text === 'poison' ? undefined : react(who, text))
    await cutLocks()
    const second = run()
    await until(() => slow === 2)
    await nameContact('ana', 'three')
    await nameContact('bia', 'two')
    await until(() => seen.includes('ana three'))
    await until(() => line(2))
    expect(seen).toEqual(['ana two', 'ana three'])
    release()
    await first.stop()
    await until(() => seen.filter((each) => each.startsWith('slow')).length === 2)
    await second.stop()
  })
})

describe('a key that is being tried again', () => {
  it('does not keep others waiting, however much waits behind it', async () => {
    const store = memoryEventStore()
    const seen: string[] = []
    const reactor = namingReactor(randomUUID(), async (who, text) => {
      if (who === 'ana') throw new Error('no')
      seen.push(text)
    })
    const running = runningReactor(reactor, { ...reactorDeps(store, database), pauses: [600_000] })
    await nameContactRepeatedly(store, 'ana', 3000)
    await nameContact(store, 'bia', 'one')
    await until(() => seen.includes('one'))
    await running.stop()
  })
})

describe('a process that was overtaken', () => {
  it('parks nothing and moves no checkpoint any more', async () => {
    const store = memoryEventStore()
    const deps = reactorDeps(store, database)
    const name = randomUUID()
    const load = () => loadCheckpoint(database.pool, name, 1)
    const beginEpoch = async () => {
      const epoch = await takeOver(database.pool, `reactor ${name}`)
      return parkingLot({ ...deps, epoch, works: parkedWorkHandler(deps) }, { name, version: 1, load })
    }
    await nameContact(store, 'ana', 'one')
    const [event] = await recorded(store, 'contact-ana')
    if (!event) throw new Error('no event')
    const [slow, quick] = [await beginEpoch(), await beginEpoch()]
    const failure = { errorName: 'Error', message: 'x', attempts: 1, effectId: null }
    await expect(slow.park(randomUUID(), event, failure)).rejects.toThrow(Overtaken)
    await expect(slow.parkBehind(randomUUID(), event)).rejects.toThrow(Overtaken)
    await expect(slow.saveCheckpoint(event.position)).rejects.toThrow(Overtaken)
    expect(await load()).toBe(beginning)
    expect((await parkedCounts(database.pool)).has(`reactor ${name}`)).toBe(false)
    await quick.saveCheckpoint(event.position)
    expect(await load()).toBe(event.position)
  })
})

describe('an event that cannot be decoded', () => {
  it.each([
    ['type', { type: 'ContactPainted', data: {} }],
    ['version', { type: 'ContactNamed', data: { name: 'x' }, schemaVersion: 9 }],
  ])('for its unknown %s parks its stream, and the rest of its page goes on', async (_, unknown) => {
    const { nameContact, seen, run, line, store } = scene(async () => undefined)
    await nameContact('ana', 'one')
    const poison = await appendRaw(store, 'contact-ana', unknown)
    await nameContact('ana', 'two')
    await nameContact('bia', 'one')
    const running = run()
    const row = await until(() => line(2))
    expect(row).toMatchObject({ eventId: poison, errorName: 'UndecodableEvent' })
    expect(row.message).toContain('contact-ana')
    await until(() => seen.includes('bia one'))
    expect(seen.sort()).toEqual(['ana one', 'bia one'])
    await running.stop()
  })
})

describe('an event that the release before cannot decode', () => {
  const codecOfTomorrow = (codec: Codec): Codec => ({
    ...codec,
    decode: (page) =>
      codec.decode(
        page.map((event) => {
          const { id, type, data, metadata, stream, revision, position } = event
          return { id, type, data, metadata: { ...metadata, schemaVersion: 1 }, stream, revision, position }
        }),
      ),
  })

  it('is handled with what waits behind it once a process of the later release takes over, without an administrator', async () => {
    const store = memoryEventStore()
    const [name, seen] = [randomUUID(), [] as string[]]
    const reactor = namingReactor(name, async (who, text) => void seen.push(`${who} ${text}`))
    const deps = { ...reactorDeps(store, database), pauses: [1, 1] }
    const parked = async () =>
      (await listParked(database.pool, 1000)).filter(({ worker }) => worker === `reactor ${name}`)
    await appendRaw(store, 'contact-ana', { type: 'ContactNamed', data: { name: 'new' }, schemaVersion: 9 })
    await nameContact(store, 'ana', 'two')
    const earlier = runningReactor(reactor, deps)
    const row = await until(async () => (await parked()).find(({ waiting }) => waiting === 2))
    const same = runningReactor(reactor, deps)
    await earlier.stop()
    await nameContact(store, 'ana', 'three')
    await until(async () => (await parked()).some(({ waiting }) => waiting === 3))
    await same.stop()
    expect((await parked()).map(({ parkingId }) => parkingId)).toEqual([row.parkingId])
    const later = runningReactor(reactor, { ...deps, codec: codecOfTomorrow(deps.codec) })
    await until(async () => (await parked()).length === 0)
    await nameContact(store, 'ana', 'four')
    await until(() => seen.includes('ana four'))
    expect(seen).toEqual(['ana new', 'ana two', 'ana three', 'ana four'])
    const events = await everythingIn(store, 'parkedWork')
    expect(events.map(({ type }) => type)).toEqual(['WorkParked', 'WorkResumed'])
    await later.stop()
  })
})

describe('what passes by itself', () => {
  it('parks nothing, however long it lasts', async () => {
    let failures = 4
    const { nameContact, seen, run, parked } = scene(async () => {
      if (failures-- > 0) throw new StoreUnavailable('away')
    })
    const running = run()
    await nameContact('ana', 'one')
    await until(() => running.health.size === 1)
    await until(() => seen.includes('ana one'))
    expect(await parked()).toEqual([])
    await running.stop()
  })
})

describe('an effect whose fate is unknown', () => {
  it('parks its key at once, is not repeated, and is made again when an administrator decides so', async () => {
    const sent: string[] = []
    const once = effectOnce(database.pool)
    let isBroken = true
    const { nameContact, seen, run, parked, decide } = scene((who, text) =>
      once(`letter ${who} ${text}`, async () => {
        sent.push(text)
        if (isBroken) throw new Error('the line went dead')
      }),
    )
    const running = run()
    await nameContact('ana', 'one')
    const row = await until(async () => (await parked())[0])
    expect(row).toMatchObject({ errorName: EffectUnknown.name, attempts: 1 })
    expect(sent).toEqual(['one'])
    isBroken = false
    await decide('RetryWork', row)
    await until(() => seen.includes('ana one'))
    expect(sent).toEqual(['one', 'one'])
    await running.stop()
  })
})
