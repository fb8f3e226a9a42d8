import { describe, expect, it } from 'vitest'
import { beginning, type Position, PositionOfAnotherLog, type RecordedEvent } from '../port.ts'
import { event, newStream, readStream } from './samples.ts'
import type { UnderTest } from './under-test.ts'

export const readWholeContract = (under: UnderTest): void => {
  const readWhole = async (after: Position) => {
    const events: RecordedEvent[] = []
    for await (const batch of under.store.readWhole(after)) {
      events.push(...batch.events)
      expect(batch.upTo >= (batch.events.at(-1)?.position ?? '')).toBe(true)
    }
    return events
  }

  describe('readWhole', () => {
    it('gives the events of all streams once, in the order of the log, as their streams have them', async () => {
      const streams = [newStream(), newStream(), newStream('log'), newStream()]
      const before = await under.stored([newStream(), event()])
      for (const stream of streams) await under.stored([stream, ...Array.from({ length: 700 }, () => event())])
      const found = await readWhole(before)
      const expected = (await Promise.all(streams.map((stream) => readStream(under.store, stream)))).flat()
      expect(found.map(({ stream, revision, id }) => [stream, revision, id])).toEqual(
        expected.map(({ stream, revision, id }) => [stream, revision, id]),
      )
      expect(found[0]).toEqual(expected[0])
      const positions = found.map(({ position }) => position)
      expect(positions).toEqual(expected.map(({ position }) => position))
      const whole = (await readWhole(beginning)).map(({ position }) => position)
      expect(whole).toEqual(whole.toSorted())
      expect(whole.slice(-positions.length)).toEqual(positions)
      expect(await readWhole(positions.at(-1) ?? beginning)).toEqual([])
    })

    it('gives events of 900 kB, and refuses a position of another log', async () => {
      const before = await under.stored([newStream(), event()])
      for (let count = 0; count < 6; count++) await under.stored([newStream(), event({ text: 'x'.repeat(900_000) })])
      expect(await readWhole(before)).toHaveLength(6)
      await expect(readWhole('no position' as Position)).rejects.toThrow(PositionOfAnotherLog)
    })
  })
}
