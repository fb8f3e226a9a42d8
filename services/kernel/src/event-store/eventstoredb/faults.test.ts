import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StoreUnavailable } from '../../async/reachability.ts'
import { retryingWriters } from '../../testing/retrying-writers.ts'
import { tcpProxy } from '../../testing/tcp-proxy.ts'
import { until } from '../../testing/until.ts'
import { event } from '../contract/samples.ts'
import { eventStoreDbEventStore } from '../eventstoredb.ts'
import { beginning } from '../port.ts'
import { follow, idsOf, many, opened, openStore, startDouble } from './double/opened-double.ts'

describe('an unreachable server', () => {
  it('makes appends and reads fail when the longest outage is over, and serves again when it is back', async () => {
    const { server, store } = await opened({ maxOutageMs: 200 })
    const appended = event()
    server.kill()
    await expect(store.append('back-1', 'no_stream', [appended])).rejects.toThrow(StoreUnavailable)
    await expect(store.read('back-1')[Symbol.asyncIterator]().next()).rejects.toThrow(StoreUnavailable)
    const all = store.readAll(beginning, { categories: ['back'] })[Symbol.asyncIterator]()
    await expect(all.next()).rejects.toThrow(StoreUnavailable)
    await server.start()
    expect(await store.append('back-1', 'no_stream', [appended])).toMatchObject({ ok: true, revision: 0n })
  })

  it('is waited for within the longest outage', async () => {
    const { server, store, troubles } = await opened()
    server.kill()
    const append = store.append('soon-1', 'no_stream', [event()])
    await until(() => troubles.length > 0)
    await server.start()
    expect(await append).toMatchObject({ ok: true, revision: 0n })
  })

  it('at the start is reported as unavailable, by its address or by gossip', async () => {
    const server = await startDouble()
    const { port } = server
    server.kill()
    const brief = { maxOutageMs: 100 }
    for (const address of [
      `esdb://127.0.0.1:${port}?tls=false`,
      `esdb+discover://127.0.0.1:${port}?tls=false&maxDiscoverAttempts=2`,
    ])
      await expect(eventStoreDbEventStore({ url: address, ...brief })).rejects.toThrow(StoreUnavailable)
  })

  it('that takes a read and sends nothing is asked again', async () => {
    const { server, store, troubles } = await opened({ silenceMs: 100 })
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
    const writers = retryingWriters(store, 20, 'gossip')
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
    const writers = retryingWriters(store, 64, 'cut')
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
