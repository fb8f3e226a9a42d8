import { expect, it } from 'vitest'
import { productionTimings } from '../../timings.ts'
import { fullPace, slowedBy, takeAny, takeFirst, waitForAny, waitForFirst } from './line-pace.ts'

const paceAt = (start = 1000) => {
  const clock = { at: start }
  const timings = {
    ...productionTimings,
    messagePace: { burst: 3, interval: 1000 },
    firstContactPace: { burst: 2, interval: 30_000 },
    restricted: 900_000,
    tooFast: 60_000,
  }
  let state = fullPace(timings, clock.at)
  const pace = {
    wait: () => waitForAny(state, timings, clock.at, Math.random()),
    waitForFirst: () => waitForFirst(state, timings, clock.at),
    take() {
      state = takeAny(state, timings, clock.at)
    },
    takeFirst() {
      const taken = takeFirst(state, timings, clock.at)
      state = taken ?? state
      return taken !== undefined
    },
    refused(code: string) {
      state = slowedBy(state, code, timings, clock.at)
    },
  }
  return { clock, pace }
}

it('a first message takes a place of the first messages, and one of all messages', () => {
  const { clock, pace } = paceAt()
  expect([pace.takeFirst(), pace.takeFirst()]).toEqual([true, true])
  expect(pace.waitForFirst()).toBe(30_000)
  expect(pace.wait()).toBe(0)
  pace.take()
  expect(pace.wait()).toBeGreaterThanOrEqual(1000)
  clock.at += 29_999
  expect(pace.waitForFirst()).toBe(1)
  clock.at += 1
  expect([pace.takeFirst(), pace.takeFirst()]).toEqual([true, false])
})

it('a first message that has no place uses up nothing', () => {
  const { clock, pace } = paceAt()
  pace.takeFirst()
  pace.takeFirst()
  for (let attempt = 0; attempt < 5; attempt++) expect(pace.takeFirst()).toBe(false)
  expect(pace.wait()).toBe(0)
  clock.at += 30_000
  expect(pace.takeFirst()).toBe(true)
})

it('messages to people who are known use up no place of a first message', () => {
  const { pace } = paceAt()
  for (let count = 0; count < 3; count++) pace.take()
  expect(pace.wait()).toBeGreaterThan(0)
  expect(pace.waitForFirst()).toBe(0)
})

it('waits up to half as long again, and never less, as people do not write to the beat', () => {
  const { pace } = paceAt()
  for (let count = 0; count < 3; count++) pace.take()
  const waits = Array.from({ length: 200 }, () => pace.wait())
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(1500)
  expect(new Set(waits).size).toBeGreaterThan(1)
})

it('holds first messages alone when the number is restricted, and all messages when it writes too fast', () => {
  const { clock, pace } = paceAt()
  pace.refused('463')
  expect(pace.waitForFirst()).toBe(900_000)
  expect(pace.takeFirst()).toBe(false)
  expect(pace.wait()).toBe(0)
  pace.refused('429')
  expect(pace.wait()).toBeGreaterThanOrEqual(60_000)
  clock.at += 60_000
  expect(pace.wait()).toBe(0)
  clock.at += 840_000
  expect(pace.takeFirst()).toBe(true)
})
