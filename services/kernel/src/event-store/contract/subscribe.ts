import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Batch, beginning, type Position } from '../port.ts'
import { accepted, category, event, medianDelay, newCategory, newStream, readStream, until } from './samples.ts'
import type { UnderTest } from './under-test.ts'

/** Below the safety poll of one second. */
const wokenMs = 500

export const subscribeContract = (under: UnderTest): void => {
  describe('subscribe', () => {
    const follow = (after: Position, categories: string[], from = under.store) => {
      const stop = new AbortController()
      const batches: Batch[] = []
      const ended = (async () => {
        for await (const batch of from.subscribe(after, { categories }, stop.signal)) batches.push(batch)
      })()
      const end = async () => {
        stop.abort()
        await ended
      }
      onTestFinished(end)
      const events = () => batches.flatMap((batch) => batch.events)
      return { batches, end, ended, events, isLive: () => batches.at(-1)?.live === true }
    }

    it('is live at once on an empty log, and then gives its first event', async () => {
      const empty = await under.open()
      onTestFinished(() => empty.close())
      const stream = newStream()
      const follower = follow(beginning, [category(stream)], empty.store)
      await until(follower.isLive)
      if (!empty.hasOthersEvents) expect(follower.batches).toEqual([{ events: [], upTo: beginning, live: true }])
      expect(follower.events()).toEqual([])
      const only = event()
      const { position } = accepted(await empty.store.append(stream, 'no_stream', [only]))
      await until(() => follower.events().length === 1)
      expect(follower.batches.at(-1)).toMatchObject({ events: [only], upTo: position, live: true })
    })

    it('gives what is there, marks when it is live, and goes on with what comes', async () => {
      const stream = newStream()
      const old = Array.from({ length: 2500 }, () => event())
      await under.stored([stream, ...old])
      const follower = follow(beginning, [category(stream)])
      await until(follower.isLive)
      expect(follower.batches[0]?.live).toBe(false)
      expect(follower.events().map(({ id }) => id)).toEqual(old.map(({ id }) => id))
      const recent = event()
      accepted(await under.store.append(stream, 2499n, [recent]))
      await until(() => follower.events().length === 2501)
      expect(follower.events().at(-1)).toMatchObject({ ...recent, stream, revision: 2500n })
      const liveness = follower.batches.map(({ live }) => live)
      expect(liveness).toEqual(liveness.toSorted())
    })

    const followThrough = (stream: string, gate: { isOpen: boolean }) => {
      const stop = new AbortController()
      const ids: string[] = []
      const batches: Batch[] = []
      const ended = (async () => {
        for await (const batch of under.store.subscribe(beginning, { categories: [category(stream)] }, stop.signal)) {
          batches.push(batch)
          ids.push(...batch.events.map(({ id }) => id))
          await until(() => gate.isOpen || ids.length === 0 || stop.signal.aborted)
        }
      })()
      onTestFinished(async () => {
        stop.abort()
        await ended
      })
      return { ids, isLive: () => batches.at(-1)?.live === true, batches: () => batches.length }
    }

    const manyEvents = (count: number) => Array.from({ length: count }, () => event())
    const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id)

    it.each([
      ['a page', 3500],
      ['all that is kept in memory', 12_000],
    ])('loses none and doubles none to a live follower that falls behind by more than %s', async (_, behind) => {
      const stream = newStream()
      const [first] = manyEvents(1)
      const late = manyEvents(behind)
      if (!first) throw new Error('no event')
      const gate = { isOpen: true }
      await under.stored([stream, first])
      const follower = followThrough(stream, gate)
      await until(follower.isLive)
      gate.isOpen = false
      accepted(await under.store.append(stream, 0n, late.slice(0, 500)))
      await until(() => follower.ids.length > 1)
      for (let from = 500; from < late.length; from += 500)
        accepted(await under.store.append(stream, BigInt(from), late.slice(from, from + 500)))
      gate.isOpen = true
      await until(() => follower.ids.length > late.length)
      // A duplicate would have arrived by now.
      const [last] = manyEvents(1)
      if (!last) throw new Error('no event')
      accepted(await under.store.append(stream, BigInt(behind), [last]))
      await until(() => follower.ids.includes(last.id))
      expect(follower.ids).toEqual(idsOf([first, ...late, last]))
    })

    it('gives once what is appended while it catches up', async () => {
      const stream = newStream()
      const old = manyEvents(4500)
      const meanwhile = manyEvents(30)
      const gate = { isOpen: false }
      await under.stored([stream, ...old])
      const follower = followThrough(stream, gate)
      await until(() => follower.ids.length > 0)
      expect(follower.ids.length).toBeLessThan(old.length)
      for (const [index, each] of meanwhile.entries()) {
        if (index === 10) gate.isOpen = true
        accepted(await under.store.append(stream, BigInt(old.length - 1 + index), [each]))
      }
      await until(() => follower.ids.length >= old.length + meanwhile.length)
      const [last] = manyEvents(1)
      if (!last) throw new Error('no event')
      accepted(await under.store.append(stream, BigInt(old.length + meanwhile.length - 1), [last]))
      await until(() => follower.ids.includes(last.id))
      expect(follower.ids).toEqual(idsOf([...old, ...meanwhile, last]))
    })

    it('starts after its position', async () => {
      const stream = newStream()
      await under.stored([stream, event(), event(), event()])
      const [, second, third] = await readStream(under.store, stream)
      const follower = follow(second?.position ?? beginning, [category(stream)])
      await until(follower.isLive)
      expect(follower.events()).toEqual([third])
    })

    it('moves upTo on with events of other categories, while catching up and live', async () => {
      const before = await under.stored([newStream(), event()])
      const follower = follow(beginning, [newCategory()])
      await until(follower.isLive)
      expect((follower.batches.at(-1)?.upTo ?? beginning) >= before).toBe(true)
      const later = await under.stored([newStream(), event()])
      await until(() => (follower.batches.at(-1)?.upTo ?? beginning) >= later)
      expect(follower.events()).toEqual([])
    })

    it('is woken by an append of the same instance', async () => {
      const stream = newStream()
      const follower = follow(beginning, [category(stream)])
      await until(follower.isLive)
      expect(await medianDelay(under.store, stream, follower.events)).toBeLessThan(wokenMs)
    })

    it('is woken by an append of another instance', async () => {
      const another = (await under.another()) ?? under.store
      const stream = newStream()
      const follower = follow(beginning, [category(stream)])
      await until(follower.isLive)
      expect(await medianDelay(another, stream, follower.events)).toBeLessThan(wokenMs)
    })

    it('ends promptly when its signal aborts, while it waits', async () => {
      const follower = follow(beginning, [newCategory()])
      await until(follower.isLive)
      const began = performance.now()
      await follower.end()
      expect(performance.now() - began).toBeLessThan(500)
    })

    it('gives nothing more once its signal has aborted, also in the middle of catching up', async () => {
      const stream = newStream()
      await under.stored([stream, ...Array.from({ length: 4500 }, () => event())])
      const stop = new AbortController()
      const given: Batch[] = []
      for await (const batch of under.store.subscribe(beginning, { categories: [category(stream)] }, stop.signal)) {
        given.push(batch)
        if (batch.events.length > 0) stop.abort()
      }
      expect(given.filter(({ events }) => events.length > 0)).toHaveLength(1)
    })

    it('gives nothing when its signal aborted before it began', async () => {
      const given: Batch[] = []
      for await (const batch of under.store.subscribe(beginning, { categories: [] }, AbortSignal.abort()))
        given.push(batch)
      expect(given).toEqual([])
    })

    it('loses nothing to a consumer that is slower than the writers', async () => {
      const stop = new AbortController()
      const streams = Array.from({ length: 200 }, () => newStream('slow'))
      const eventsEach = under.appends / 1000
      const other = newCategory()
      const start = await under.stored([newStream(), event()])
      const seen: string[] = []
      const reader = (async () => {
        for await (const { events } of under.store.subscribe(start, { categories: ['slow'] }, stop.signal)) {
          seen.push(...events.map(({ id }) => id))
          await delay(20)
          if (seen.length === streams.length * eventsEach) stop.abort()
        }
      })()
      const ids = await Promise.all(
        streams.map(async (stream) => {
          const events = Array.from({ length: eventsEach }, () => event())
          for (const [index, each] of events.entries()) {
            const expected = index === 0 ? 'no_stream' : BigInt(index - 1)
            accepted(await under.store.append(stream, expected, [each]))
          }
          await under.stored([`${other}-${randomUUID()}`, event()])
          return events.map(({ id }) => id)
        }),
      )
      await reader
      expect(seen.toSorted()).toEqual(ids.flat().toSorted())
    }, 120_000)
  })
}
