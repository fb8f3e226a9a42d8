import { describe, expect, it, onTestFinished } from 'vitest'
import { tcpProxy } from '../../testing/tcp-proxy.ts'
import { until } from '../../testing/until.ts'
import { beginning, type Position } from '../port.ts'
import { EventStoreDbDouble } from './double/event-store-db-double.ts'
import type { SubscriptionEnd } from './double/faults.ts'
import { follow, idsOf, many, opened, openStore, startDouble } from './double/opened-double.ts'

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
      expect(troubles).toHaveLength(how === 'consumer too slow' ? 0 : 1)
    },
  )

  it('loses nothing when the server is killed in the middle of catching up, and again when live', async () => {
    const { server, store } = await opened({ answerMs: 5000 })
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

  it('passes foreign events at once, where the server would send a checkpoint after a thousand of them', async () => {
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

  it('is asked for again when nothing is received for long, without an error', async () => {
    const { server, store, troubles } = await opened({ silenceMs: 500 })
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
    const { store } = await openStore(`esdb://127.0.0.1:${network.port}?tls=false`, { silenceMs: 200 })
    const follower = follow(store, 'frozen')
    await until(follower.isLive)
    network.freeze()
    const appended = many(1)
    expect(await store.append('frozen-1', 'no_stream', appended)).toMatchObject({ ok: true, revision: 0n })
    await until(() => follower.ids().length === 1)
    expect(follower.ids()).toEqual(idsOf(appended))
  })
})
