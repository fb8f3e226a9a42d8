import { randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { StoreUnavailable } from '../../async/reachability.ts'
import { shortOrLong } from '../../testing/long-form.ts'
import { beginning, type EventStore } from '../port.ts'
import { accepted, event, idsOf, newCategory, newStream, readLog } from './samples.ts'
import type { UnderTest } from './under-test.ts'

export const wholeContract = (under: UnderTest): void => {
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
          const existing = model.get(stream) ?? []
          const expected = round.current ? existing.length - 1 : round.expected
          const result = await under.store.append(
            stream,
            expected === -1 ? 'no_stream' : BigInt(expected),
            round.ids.map((id) => ({ ...event(), id })),
          )
          const last = BigInt(expected + round.ids.length)
          if (expected === existing.length - 1) {
            expect(result).toMatchObject({ ok: true, revision: last, repeated: false })
            model.set(stream, [...existing, ...round.ids])
            log.push(...round.ids)
          } else if (round.ids.every((id, index) => existing[expected + 1 + index] === id)) {
            expect(result).toMatchObject({ ok: true, revision: last, repeated: true })
          } else {
            expect(result).toEqual({
              ok: false,
              actual: existing.length === 0 ? 'no_stream' : BigInt(existing.length - 1),
            })
          }
        }
        for (const [stream, existing] of model) expect(await idsOf(under.store, stream)).toEqual(existing)
        expect((await readLog(under.store, beginning, [categoryName])).map(({ id }) => id)).toEqual(log)
      }),
      { numRuns: shortOrLong(15, 40) },
    )
  })

  it(`shows a live subscriber ${under.appends} appends of 8 writers, none missed, doubled or out of order`, async () => {
    const writers = [under.store, (await under.another()) ?? under.store]
    const categories = [newCategory(), newCategory()]
    const start = await under.stored([newStream(), event()])
    const { appends } = under
    const linesEach = appends / 8 / 125
    const stop = new AbortController()
    const seen = { count: 0, at: start, disorder: 0, revisions: new Map<string, bigint>() }

    const subscriber = (async () => {
      for await (const { events, upTo } of under.store.subscribe(start, { categories }, stop.signal)) {
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
      const lines = Array.from({ length: linesEach }, () => line(writers[index % 2] ?? under.store, 125))
      await Promise.all(lines)
    }
    await Promise.all(Array.from({ length: 8 }, (_, index) => write(index)))
    await subscriber

    expect(seen.count).toBe(appends)
    expect(seen.disorder).toBe(0)
    expect([...seen.revisions.values()]).toEqual(Array.from({ length: 8 * linesEach }, () => 124n))
  }, 240_000)

  it('settles the appends under way when it closes, ends subscriptions, and then refuses', async () => {
    const own = await under.open()
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
    await expect(own.store.append(newStream(), 'no_stream', [event()])).rejects.toThrow(StoreUnavailable)
  })
}
