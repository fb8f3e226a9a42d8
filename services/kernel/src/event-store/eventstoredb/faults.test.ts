import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diligentWriters } from '../../testing/diligent-writers.ts'
import { tcpProxy } from '../../testing/tcp-proxy.ts'
import { until } from '../../testing/until.ts'
import { event } from '../contract/samples.ts'
import { type EventStoreDbEventStoreOptions, eventStoreDbEventStore } from '../eventstoredb.ts'
import { type Batch, beginning, type EventStore, EventStoreUnavailable, InvalidAppend, type Position } from '../port.ts'
import { EventStoreDbDouble } from './double/event-store-db-double.ts'
import type { AppendFault, SubscriptionEnd } from './double/faults.ts'
import { positionOf } from './position.ts'

const startDouble = async () => {
  const server = await new EventStoreDbDouble().start()
  onTestFinished(() => server.kill())
  return server
}

const openStore = async (url: string, options: Partial<EventStoreDbEventStoreOptions> = {}) => {
  const troubles: unknown[] = []
  const onTrouble = (error: unknown) => troubles.push(error)
  const store = await eventStoreDbEventStore({ url, answerMilliseconds: 1000, onTrouble, ...options })
  onTestFinished(() => store.close())
  return { store, troubles }
}

const opened = async (options?: Partial<EventStoreDbEventStoreOptions>) => {
  const server = await startDouble()
  return { server, ...(await openStore(server.url, options)) }
}

const follow = (store: EventStore, category: string, busy?: () => Promise<void>) => {
  const stop = new AbortController()
  const batches: Batch[] = []
  const ended = (async () => {
    for await (const batch of store.subscribe(beginning, { categories: [category] }, stop.signal)) {
      batches.push(batch)
      await busy?.()
    }
  })()
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  return {
    ids: () => batches.flatMap(({ events }) => events.map(({ id }) => id)),
    isLive: () => batches.at(-1)?.live === true,
  }
}

const many = (count: number) => Array.from({ length: count }, () => event())
const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id)

describe('an append whose outcome is unknown is repeated with the same ids and stored once', () => {
  it.each<AppendFault>([
    'unanswered',
    'stored but unanswered',
    'stored but cancelled',
    'stored but unavailable',
    'stored but reset',
    'unavailable',
    'timed out on the server',
  ])('%s', async (fault) => {
    const { server, store, troubles } = await opened()
    const [first, second] = [event(), event()]
    server.meet(fault)
    expect(await store.append('once-1', 'no_stream', [first])).toMatchObject({
      ok: true,
      revision: 0n,
      repeated: false,
    })
    expect(server.arrivals).toEqual([[first.id], [first.id]])
    expect(await store.append('once-1', 0n, [second])).toMatchObject({ ok: true, revision: 1n })
    expect(server.log.stream('once-1')?.events.map(({ id }) => id)).toEqual([first.id, second.id])
    expect(troubles).toHaveLength(1)
  })

  it('is a conflict only where somebody else wrote in the meantime', async () => {
    const { server, store } = await opened()
    const another = (await openStore(server.url)).store
    server.meet('unavailable')
    const pending = store.append('won-1', 'no_stream', [event()])
    await until(() => server.arrivals.length === 1)
    expect(await another.append('won-1', 'no_stream', [event()])).toMatchObject({ ok: true })
    expect(await pending).toEqual({ ok: false, actual: 0n })
  })
})

