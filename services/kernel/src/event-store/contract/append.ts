import { describe, expect, it } from 'vitest'
import type { Json } from '../../json.ts'
import { beginning, type ExpectedRevision, InvalidAppend, type NewEvent } from '../port.ts'
import { accepted, category, event, idsOf, newStream, readLog, readStream } from './samples.ts'
import type { UnderTest } from './under-test.ts'

export const appendContract = (under: UnderTest): void => {
  describe('append', () => {
    it('stores events at consecutive revisions, from 0 on', async () => {
      const stream = newStream()
      const first = accepted(await under.store.append(stream, 'no_stream', [event(), event()]))
      expect(first).toMatchObject({ revision: 1n, repeated: false })
      const second = accepted(await under.store.append(stream, 1n, [event()]))
      expect(second).toMatchObject({ revision: 2n, repeated: false })
      expect((await readStream(under.store, stream)).map(({ revision }) => revision)).toEqual([0n, 1n, 2n])
    })

    it('answers with the position that the last event has in the log', async () => {
      const stream = newStream()
      const { position } = accepted(await under.store.append(stream, 'no_stream', [event(), event(), event()]))
      const found = await readLog(under.store, beginning, [category(stream)])
      expect(found.map((each) => each.position).at(-1)).toBe(position)
      expect(await readStream(under.store, stream)).toEqual(found)
    })

    it('lets one of 20 win that create the same stream at once', async () => {
      const stream = newStream()
      const another = (await under.another()) ?? under.store
      const events = Array.from({ length: 20 }, () => event())
      const results = await Promise.all(
        events.map((each, index) => (index % 2 ? another : under.store).append(stream, 'no_stream', [each])),
      )
      const winners = events.filter((_, index) => results[index]?.ok)
      expect(winners).toHaveLength(1)
      expect(results.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 19 }, () => ({ ok: false, actual: 0n })))
      expect(await idsOf(under.store, stream)).toEqual(winners.map(({ id }) => id))
    })

    it('refuses a stream that exists where none was expected, and returns where it stands', async () => {
      const stream = newStream()
      await under.stored([stream, event(), event()])
      expect(await under.store.append(stream, 'no_stream', [event()])).toEqual({ ok: false, actual: 1n })
    })

    it.each([0n, 1n, 3n, 1000n, 2n ** 62n])('refuses revision %s of a stream that stands at 2', async (expected) => {
      const stream = newStream()
      await under.stored([stream, event(), event(), event()])
      expect(await under.store.append(stream, expected, [event()])).toEqual({ ok: false, actual: 2n })
      expect(await idsOf(under.store, stream)).toHaveLength(3)
    })

    it.each([0n, 7n])('refuses revision %s of a stream that does not exist', async (expected) => {
      expect(await under.store.append(newStream(), expected, [event()])).toEqual({ ok: false, actual: 'no_stream' })
    })

    it('stores all events of an append or none', async () => {
      const stream = newStream()
      await under.stored([stream, event()])
      const many = Array.from({ length: 500 }, () => event())
      expect(await under.store.append(stream, 'no_stream', many)).toEqual({ ok: false, actual: 0n })
      expect(await idsOf(under.store, stream)).toHaveLength(1)
      expect(accepted(await under.store.append(stream, 0n, many)).revision).toBe(500n)
      expect((await idsOf(under.store, stream)).slice(1)).toEqual(many.map(({ id }) => id))
    })

    it('keeps conflicts apart from the appends of others at the same moment', async () => {
      const taken = Array.from({ length: 50 }, newStream)
      const free = Array.from({ length: 50 }, newStream)
      await Promise.all(taken.map((stream) => under.stored([stream, event()])))
      const results = await Promise.all(
        taken.flatMap((stream, index) => [
          under.store.append(stream, 'no_stream', [event()]),
          under.store.append(free[index] ?? '', 'no_stream', [event(), event()]),
        ]),
      )
      expect(results.map(({ ok }) => ok)).toEqual(taken.flatMap(() => [false, true]))
    })

    it('gives many appends to one stream, sent together, the order in which they were sent', async () => {
      const stream = newStream()
      const events = Array.from({ length: 30 }, () => event())
      const results = await Promise.all(
        events.map((each, index) => under.store.append(stream, index === 0 ? 'no_stream' : BigInt(index - 1), [each])),
      )
      expect(results.every(({ ok }) => ok)).toBe(true)
      expect(await idsOf(under.store, stream)).toEqual(events.map(({ id }) => id))
    })
  })

  describe('a repeated append', () => {
    it('is a success that changes nothing', async () => {
      const stream = newStream()
      const events = [event(), event()]
      const first = accepted(await under.store.append(stream, 'no_stream', events))
      expect(await under.store.append(stream, 'no_stream', events)).toEqual({ ...first, repeated: true })
      expect(await idsOf(under.store, stream)).toEqual(events.map(({ id }) => id))
    })

    it('is recognised at an exact revision, also after others came', async () => {
      const stream = newStream()
      await under.stored([stream, event()])
      const events = [event(), event()]
      const first = accepted(await under.store.append(stream, 0n, events))
      await under.store.append(stream, 2n, [event(), event(), event()])
      await under.stored([newStream(), event()])
      expect(await under.store.append(stream, 0n, events)).toEqual({ ...first, repeated: true })
      expect(await idsOf(under.store, stream)).toHaveLength(6)
    })

    it('is recognised by a prefix of its ids', async () => {
      const stream = newStream()
      const [first, second, third] = [event(), event(), event()]
      await under.stored([stream, first, second, third])
      const all = await readStream(under.store, stream)
      expect(await under.store.append(stream, 'no_stream', [first, second])).toEqual({
        ok: true,
        revision: 1n,
        position: all[1]?.position,
        repeated: true,
      })
    })

    it('is recognised by ids alone and leaves the first data as they are', async () => {
      const stream = newStream()
      const first = event({ isFirst: true })
      await under.stored([stream, first])
      const changed = { ...event({ isFirst: false }), id: first.id }
      expect(await under.store.append(stream, 'no_stream', [changed])).toMatchObject({ ok: true, repeated: true })
      expect((await readStream(under.store, stream)).map(({ data }) => data)).toEqual([{ isFirst: true }])
    })

    it('is recognised while the first is still under way', async () => {
      const stream = newStream()
      const events = [event(), event()]
      const results = await Promise.all(
        Array.from({ length: 5 }, () => under.store.append(stream, 'no_stream', events)),
      )
      expect(results.filter((result) => accepted(result).repeated)).toHaveLength(4)
      expect(await idsOf(under.store, stream)).toHaveLength(2)
    })

    it('is a conflict when only some of the ids stand there, or in another order', async () => {
      const stream = newStream()
      const [first, second] = [event(), event()]
      await under.stored([stream, first, second])
      const conflict = { ok: false, actual: 1n }
      expect(await under.store.append(stream, 'no_stream', [first, second, event()])).toEqual(conflict)
      expect(await under.store.append(stream, 'no_stream', [first, event()])).toEqual(conflict)
      expect(await under.store.append(stream, 'no_stream', [second, first])).toEqual(conflict)
      expect(await under.store.append(stream, 'no_stream', [second])).toEqual(conflict)
      expect(await under.store.append(stream, 0n, [first])).toEqual(conflict)
      expect(await idsOf(under.store, stream)).toEqual([first.id, second.id])
    })

    it('is an append of its own in another stream', async () => {
      const [one, other] = [newStream(), newStream()]
      const same = event()
      await under.stored([one, same])
      expect(await under.store.append(other, 'no_stream', [same])).toMatchObject({ ok: true, repeated: false })
    })
  })

  describe('a malformed append', () => {
    const refuse = async (stream: string, events: NewEvent[], expected: ExpectedRevision = 'no_stream') => {
      await expect(under.store.append(stream, expected, events)).rejects.toThrow(InvalidAppend)
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
      expect(await under.store.append(stream, 'no_stream', [nearly])).toMatchObject({ ok: true })
      expect((await readStream(under.store, stream))[0]?.data).toEqual(nearly.data)
    })

    it('leaves nothing behind and does no harm to its neighbours', async () => {
      const [bad, good] = [newStream(), newStream()]
      const results = await Promise.allSettled([
        under.store.append(bad, 'no_stream', [event(), { ...event(), type: '' }]),
        under.store.append(good, 'no_stream', [event()]),
      ])
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
      expect(await idsOf(under.store, bad)).toEqual([])
    })
  })
}
