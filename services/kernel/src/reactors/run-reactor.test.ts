import { randomUUID } from 'node:crypto'
import type { EventMetadata } from '@prosa/contracts/events/metadata'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventCodec } from '../event-store/codec.ts'
import { memoryEventStore } from '../event-store/memory.ts'
import type { EventStore } from '../event-store/port.ts'
import { silentLog } from '../log.ts'
import { type TestPostgres, testPostgres } from '../postgres/testing.ts'
import { createKernelTables } from '../schema.ts'
import { until } from '../testing/until.ts'
import type { Reactor } from './reactor.ts'
import { type ReactorHealth, runReactor } from './run-reactor.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await testPostgres()
  await createKernelTables(database.pool)
})
afterAll(() => database.drop())

const metadata: EventMetadata = {
  causationId: 'test',
  correlationId: 'test',
  actor: { kind: 'system', id: 'test' },
  owner: 'tenant',
  schemaVersion: 1,
  recordedAt: '2026-11-21T12:00:00.000Z',
}

/** Names contact `who` once more. */
const tell = async (store: EventStore, who: string, name: string) => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of store.read(`contact-${who}`)) revision = page.at(-1)?.revision ?? revision
  await store.append(`contact-${who}`, revision, [{ id: randomUUID(), type: 'ContactNamed', data: { name }, metadata }])
}

/** Runs a reactor over what contacts are named; `stop` resolves when it has drained. */
const running = (store: EventStore, name: string, react: (who: string, name: string) => Promise<void>) => {
  const stopping = new AbortController()
  const health: ReactorHealth = new Map()
  const reactor: Reactor = {
    name,
    categories: ['contact'],
    key: ({ stream }) => stream,
    on: { ContactNamed: ({ stream, data }) => react(stream.slice('contact-'.length), data.name) },
  }
  const deps = { store, codec: eventCodec(), pool: database.pool, databaseUrl: database.url, log: silentLog() }
  const ended = runReactor(reactor, deps, stopping.signal, health)
  return {
    health,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

describe('a reactor', () => {
  it('keeps the order within a key', async () => {
    const store = memoryEventStore()
    const seen: string[] = []
    const reactor = running(store, randomUUID(), async (_, name) => {
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(name)
    })
    const names = Array.from({ length: 50 }, (_, index) => String(index))
    for (const name of names) await tell(store, 'ana', name)
    await until(() => seen.length === names.length)
    expect(seen).toEqual(names)
    await reactor.stop()
  })

  it('does not let a slow key delay another', async () => {
    const store = memoryEventStore()
    const seen: string[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const reactor = running(store, randomUUID(), async (who) => {
      if (who === 'slow') await held
      seen.push(who)
    })
    await tell(store, 'slow', 'x')
    await tell(store, 'quick', 'x')
    await until(() => seen.includes('quick'))
    expect(seen).toEqual(['quick'])
    release()
    await until(() => seen.includes('slow'))
    await reactor.stop()
  })

  it('tries again what failed, says so, and lets the others go on', async () => {
    const store = memoryEventStore()
    const seen: string[] = []
    let failures = 3
    const reactor = running(store, randomUUID(), async (who) => {
      if (who === 'unlucky' && failures-- > 0) throw new Error('not yet')
      seen.push(who)
    })
    await tell(store, 'unlucky', 'x')
    await tell(store, 'lucky', 'x')
    await until(() => seen.includes('lucky'))
    expect(reactor.health.size).toBe(1)
    await until(() => seen.includes('unlucky'))
    expect(seen).toEqual(['lucky', 'unlucky'])
    await until(() => reactor.health.size === 0)
    await reactor.stop()
  })

  it('goes on where it stopped, and passes no event that was not finished', async () => {
    const store = memoryEventStore()
    const name = randomUUID()
    const seen: string[] = []
    const first = running(store, name, async (who, text) => {
      if (who === 'stuck') throw new Error('never in this process')
      seen.push(text)
    })
    await tell(store, 'ana', 'one')
    await tell(store, 'stuck', 'two')
    await tell(store, 'ana', 'three')
    await until(() => seen.includes('three'))
    await first.stop()

    const again: string[] = []
    const second = running(store, name, async (_, text) => {
      again.push(text)
    })
    await until(() => again.includes('three'))
    expect(again).toContain('two')
    expect(again).not.toContain('one')
    await second.stop()
  })

  it('runs in one process at a time', async () => {
    const store = memoryEventStore()
    const name = randomUUID()
    const seen: string[] = []
    const here = running(store, name, async (_, text) => void seen.push(`here ${text}`))
    await tell(store, 'ana', 'one')
    await until(() => seen.length === 1)
    const there = running(store, name, async (_, text) => void seen.push(`there ${text}`))
    await tell(store, 'ana', 'two')
    await until(() => seen.length === 2)
    await here.stop()
    await tell(store, 'ana', 'three')
    await until(() => seen.includes('there three'))
    expect(seen).toEqual(['here one', 'here two', 'there three'])
    await there.stop()
  })
})