describe('an append', () => {
  it('goes the classic way, always', async () => {
    const { server, store } = await opened()
    await store.append('classic-1', 'no_stream', [event()])
    expect(server.calls.get('append')).toBe(1)
    expect(server.calls.has('batchAppend')).toBe(false)
  })

  it('waits for the one before it, since the server gives no answer to an equal one in flight', async () => {
    const { server, store, troubles } = await opened()
    server.commitIn(50)
    const equal = [event()]
    const results = await Promise.all([1, 2, 3].map(() => store.append('equal-1', 'no_stream', equal)))
    expect(results.map((result) => result.ok && result.repeated)).toEqual([false, true, true])
    expect(troubles).toEqual([])
  })

  it('is asked again when an equal one of another process was in flight', async () => {
    const { server, store } = await opened()
    const another = (await openStore(server.url)).store
    server.commitIn(100)
    const equal = [event()]
    const results = await Promise.all([store, another].map((each) => each.append('equal-2', 'no_stream', equal)))
    expect(results).toMatchObject([
      { ok: true, revision: 0n },
      { ok: true, revision: 0n },
    ])
    expect(server.log.stream('equal-2')?.events).toHaveLength(1)
  })

  it('is refused as malformed when the server takes less than we do', async () => {
    const { server, store } = await opened()
    server.meet('refused for its size')
    await expect(store.append('big-1', 'no_stream', [event()])).rejects.toThrow(InvalidAppend)
  })

  it.each<AppendFault>(['access denied'])('fails at once when %s: asking again would not help', async (fault) => {
    const { server, store } = await opened()
    server.meet(fault)
    await expect(store.append('denied-1', 'no_stream', [event()])).rejects.toThrow('Access Denied')
    expect(server.arrivals).toHaveLength(1)
  })

  it('to a stream that an administrator buried fails for good, and its neighbours do not', async () => {
    const { server, store } = await opened()
    server.log.tombstone('buried-1')
    const results = await Promise.allSettled([
      store.append('buried-1', 'no_stream', [event()]),
      store.append('alive-1', 'no_stream', [event()]),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  it('knows what a former process stored as repeated, also after the server has forgotten its recent ids', async () => {
    const { server, store } = await opened()
    const first = event()
    await store.append('former-1', 'no_stream', [first])
    await store.append('former-1', 0n, [event()])
    server.kill()
    await server.start()
    const later = (await openStore(server.url)).store
    expect(await later.append('former-1', 'no_stream', [first])).toMatchObject({ revision: 0n, repeated: true })
    expect(server.log.stream('former-1')?.events).toHaveLength(2)
  })
})

describe('an unreachable server', () => {
  it('makes appends and reads fail when the patience is over, and serves again when it is back', async () => {
    const { server, store } = await opened({ patienceMilliseconds: 200 })
    const appended = event()
    server.kill()
    await expect(store.append('back-1', 'no_stream', [appended])).rejects.toThrow(EventStoreUnavailable)
    await expect(store.read('back-1')[Symbol.asyncIterator]().next()).rejects.toThrow(EventStoreUnavailable)
    const all = store.readAll(beginning, { categories: ['back'] })[Symbol.asyncIterator]()
    await expect(all.next()).rejects.toThrow(EventStoreUnavailable)
    await server.start()
    expect(await store.append('back-1', 'no_stream', [appended])).toMatchObject({ ok: true, revision: 0n })
  })

  it('is waited for within the patience', async () => {
    const { server, store, troubles } = await opened()
    server.kill()
    const append = store.append('soon-1', 'no_stream', [event()])
    await until(() => troubles.length > 0)
    await server.start()
    expect(await append).toMatchObject({ ok: true, revision: 0n })
  })

  it('at the start is said to be unavailable, by its address or by gossip', async () => {
    const server = await startDouble()
    const { port } = server
    server.kill()
    const brief = { patienceMilliseconds: 100 }
    for (const address of [
      `esdb://127.0.0.1:${port}?tls=false`,
      `esdb+discover://127.0.0.1:${port}?tls=false&maxDiscoverAttempts=2`,
    ])
      await expect(eventStoreDbEventStore({ url: address, ...brief })).rejects.toThrow(EventStoreUnavailable)
  })

  it('that takes a read and says nothing is asked again', async () => {
    const { server, store, troubles } = await opened({ silenceMilliseconds: 100 })
    const written = many(3)
    await store.append('mute-1', 'no_stream', written)
    server.muteReads(true)
    const page = store.read('mute-1')[Symbol.asyncIterator]().next()
    await until(() => troubles.length > 0)
    server.muteReads(false)
    expect(idsOf((await page).value ?? [])).toEqual(idsOf(written))
  })

  it('found by gossip is followed through kills; nothing of that ends the process', async () => {
    const server = await startDouble()
    const url = `esdb+discover://127.0.0.1:${server.port}?tls=false&discoveryInterval=10&maxDiscoverAttempts=3`
    const { store, troubles } = await openStore(url)
    const undiscovered = () => troubles.filter((error) => String(error).includes('Failed to discover')).length
    const follower = follow(store, 'gossip')
    await until(follower.isLive)
    const writers = diligentWriters(store, 20, 'gossip')
    for (let kills = 1; kills <= 3; kills++) {
      const before = writers.acknowledged()
      await until(() => writers.acknowledged() > before + 20)
      server.kill()
      const failures = undiscovered()
      await until(() => undiscovered() > failures)
      await server.start()
    }
    await writers.stop()
    const { acknowledged, askedAgain: _, ...wrong } = await writers.verdict(store)
    expect(wrong).toEqual({ lost: 0, doubled: 0, misplaced: 0, falseConflicts: 0 })
    await until(() => follower.ids().length >= acknowledged)
    expect(new Set(follower.ids()).size).toBe(follower.ids().length)
  })
})

describe('a subscription', () => {
  it.each<SubscriptionEnd>(['consumer too slow', 'server shut down', 'stream reset', 'cancelled', 'without an error'])(
    'goes on where it was after its end: %s',
    async (how) => {
      const { server, store, troubles } = await opened()
      const follower = follow(store, 'resumed')
      await until(follower.isLive)
      const [before, after] = [many(5), many(5)]
      await store.append('resumed-1', 'no_stream', before)
      await until(() => follower.ids().length === 5 && server.subscriptionCount === 1)
      server.endSubscriptions(how)
      await store.append('resumed-1', 4n, after)
      await until(() => follower.ids().length === 10)
      expect(follower.ids()).toEqual(idsOf([...before, ...after]))
      // Being too slow is how this server does flow control; nobody needs to hear of it.
      expect(troubles).toHaveLength(how === 'consumer too slow' ? 0 : 1)
    },
  )

  it('loses nothing when the server is killed in the middle of catching up, and again when live', async () => {
    const { server, store } = await opened({ answerMilliseconds: 5000 })
    const [old, recent] = [many(4500), many(3)]
    await store.append('killed-1', 'no_stream', old)
    let batches = 0
    const follower = follow(store, 'killed', async () => {
      if (++batches !== 1) return
      server.kill()
      await server.start()
    })
    await until(follower.isLive)
    server.kill()
    await server.start()
    await store.append('killed-1', 4499n, recent)
    await until(() => follower.ids().length === 4503)
    expect(follower.ids()).toEqual(idsOf([...old, ...recent]))
  })

  it('hands out no place before the events that came before it, whatever the client signals early', async () => {
    const { store } = await opened()
    for (let count = 0; count < 40; count++) {
      await store.append(`early-${count}`, 'no_stream', many(1))
      await store.append(`foreign-${count}`, 'no_stream', many(60))
    }
    const seen: Position[] = []
    let upTo = beginning
    for await (const batch of store.readAll(beginning, { categories: ['early'] })) {
      for (const { position } of batch.events) {
        expect(position > upTo).toBe(true)
        seen.push(position)
      }
      expect(batch.upTo >= (seen.at(-1) ?? beginning)).toBe(true)
      upTo = batch.upTo
    }
    expect(seen).toHaveLength(40)
  })

  it('says how far the log is at once, where the server would say so after a thousand foreign events', async () => {
    const { store } = await opened()
    const follower = follow(store, 'quiet')
    await until(follower.isLive)
    const stop = new AbortController()
    const appended = await store.append('loud-1', 'no_stream', many(1))
    for await (const { upTo } of store.subscribe(beginning, { categories: ['quiet'] }, stop.signal))
      if (appended.ok && upTo >= appended.position) stop.abort()
  })

  it('ends with an error when the server comes back with another log: what it missed would be lost in silence', async () => {
    const { server, store } = await opened()
    await store.append('another-1', 'no_stream', many(20))
    const next = { live: false }
    const ended = (async () => {
      const { signal } = new AbortController()
      for await (const { live } of store.subscribe(beginning, { categories: ['another'] }, signal)) next.live = live
    })()
    const failed = expect(ended).rejects.toThrow('is it another one?')
    await until(() => next.live)
    server.kill()
    const other = await new EventStoreDbDouble().start(server.port)
    onTestFinished(() => other.kill())
    await failed
  })

  it('is asked for again when nothing is heard of it for long, without alarm', async () => {
    const { server, store, troubles } = await opened({ silenceMilliseconds: 500 })
    const follower = follow(store, 'idle')
    await until(follower.isLive)
    const reads = server.calls.get('read') ?? 0
    await until(() => (server.calls.get('read') ?? 0) > reads + 1)
    const appended = many(1)
    await store.append('idle-1', 'no_stream', appended)
    await until(() => follower.ids().length === 1)
    expect(troubles).toEqual([])
  })

  it('and an append survive a connection that carries nothing any more and does not end', async () => {
    const server = await startDouble()
    const network = await tcpProxy(server.port)
    onTestFinished(() => network.close())
    const { store } = await openStore(`esdb://127.0.0.1:${network.port}?tls=false`, { silenceMilliseconds: 200 })
    const follower = follow(store, 'frozen')
    await until(follower.isLive)
    network.freeze()
    const appended = many(1)
    expect(await store.append('frozen-1', 'no_stream', appended)).toMatchObject({ ok: true, revision: 0n })
    await until(() => follower.ids().length === 1)
    expect(follower.ids()).toEqual(idsOf(appended))
  })
})

describe('a position', () => {
  it.each(['0000000000000000007', '7', '-1', '99999999999999999999', 'x'])(
    'that no such log prints is refused: %s',
    async (text) => {
      const { store } = await opened()
      const iterator = store.readAll(text as Position, { categories: ['any'] })[Symbol.asyncIterator]()
      await expect(iterator.next()).rejects.toThrow('was not printed by this log')
    },
  )

  it('beyond the end is refused, where the server would skip events in silence', async () => {
    const { server, store } = await opened()
    const far = positionOf(server.log.head() + 1n)
    const stop = new AbortController()
    for (const batches of [
      store.readAll(far, { categories: ['any'] }),
      store.subscribe(far, { categories: ['any'] }, stop.signal),
    ])
      await expect(batches[Symbol.asyncIterator]().next()).rejects.toThrow('beyond the end')
  })

  it('at which no event starts is refused', async () => {
    const { server, store } = await opened()
    const [first] = server.log.all
    const between = positionOf((first?.place ?? 0n) + 1n)
    const stop = new AbortController()
    for (const batches of [
      store.readAll(between, { categories: ['any'] }),
      store.subscribe(between, { categories: ['any'] }, stop.signal),
    ])
      await expect(batches[Symbol.asyncIterator]().next()).rejects.toThrow('no event of this log')
  })
})

describe('the process', () => {
  it('ends by itself once the store is closed, after appends and with a subscription', async () => {
    const server = await startDouble()
    const module = fileURLToPath(new URL('../eventstoredb.ts', import.meta.url))
    const script = `
      import { eventStoreDbEventStore } from ${JSON.stringify(module)}
      const store = await eventStoreDbEventStore({ url: ${JSON.stringify(server.url)} })
      const ended = (async () => {
        for await (const { live } of store.subscribe('', { categories: ['end'] }, new AbortController().signal))
          if (live) void store.append('end-1', 'no_stream', [${JSON.stringify(event())}]).then(() => store.close())
      })()
      await ended`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: 'inherit',
    })
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(server.log.stream('end-1')?.events).toHaveLength(1)
  })

  it('survives connections that are cut again and again under load; nothing is lost or doubled', async () => {
    const server = await startDouble()
    const network = await tcpProxy(server.port)
    onTestFinished(() => network.close())
    const { store } = await openStore(`esdb://127.0.0.1:${network.port}?tls=false`)
    const follower = follow(store, 'cut')
    await until(follower.isLive)
    const writers = diligentWriters(store, 64, 'cut')
    for (let cuts = 0; cuts < 6; cuts++) {
      const before = writers.acknowledged()
      await until(() => writers.acknowledged() > before + 30)
      network.refuse(true)
      network.refuse(false)
    }
    await writers.stop()
    const { acknowledged, askedAgain: _, ...wrong } = await writers.verdict(store)
    expect(wrong).toEqual({ lost: 0, doubled: 0, misplaced: 0, falseConflicts: 0 })
    await until(() => follower.ids().length >= acknowledged)
    expect(new Set(follower.ids()).size).toBe(follower.ids().length)
  })
})

describe('an address', () => {
  it('that cannot be read is refused without being repeated, as it may hold a password', async () => {
    const url = `esdb://admin:${randomUUID()}@host:port`
    const refused = await eventStoreDbEventStore({ url }).catch((error: Error) => error)
    expect(String(refused)).toMatch(/address of EventStoreDB cannot be read, expected port number/)
    expect(String(refused)).not.toContain(url.split(/[:@]/)[2])
  })

  it('with TLS needs a user, or the client would take the way of appending that can end the process', async () => {
    await expect(eventStoreDbEventStore({ url: 'esdb://host:2113' })).rejects.toThrow('needs a user and a password')
  })
})
