import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type AppendResult,
  type Batch,
  beginning,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  InvalidAppend,
  type Json,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from './port.ts'

export interface OpenedEventStore {
  store: EventStore
  /** A second instance on the same log, where the adapter can. */
  another?: () => Promise<EventStore>
  /** Ends what `store` and `another` hold and removes the log. */
  close(): Promise<void>
}

/** The whole promise of the port. `open` gives an empty log; it is called a few times. */
export const eventStoreContract = (name: string, open: () => Promise<OpenedEventStore>): void => {
  describe(`event store: ${name}`, () => {
    let opened: OpenedEventStore
    let store: EventStore
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.close())

    const openAnother = async () => {
      const another = await opened.another?.()
      if (another) onTestFinished(() => another.close())
      return another
    }

    const stored = async (...appends: [stream: string, ...events: NewEvent[]][]): Promise<Position> => {
      let position = beginning
      for (const [stream, ...events] of appends)
        position = accepted(await store.append(stream, 'no_stream', events)).position
      return position
    }

    describe('append', () => {
      it('stores events at consecutive revisions, from 0 on', async () => {
        const stream = newStream()
        const first = accepted(await store.append(stream, 'no_stream', [event(), event()]))
        expect(first).toMatchObject({ revision: 1n, repeated: false })
        const second = accepted(await store.append(stream, 1n, [event()]))
        expect(second).toMatchObject({ revision: 2n, repeated: false })
        expect((await readStream(store, stream)).map(({ revision }) => revision)).toEqual([0n, 1n, 2n])
      })

      it('answers with the position that the last event has in the log', async () => {
        const stream = newStream()
        const { position } = accepted(await store.append(stream, 'no_stream', [event(), event(), event()]))
        const found = await readLog(store, beginning, [category(stream)])
        expect(found.map((each) => each.position).at(-1)).toBe(position)
        expect(await readStream(store, stream)).toEqual(found)
      })

      it('lets one of 20 win that create the same stream at once', async () => {
        const stream = newStream()
        const another = (await openAnother()) ?? store
        const events = Array.from({ length: 20 }, () => event())
        const results = await Promise.all(
          events.map((each, index) => (index % 2 ? another : store).append(stream, 'no_stream', [each])),
        )
        const winners = events.filter((_, index) => results[index]?.ok)
        expect(winners).toHaveLength(1)
        expect(results.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 19 }, () => ({ ok: false, actual: 0n })))
        expect(await idsOf(store, stream)).toEqual(winners.map(({ id }) => id))
      })

      it('refuses a stream that exists where none was expected, and says where it stands', async () => {
        const stream = newStream()
        await stored([stream, event(), event()])
        expect(await store.append(stream, 'no_stream', [event()])).toEqual({ ok: false, actual: 1n })
      })

      it.each([0n, 1n, 3n, 1000n, 2n ** 62n])('refuses revision %s of a stream that stands at 2', async (expected) => {
        const stream = newStream()
        await stored([stream, event(), event(), event()])
        expect(await store.append(stream, expected, [event()])).toEqual({ ok: false, actual: 2n })
        expect(await idsOf(store, stream)).toHaveLength(3)
      })

      it.each([0n, 7n])('refuses revision %s of a stream that does not exist', async (expected) => {
        expect(await store.append(newStream(), expected, [event()])).toEqual({ ok: false, actual: 'no_stream' })
      })

      it('stores all events of an append or none', async () => {
        const stream = newStream()
        await stored([stream, event()])
        const many = Array.from({ length: 500 }, () => event())
        expect(await store.append(stream, 'no_stream', many)).toEqual({ ok: false, actual: 0n })
        expect(await idsOf(store, stream)).toHaveLength(1)
        expect(accepted(await store.append(stream, 0n, many)).revision).toBe(500n)
        expect((await idsOf(store, stream)).slice(1)).toEqual(many.map(({ id }) => id))
      })

      it('keeps conflicts apart from the appends of others at the same moment', async () => {
        const taken = Array.from({ length: 50 }, newStream)
        const free = Array.from({ length: 50 }, newStream)
        await Promise.all(taken.map((stream) => stored([stream, event()])))
        const results = await Promise.all(
          taken.flatMap((stream, index) => [
            store.append(stream, 'no_stream', [event()]),
            store.append(free[index] ?? '', 'no_stream', [event(), event()]),
          ]),
        )
        expect(results.map(({ ok }) => ok)).toEqual(taken.flatMap(() => [false, true]))
      })

      it('gives many appends to one stream, sent together, the order in which they were sent', async () => {
        const stream = newStream()
        const events = Array.from({ length: 30 }, () => event())
        const results = await Promise.all(
          events.map((each, index) => store.append(stream, index === 0 ? 'no_stream' : BigInt(index - 1), [each])),
        )
        expect(results.every(({ ok }) => ok)).toBe(true)
        expect(await idsOf(store, stream)).toEqual(events.map(({ id }) => id))
      })
    })

    describe('a repeated append', () => {
      it('is a success that changes nothing', async () => {
        const stream = newStream()
        const events = [event(), event()]
        const first = accepted(await store.append(stream, 'no_stream', events))
        expect(await store.append(stream, 'no_stream', events)).toEqual({ ...first, repeated: true })
        expect(await idsOf(store, stream)).toEqual(events.map(({ id }) => id))
      })

      it('is recognised at an exact revision, also after others came', async () => {
        const stream = newStream()
        await stored([stream, event()])
        const events = [event(), event()]
        const first = accepted(await store.append(stream, 0n, events))
        await store.append(stream, 2n, [event(), event(), event()])
        await stored([newStream(), event()])
        expect(await store.append(stream, 0n, events)).toEqual({ ...first, repeated: true })
        expect(await idsOf(store, stream)).toHaveLength(6)
      })

      it('is recognised by a prefix of its ids', async () => {
        const stream = newStream()
        const [first, second, third] = [event(), event(), event()]
        await stored([stream, first, second, third])
        const all = await readStream(store, stream)
        expect(await store.append(stream, 'no_stream', [first, second])).toEqual({
          ok: true,
          revision: 1n,
          position: all[1]?.position,
          repeated: true,
        })
      })

      it('is recognised by ids alone and leaves the first data as they are', async () => {
        const stream = newStream()
        const first = event({ kept: true })
        await stored([stream, first])
        const changed = { ...event({ kept: false }), id: first.id }
        expect(await store.append(stream, 'no_stream', [changed])).toMatchObject({ ok: true, repeated: true })
        expect((await readStream(store, stream)).map(({ data }) => data)).toEqual([{ kept: true }])
      })

      it('is recognised while the first is still under way', async () => {
        const stream = newStream()
        const events = [event(), event()]
        const results = await Promise.all(Array.from({ length: 5 }, () => store.append(stream, 'no_stream', events)))
        expect(results.filter((result) => accepted(result).repeated)).toHaveLength(4)
        expect(await idsOf(store, stream)).toHaveLength(2)
      })

      it('is a conflict when only some of the ids stand there, or in another order', async () => {
        const stream = newStream()
        const [first, second] = [event(), event()]
        await stored([stream, first, second])
        const conflict = { ok: false, actual: 1n }
        expect(await store.append(stream, 'no_stream', [first, second, event()])).toEqual(conflict)
        expect(await store.append(stream, 'no_stream', [first, event()])).toEqual(conflict)
        expect(await store.append(stream, 'no_stream', [second, first])).toEqual(conflict)
        expect(await store.append(stream, 'no_stream', [second])).toEqual(conflict)
        expect(await store.append(stream, 0n, [first])).toEqual(conflict)
        expect(await idsOf(store, stream)).toEqual([first.id, second.id])
      })

      it('is an append of its own in another stream', async () => {
        const [one, other] = [newStream(), newStream()]
        const same = event()
        await stored([one, same])
        expect(await store.append(other, 'no_stream', [same])).toMatchObject({ ok: true, repeated: false })
      })
    })

    describe('a malformed append', () => {
      const refuse = async (stream: string, events: NewEvent[], expected: ExpectedRevision = 'no_stream') => {
        await expect(store.append(stream, expected, events)).rejects.toThrow(InvalidAppend)
      }

      it('without an event is refused', () => refuse(newStream(), []))
      it.each(['', 'no-uuid', '3F2504E0-4F89-41D3-9A0C-0305E82C3301'])('with the id "%s" is refused', (id) =>
        refuse(newStream(), [{ ...event(), id }]),
      )
      it('with an empty type is refused', () => refuse(newStream(), [{ ...event(), type: '' }]))
      it.each(['', 'chat', 'chat-', '-1', 'chat-\u0000', 'chat-\ud800'])('to the stream %j is refused', (stream) =>
        refuse(stream, [event()]),
      )
      it('with a negative revision is refused', () => refuse(newStream(), [event()], -1n))
      it('with data that is no JSON is refused', async () => {
        const data = { amount: 1n } as unknown as { [key: string]: Json }
        await refuse(newStream(), [{ ...event(), data }])
      })

      it('of more than 1 MiB is refused, and of nearly as much is stored', async () => {
        const stream = newStream()
        const half = event({ text: 'é'.repeat(262_144) })
        await refuse(stream, [half, half])
        await refuse(stream, [event({ text: 'x'.repeat(1024 * 1024) })])
        const nearly = event({ text: 'x'.repeat(1024 * 1024 - 1000) })
        expect(await store.append(stream, 'no_stream', [nearly])).toMatchObject({ ok: true })
        expect((await readStream(store, stream))[0]?.data).toEqual(nearly.data)
      })

      it('leaves nothing behind and does no harm to its neighbours', async () => {
        const [bad, good] = [newStream(), newStream()]
        const results = await Promise.allSettled([
          store.append(bad, 'no_stream', [event(), { ...event(), type: '' }]),
          store.append(good, 'no_stream', [event()]),
        ])
        expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
        expect(await idsOf(store, bad)).toEqual([])
      })
    })

    describe('what is read', () => {
      it.each<[string, { [key: string]: Json }]>([
        ['unicode and emoji', { ação: 'Olá, João! 👩🏽‍💻 \u2028 "quoted" \\ / \t\n' }],
        ['U+0000 and other control characters', { text: 'a\u0000b\u0001\u001e\u001f\u007f', 'key\u0000': '\\u0000' }],
        ['half a surrogate pair', { text: '\ud83d' }],
        ['nesting', { a: [{ b: [[], {}, [null, [true, false]]] }], '': { '': '' } }],
        ['numbers', { big: 9007199254740991, huge: 1.7976931348623157e308, tiny: 5e-324, third: 0.1, minus: -1e21 }],
        ['keys in their order', { z: 1, a: 2, m: { y: 1, b: 2 } }],
      ])('keeps %s as it was written', async (_, data) => {
        const stream = newStream()
        const written = { ...event(data), type: 'Ação 👍 registrada' }
        await stored([stream, written])
        const [read] = await readStream(store, stream)
        expect(read).toEqual({ ...written, stream, revision: 0n, position: expect.any(String) })
        expect(JSON.stringify(read?.data)).toBe(JSON.stringify(data))
      })

      it('belongs to the reader: changing it changes nothing stored', async () => {
        const stream = newStream()
        const written = event({ list: [1] })
        await stored([stream, written])
        written.data.list = 'changed by the writer'
        for (const read of await readStream(store, stream)) read.data.list = 'changed by a reader'
        expect((await readStream(store, stream))[0]?.data).toEqual({ list: [1] })
      })
    })

    describe('read', () => {
      it('gives nothing for a stream that does not exist', async () => {
        expect(await readStream(store, newStream())).toEqual([])
      })

      it('gives a long stream in pages, whole and in order, from any revision', async () => {
        const stream = newStream()
        const events = Array.from({ length: 4500 }, (_, index) => event({ index }))
        await stored([stream, ...events])
        let pages = 0
        const seen: Json[] = []
        for await (const page of store.read(stream)) {
          pages++
          seen.push(...page.map(({ data }) => data.index ?? null))
        }
        expect(pages).toBeGreaterThan(1)
        expect(seen).toEqual(events.map((_, index) => index))
        expect((await readStream(store, stream, 4498n)).map(({ revision }) => revision)).toEqual([4498n, 4499n])
        expect(await readStream(store, stream, 4500n)).toEqual([])
      })

      it('may be left early', async () => {
        const stream = newStream()
        await stored([stream, ...Array.from({ length: 4500 }, () => event())])
        for await (const page of store.read(stream)) {
          expect(page[0]?.revision).toBe(0n)
          break
        }
      })
    })

    describe('readAll', () => {
      it('gives the events of the categories in log order', async () => {
        const [one, two, three] = [newStream(), newStream(), newStream()]
        const [a, b, c, d, e] = [event(), event(), event(), event(), event()]
        await stored([one, a], [two, b, c], [three, d])
        accepted(await store.append(one, 0n, [e]))
        const found = await readLog(store, beginning, [category(one), category(two)])
        expect(found.map(({ id }) => id)).toEqual([a, b, c, e].map(({ id }) => id))
        const positions = found.map(({ position }) => position)
        expect(positions).toEqual([...new Set(positions)].sort())
        expect(positions.every((position) => position > beginning)).toBe(true)
      })

      it('takes the text before the first hyphen as the category, and all of it', async () => {
        const base = newCategory()
        const streams = [`${base}-1`, `${base}-1-2`, `${base}X-1`, `x${base}-1`, `${base.toUpperCase()}-1`]
        await stored(...streams.map((stream): [string, NewEvent] => [stream, event()]))
        const found = await readLog(store, beginning, [base])
        expect(found.map(({ stream }) => stream)).toEqual([`${base}-1`, `${base}-1-2`])
        expect(await readLog(store, beginning, [`${base}-1`, '', '%', `${base.slice(0, -1)}_`])).toEqual([])
        expect(await readLog(store, beginning, [])).toEqual([])
      })

      it('goes on after any position, also between two events of one append', async () => {
        const stream = newStream()
        await stored([stream, event(), event(), event()])
        const all = await readLog(store, beginning, [category(stream)])
        for (const [index, { position }] of all.entries())
          expect(await readLog(store, position, [category(stream)])).toEqual(all.slice(index + 1))
      })

      it('gives pages, and a place to go on from with each', async () => {
        const stream = newStream()
        await stored([stream, ...Array.from({ length: 4500 }, () => event())])
        const all = await readLog(store, beginning, [category(stream)])
        expect(all).toHaveLength(4500)
        let at = beginning
        const seen: RecordedEvent[] = []
        for (let pages = 0; seen.length < all.length; pages++) {
          expect(pages).toBeLessThan(100)
          for await (const { events, upTo, live } of store.readAll(at, { categories: [category(stream)] })) {
            expect(live).toBe(false)
            expect(upTo > at).toBe(true)
            seen.push(...events)
            at = upTo
            break
          }
        }
        expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
      })

      it('moves upTo on where nothing matches, and says nothing at the end of the log', async () => {
        const position = await stored([newStream(), event(), event()])
        let at = beginning
        for await (const { events, upTo } of store.readAll(beginning, { categories: [newCategory()] })) {
          expect(events).toEqual([])
          at = upTo
        }
        expect(at >= position).toBe(true)
        for await (const batch of store.readAll(at, { categories: [newCategory()] })) expect.fail(`said ${batch.upTo}`)
      })

      it('refuses a position that it has not printed', async () => {
        await expect(readLog(store, 'position of another store' as Position, [newCategory()])).rejects.toThrow()
      })
    })

    describe('subscribe', () => {
      const follow = (after: Position, categories: string[], from = store) => {
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
        const empty = await open()
        onTestFinished(() => empty.close())
        const stream = newStream()
        const follower = follow(beginning, [category(stream)], empty.store)
        await until(follower.isLive)
        expect(follower.batches).toEqual([{ events: [], upTo: beginning, live: true }])
        const only = event()
        const { position } = accepted(await empty.store.append(stream, 'no_stream', [only]))
        await until(() => follower.events().length === 1)
        expect(follower.batches.at(-1)).toMatchObject({ events: [only], upTo: position, live: true })
      })

      it('gives what is there, says when it is live, and goes on with what comes', async () => {
        const stream = newStream()
        const old = Array.from({ length: 2500 }, () => event())
        await stored([stream, ...old])
        const follower = follow(beginning, [category(stream)])
        await until(follower.isLive)
        expect(follower.batches[0]?.live).toBe(false)
        expect(follower.events().map(({ id }) => id)).toEqual(old.map(({ id }) => id))
        const recent = event()
        accepted(await store.append(stream, 2499n, [recent]))
        await until(() => follower.events().length === 2501)
        expect(follower.events().at(-1)).toMatchObject({ ...recent, stream, revision: 2500n })
        const liveness = follower.batches.map(({ live }) => live)
        expect(liveness).toEqual(liveness.toSorted())
      })

      it('starts after its position', async () => {
        const stream = newStream()
        await stored([stream, event(), event(), event()])
        const [, second, third] = await readStream(store, stream)
        const follower = follow(second?.position ?? beginning, [category(stream)])
        await until(follower.isLive)
        expect(follower.events()).toEqual([third])
      })

      it('moves upTo on with events of other categories, while catching up and live', async () => {
        const before = await stored([newStream(), event()])
        const follower = follow(beginning, [newCategory()])
        await until(follower.isLive)
        expect((follower.batches.at(-1)?.upTo ?? beginning) >= before).toBe(true)
        const later = await stored([newStream(), event()])
        await until(() => (follower.batches.at(-1)?.upTo ?? beginning) >= later)
        expect(follower.events()).toEqual([])
      })

      it('is woken by an append of the same instance', async () => {
        const stream = newStream()
        const follower = follow(beginning, [category(stream)])
        await until(follower.isLive)
        expect(await medianDelay(store, stream, follower.events)).toBeLessThan(100)
      })

      it('is woken by an append of another instance', async () => {
        const another = (await openAnother()) ?? store
        const stream = newStream()
        const follower = follow(beginning, [category(stream)])
        await until(follower.isLive)
        expect(await medianDelay(another, stream, follower.events)).toBeLessThan(100)
      })

      it('ends promptly when told to, while it waits', async () => {
        const follower = follow(beginning, [newCategory()])
        await until(follower.isLive)
        const began = performance.now()
        await follower.end()
        expect(performance.now() - began).toBeLessThan(500)
      })

      it('gives nothing more once it was told to end, also in the middle of catching up', async () => {
        const stream = newStream()
        await stored([stream, ...Array.from({ length: 4500 }, () => event())])
        const stop = new AbortController()
        const given: Batch[] = []
        for await (const batch of store.subscribe(beginning, { categories: [category(stream)] }, stop.signal)) {
          given.push(batch)
          if (batch.events.length > 0) stop.abort()
        }
        expect(given.filter(({ events }) => events.length > 0)).toHaveLength(1)
      })

      it('gives nothing when it was told to end before it began', async () => {
        const given: Batch[] = []
        for await (const batch of store.subscribe(beginning, { categories: [] }, AbortSignal.abort())) given.push(batch)
        expect(given).toEqual([])
      })

      it('loses nothing to a consumer that is slower than the writers', async () => {
        const stop = new AbortController()
        const streams = Array.from({ length: 200 }, () => newStream('slow'))
        const other = newCategory()
        const start = await stored([newStream(), event()])
        const seen: string[] = []
        const reader = (async () => {
          for await (const { events } of store.subscribe(start, { categories: ['slow'] }, stop.signal)) {
            seen.push(...events.map(({ id }) => id))
            await delay(20)
            if (seen.length === 10_000) stop.abort()
          }
        })()
        const ids = await Promise.all(
          streams.map(async (stream) => {
            const events = Array.from({ length: 50 }, () => event())
            for (const [index, each] of events.entries()) {
              const expected = index === 0 ? 'no_stream' : BigInt(index - 1)
              accepted(await store.append(stream, expected, [each]))
            }
            await stored([`${other}-${randomUUID()}`, event()])
            return events.map(({ id }) => id)
          }),
        )
        await reader
        expect(seen.toSorted()).toEqual(ids.flat().toSorted())
      })
    })

    it('behaves as a list per stream would, whatever is appended', async () => {
      const ids = Array.from({ length: 6 }, () => randomUUID())
      const append = fc.record({
        stream: fc.nat(2),
        expected: fc.integer({ min: -1, max: 6 }),
        current: fc.boolean(),
        ids: fc.array(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 }),
      })
      const rounds = fc.array(append, { minLength: 1, maxLength: 25 })
      await fc.assert(
        fc.asyncProperty(rounds, async (appends) => {
          const categoryName = newCategory()
          const model = new Map<string, string[]>()
          const log: string[] = []
          for (const round of appends) {
            const stream = `${categoryName}-${round.stream}`
            const held = model.get(stream) ?? []
            const expected = round.current ? held.length - 1 : round.expected
            const result = await store.append(
              stream,
              expected === -1 ? 'no_stream' : BigInt(expected),
              round.ids.map((id) => ({ ...event(), id })),
            )
            const last = BigInt(expected + round.ids.length)
            if (expected === held.length - 1) {
              expect(result).toMatchObject({ ok: true, revision: last, repeated: false })
              model.set(stream, [...held, ...round.ids])
              log.push(...round.ids)
            } else if (round.ids.every((id, index) => held[expected + 1 + index] === id)) {
              expect(result).toMatchObject({ ok: true, revision: last, repeated: true })
            } else {
              expect(result).toEqual({ ok: false, actual: held.length === 0 ? 'no_stream' : BigInt(held.length - 1) })
            }
          }
          for (const [stream, held] of model) expect(await idsOf(store, stream)).toEqual(held)
          expect((await readLog(store, beginning, [categoryName])).map(({ id }) => id)).toEqual(log)
        }),
        { numRuns: 40 },
      )
    })

    it('shows a live subscriber 50,000 appends of 8 writers, none missed, doubled or out of order', async () => {
      const writers = [store, (await openAnother()) ?? store]
      const categories = [newCategory(), newCategory()]
      const start = await stored([newStream(), event()])
      const appends = 50_000
      const stop = new AbortController()
      const seen = { count: 0, at: start, disorder: 0, revisions: new Map<string, bigint>() }

      const subscriber = (async () => {
        for await (const { events, upTo } of store.subscribe(start, { categories }, stop.signal)) {
          for (const { stream, revision, position } of events) {
            if (position <= seen.at || revision !== (seen.revisions.get(stream) ?? -1n) + 1n) seen.disorder++
            seen.at = position
            seen.revisions.set(stream, revision)
            seen.count++
          }
          if (upTo < seen.at) seen.disorder++
          if (seen.count >= appends) stop.abort()
        }
      })()

      const line = async (writer: EventStore, length: number) => {
        const stream = `${categories[randomInt(2)]}-${randomUUID()}`
        for (let index = 0; index < length; index++)
          accepted(await writer.append(stream, index === 0 ? 'no_stream' : BigInt(index - 1), [event()]))
      }
      const write = async (index: number) => {
        const lines = Array.from({ length: 50 }, () => line(writers[index % 2] ?? store, appends / 8 / 50))
        await Promise.all(lines)
      }
      await Promise.all(Array.from({ length: 8 }, (_, index) => write(index)))
      await subscriber

      expect(seen.count).toBe(appends)
      expect(seen.disorder).toBe(0)
      expect([...seen.revisions.values()]).toEqual(Array.from({ length: 400 }, () => 124n))
    }, 60_000)

    it('settles the appends under way when it closes, ends subscriptions, and then refuses', async () => {
      const own = await open()
      onTestFinished(() => own.close())
      const stop = new AbortController()
      const subscription = (async () => {
        for await (const { live } of own.store.subscribe(beginning, { categories: ['any'] }, stop.signal))
          if (!live) break
      })()
      const appends = Array.from({ length: 100 }, () => own.store.append(newStream(), 'no_stream', [event()]))
      await own.store.close()
      expect((await Promise.all(appends)).every(({ ok }) => ok)).toBe(true)
      await subscription
      await expect(own.store.append(newStream(), 'no_stream', [event()])).rejects.toThrow(EventStoreUnavailable)
    })
  })
}

