import { describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { event } from '../contract/samples.ts'
import { InvalidAppend } from '../port.ts'
import type { AppendFault } from './double/faults.ts'
import { opened, openStore } from './double/opened-double.ts'

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
