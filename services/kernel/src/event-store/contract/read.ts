import { describe, expect, it } from 'vitest'
import type { Json } from '../../json.ts'
import { beginning, maxPageBytes, type NewEvent, type Position, type RecordedEvent, type StreamFrom } from '../port.ts'
import { accepted, category, event, newCategory, newStream, readLog, readStream } from './samples.ts'
import type { UnderTest } from './under-test.ts'

export const readContract = (under: UnderTest): void => {
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
      await under.stored([stream, written])
      const [read] = await readStream(under.store, stream)
      expect(read).toEqual({ ...written, stream, revision: 0n, position: expect.any(String) })
      expect(JSON.stringify(read?.data)).toBe(JSON.stringify(data))
    })

    it('belongs to the reader: changing it changes nothing stored', async () => {
      const stream = newStream()
      const written = event({ list: [1] })
      await under.stored([stream, written])
      written.data.list = 'changed by the writer'
      for (const read of await readStream(under.store, stream)) read.data.list = 'changed by a reader'
      expect((await readStream(under.store, stream))[0]?.data).toEqual({ list: [1] })
    })
  })

  describe('read', () => {
    it('gives nothing for a stream that does not exist', async () => {
      expect(await readStream(under.store, newStream())).toEqual([])
    })

    it('gives a long stream in pages, whole and in order, from any revision', async () => {
      const stream = newStream()
      const events = Array.from({ length: 4500 }, (_, index) => event({ index }))
      await under.stored([stream, ...events])
      let pages = 0
      const seen: Json[] = []
      for await (const page of under.store.read(stream)) {
        pages++
        seen.push(...page.map(({ data }) => data.index ?? null))
      }
      expect(pages).toBeGreaterThan(1)
      expect(seen).toEqual(events.map((_, index) => index))
      expect((await readStream(under.store, stream, 4498n)).map(({ revision }) => revision)).toEqual([4498n, 4499n])
      expect(await readStream(under.store, stream, 4500n)).toEqual([])
    })

    it('gives no more than it is asked for, from any revision', async () => {
      const stream = newStream()
      await under.stored([stream, ...Array.from({ length: 30 }, (_, index) => event({ index }))])
      const read = async (options: { from?: bigint; max: number }) => {
        const found: bigint[] = []
        for await (const page of under.store.read(stream, options)) found.push(...page.map(({ revision }) => revision))
        return found
      }
      expect(await read({ max: 3 })).toEqual([0n, 1n, 2n])
      expect(await read({ from: 28n, max: 1 })).toEqual([28n])
      expect(await read({ from: 28n, max: 5 })).toEqual([28n, 29n])
      expect(await read({ from: 30n, max: 5 })).toEqual([])
    })

    it('gives large events in pages that are bounded in bytes, and all of them', async () => {
      const stream = newStream()
      const large = () => event({ text: 'x'.repeat(700_000) })
      for (let revision = -1n; revision < 11n; revision++)
        accepted(await under.store.append(stream, revision === -1n ? 'no_stream' : revision, [large()]))
      const sizes: number[] = []
      for await (const page of under.store.read(stream)) sizes.push(page.length)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12)
      expect(Math.max(...sizes) * 700_000).toBeLessThanOrEqual(maxPageBytes + 1024 * 1024)
    })

    it('may be left early', async () => {
      const stream = newStream()
      await under.stored([stream, ...Array.from({ length: 4500 }, () => event())])
      for await (const page of under.store.read(stream)) {
        expect(page[0]?.revision).toBe(0n)
        break
      }
    })
  })

  describe('readMany', () => {
    const many = async (streams: readonly StreamFrom[], upTo: Position) => {
      const found: string[] = []
      for await (const page of under.store.readMany(streams, upTo))
        found.push(...page.map(({ stream, revision }) => `${stream} ${revision}`))
      return found
    }
    const names = (stream: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `${stream} ${from + index}`)

    it('gives several streams in the order asked, each from its revision, up to a position', async () => {
      const [one, two, missing] = [newStream(), newStream(), newStream()]
      await under.stored([one, event(), event(), event()])
      const moment = await under.stored([two, event(), event()])
      accepted(await under.store.append(one, 2n, [event()]))
      accepted(await under.store.append(two, 1n, [event()]))
      const asked = [
        { stream: two, from: 0n },
        { stream: missing, from: 0n },
        { stream: one, from: 1n },
      ]
      expect(await many(asked, moment)).toEqual([...names(two, 0, 2), ...names(one, 1, 3)])
      const [first] = await readStream(under.store, one)
      expect(await many(asked, first?.position ?? beginning)).toEqual([])
      expect(await many([{ stream: one, from: 9n }], moment)).toEqual([])
      expect(await many([{ stream: missing, from: 0n }], moment)).toEqual([])
      expect(await many([], moment)).toEqual([])
      expect(await many(asked, beginning)).toEqual([])
    })

    it('gives long and short streams whole, in pages', async () => {
      const [long, short, empty, last] = [newStream(), newStream(), newStream(), newStream()]
      await under.stored([long, ...Array.from({ length: 4500 }, () => event())], [short, event()])
      const moment = await under.stored([last, ...Array.from({ length: 2100 }, () => event())])
      const asked = [short, long, empty, last].map((stream) => ({ stream, from: 0n }))
      expect(await many(asked, moment)).toEqual([
        ...names(short, 0, 1),
        ...names(long, 0, 4500),
        ...names(last, 0, 2100),
      ])
    })

    it('gives large events in pages that are bounded in bytes, and all of them', async () => {
      const streams = [newStream(), newStream(), newStream()]
      const large = () => event({ text: 'x'.repeat(700_000) })
      let moment = beginning
      for (const stream of streams)
        for (let revision = -1n; revision < 3n; revision++)
          moment = accepted(
            await under.store.append(stream, revision === -1n ? 'no_stream' : revision, [large()]),
          ).position
      const sizes: number[] = []
      for await (const page of under.store.readMany(
        streams.map((stream) => ({ stream, from: 0n })),
        moment,
      ))
        sizes.push(page.length)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12)
      expect(Math.max(...sizes) * 700_000).toBeLessThanOrEqual(maxPageBytes + 1024 * 1024)
    })

    it('refuses a position of another kind of log', async () => {
      const asked = [{ stream: newStream(), from: 0n }]
      await expect(many(asked, 'position of another store' as Position)).rejects.toThrow()
    })
  })

  describe('readBack', () => {
    const backwards = async (stream: string) => {
      const found: bigint[] = []
      for await (const page of under.store.readBack(stream)) found.push(...page.map(({ revision }) => revision))
      return found
    }

    it('gives nothing for a stream that does not exist', async () => {
      expect(await backwards(newStream())).toEqual([])
    })

    it('gives a stream from its end to its beginning', async () => {
      const stream = newStream()
      await under.stored([stream, ...Array.from({ length: 450 }, (_, index) => event({ index }))])
      expect(await backwards(stream)).toEqual(Array.from({ length: 450 }, (_, index) => BigInt(449 - index)))
    })

    it('may be left early', async () => {
      const stream = newStream()
      await under.stored([stream, ...Array.from({ length: 450 }, (_, index) => event({ index }))])
      for await (const page of under.store.readBack(stream)) {
        expect(page[0]?.data).toEqual({ index: 449 })
        break
      }
    })
  })

  describe('readAll', () => {
    it('gives the events of the categories in log order', async () => {
      const [one, two, three] = [newStream(), newStream(), newStream()]
      const [a, b, c, d, e] = [event(), event(), event(), event(), event()]
      await under.stored([one, a], [two, b, c], [three, d])
      accepted(await under.store.append(one, 0n, [e]))
      const found = await readLog(under.store, beginning, [category(one), category(two)])
      expect(found.map(({ id }) => id)).toEqual([a, b, c, e].map(({ id }) => id))
      const positions = found.map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].sort())
      expect(positions.every((position) => position > beginning)).toBe(true)
    })

    it('takes the text before the first hyphen as the category, and all of it', async () => {
      const base = newCategory()
      const streams = [`${base}-1`, `${base}-1-2`, `${base}X-1`, `x${base}-1`, `${base.toUpperCase()}-1`]
      await under.stored(...streams.map((stream): [string, NewEvent] => [stream, event()]))
      const found = await readLog(under.store, beginning, [base])
      expect(found.map(({ stream }) => stream)).toEqual([`${base}-1`, `${base}-1-2`])
      expect(await readLog(under.store, beginning, [`${base}-1`, '', '%', `${base.slice(0, -1)}_`])).toEqual([])
      expect(await readLog(under.store, beginning, [])).toEqual([])
    })

    it('goes on after any position, also between two events of one append', async () => {
      const stream = newStream()
      await under.stored([stream, event(), event(), event()])
      const all = await readLog(under.store, beginning, [category(stream)])
      for (const [index, { position }] of all.entries())
        expect(await readLog(under.store, position, [category(stream)])).toEqual(all.slice(index + 1))
    })

    it('gives pages, and a place to go on from with each', async () => {
      const stream = newStream()
      await under.stored([stream, ...Array.from({ length: 4500 }, () => event())])
      const all = await readLog(under.store, beginning, [category(stream)])
      expect(all).toHaveLength(4500)
      let at = beginning
      const seen: RecordedEvent[] = []
      for (let pages = 0; seen.length < all.length; pages++) {
        expect(pages).toBeLessThan(100)
        for await (const { events, upTo, live } of under.store.readAll(at, { categories: [category(stream)] })) {
          expect(live).toBe(false)
          expect(upTo > at).toBe(true)
          seen.push(...events)
          at = upTo
          break
        }
      }
      expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    })

    it('moves upTo on where nothing matches, and yields nothing at the end of the log', async () => {
      const position = await under.stored([newStream(), event(), event()])
      let at = beginning
      for await (const { events, upTo } of under.store.readAll(beginning, { categories: [newCategory()] })) {
        expect(events).toEqual([])
        at = upTo
      }
      expect(at >= position).toBe(true)
      for await (const batch of under.store.readAll(at, { categories: [newCategory()] }))
        expect.fail(`passed ${batch.upTo}`)
    })

    it('refuses a position that it has not printed', async () => {
      await expect(readLog(under.store, 'position of another store' as Position, [newCategory()])).rejects.toThrow()
    })
  })
}