const newCategory = () => `c${randomUUID().replaceAll('-', '')}`
const newStream = (category = newCategory()) => `${category}-${randomUUID()}`
const category = (stream: string) => stream.slice(0, stream.indexOf('-'))

const event = (data: { [key: string]: Json } = {}): NewEvent => ({
  id: randomUUID(),
  type: 'SomethingHappened',
  data,
  metadata: {
    causationId: 'a cause',
    correlationId: 'a request',
    actor: { kind: 'system', id: 'contract' },
    owner: null,
    schemaVersion: 1,
    recordedAt: '2026-11-21T12:00:00.000Z',
  },
})

const accepted = (result: AppendResult) => {
  if (!result.ok) throw new Error(`the append met a conflict: the stream stands at ${result.actual}`)
  return result
}

const readStream = async (store: EventStore, stream: string, from?: bigint) => {
  const events: RecordedEvent[] = []
  for await (const page of store.read(stream, from === undefined ? {} : { from })) events.push(...page)
  return events
}

const idsOf = async (store: EventStore, stream: string) => (await readStream(store, stream)).map(({ id }) => id)

const readLog = async (store: EventStore, after: Position, categories: string[]) => {
  const events: RecordedEvent[] = []
  for await (const batch of store.readAll(after, { categories })) events.push(...batch.events)
  return events
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 10_000, interval: 1 })

/** Median milliseconds from an append to the moment when a follower has it; the safety poll alone would need some 500. */
const medianDelay = async (writer: EventStore, stream: string, seen: () => RecordedEvent[]): Promise<number> => {
  const delays: number[] = []
  for (let count = 0; count < 9; count++) {
    const began = performance.now()
    accepted(await writer.append(stream, count === 0 ? 'no_stream' : BigInt(count - 1), [event()]))
    await until(() => seen().length === count + 1)
    delays.push(performance.now() - began)
  }
  return delays.toSorted((a, b) => a - b)[4] ?? Number.NaN
}
