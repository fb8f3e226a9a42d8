import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryEventStore } from '../../event-store/memory.ts'
import type { EventStore } from '../../event-store/port.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { nameContact, namingReactor, reactorDeps, runningReactor } from '../../testing/running-reactor.ts'
import { until } from '../../testing/until.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

const running = (store: EventStore, name: string, react: (who: string, name: string) => Promise<void>) =>
  runningReactor(namingReactor(name, react), { ...reactorDeps(store, database), pauses: [10, 10, 10, 60_000] })

describe('a reactor', () => {
  it('keeps the order within a key', async () => {
    const store = memoryEventStore()
    const seen: string[] = []
    const reactor = running(store, randomUUID(), async (_, name) => {
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(name)
    })
    const names = Array.from({ length: 50 }, (_, index) => String(index))
    for (const name of names) await nameContact(store, 'ana', name)
    await until(() => seen.length === names.length)
    expect(seen).toEqual(names)
    await reactor.stop()
  })

  it('does not let a slow key delay another', async () => {
    const store = memoryEventStore()
    const seen: string[] = []
    let release: () => void = () => undefined
    const paused = new Promise<void>((resolve) => {
      release = resolve
    })
    const reactor = running(store, randomUUID(), async (who) => {
      if (who === 'slow') await paused
      seen.push(who)
    })
    await nameContact(store, 'slow', 'x')
    await nameContact(store, 'quick', 'x')
    await until(() => seen.includes('quick'))
    expect(seen).toEqual(['quick'])
    release()
    await until(() => seen.includes('slow'))
    await reactor.stop()
  })

  it('handles no more events side by side than it may, and one that waits for its next try keeps nobody waiting', async () => {
    const store = memoryEventStore()
    const done: string[] = []
    let underWay = 0
    let max = 0
    const react = async (who: string) => {
      max = Math.max(max, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 5))
      underWay--
      if (who.startsWith('unlucky')) throw new Error('never')
      done.push(who)
    }
    const deps = { ...reactorDeps(store, database), pauses: [60_000] }
    const reactor = runningReactor({ ...namingReactor(randomUUID(), react), atOnce: 2 }, deps)
    const others = Array.from({ length: 20 }, (_, index) => `other ${index}`)
    for (const who of ['unlucky one', 'unlucky two', ...others]) await nameContact(store, who, 'x')
    await until(() => done.length === others.length)
    expect(max).toBe(2)
    await reactor.stop()
  })

  it('tries again what failed, reports it, and lets the others go on', async () => {
    const store = memoryEventStore()
    const seen: string[] = []
    let failures = 3
    const reactor = running(store, randomUUID(), async (who) => {
      if (who === 'unlucky' && failures-- > 0) throw new Error('not yet')
      seen.push(who)
    })
    await nameContact(store, 'unlucky', 'x')
    await nameContact(store, 'lucky', 'x')
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
    await nameContact(store, 'ana', 'one')
    await nameContact(store, 'stuck', 'two')
    await nameContact(store, 'ana', 'three')
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
    await nameContact(store, 'ana', 'one')
    await until(() => seen.length === 1)
    const there = running(store, name, async (_, text) => void seen.push(`there ${text}`))
    await nameContact(store, 'ana', 'two')
    await until(() => seen.length === 2)
    await here.stop()
    await nameContact(store, 'ana', 'three')
    await until(() => seen.includes('there three'))
    expect(seen).toEqual(['here one', 'here two', 'there three'])
    await there.stop()
  })
})
