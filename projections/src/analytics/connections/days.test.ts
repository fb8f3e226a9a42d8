import { saoPauloDay } from '@prosa/contracts/values/time/sao-paulo'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { daysOf, type Observed } from './days.ts'

const begin = Date.UTC(2026, 8, 1, 1, 30)
const minute = 60_000
const instant = (minutes: number) => new Date(begin + minutes * minute).toISOString()

const drawn = fc
  .record({
    lives: fc.integer({ min: 1, max: 6000 }),
    isRemoved: fc.boolean(),
    cuts: fc.uniqueArray(fc.integer({ min: 0, max: 6000 }), { maxLength: 12 }),
    isInterruption: fc.boolean(),
  })
  .map(({ lives, isRemoved, cuts, isInterruption }) => {
    const inside = cuts.filter((cut) => cut < lives).sort((one, other) => one - other)
    const online = []
    for (let index = 0; index < inside.length; index += 2) {
      const until = inside[index + 1]
      const isOver = until !== undefined || isRemoved
      online.push({ from: inside[index] ?? 0, until: isOver ? (until ?? lives) : null, isInterruption })
    }
    return { lives, isRemoved, online }
  })

it('days hold what a count minute by minute holds', () => {
  fc.assert(
    fc.property(drawn, fc.integer({ min: 0, max: 3000 }), ({ lives, isRemoved, online }, more) => {
      const now = instant(lives + (isRemoved ? more : 0))
      const observed: Observed = {
        addedAt: instant(0),
        removedAt: isRemoved ? instant(lives) : null,
        online: online.map(({ from, until, isInterruption }) => ({
          from: instant(from),
          until: until === null ? null : instant(until),
          isInterruption,
        })),
      }
      const counted = new Map<string, { observed: number; online: number; interruptions: number }>()
      const of = (at: number) => {
        const name = saoPauloDay(instant(at)).name
        const known = counted.get(name) ?? { observed: 0, online: 0, interruptions: 0 }
        counted.set(name, known)
        return known
      }
      for (let at = 0; at < lives; at++) {
        const day = of(at)
        day.observed += 60
        if (online.some(({ from, until }) => from <= at && at < (until ?? lives))) day.online += 60
      }
      for (const { until, isInterruption } of online) if (until !== null && isInterruption) of(until).interruptions++
      const days = [...daysOf(observed, instant(0), now)].filter(
        ({ observedSeconds, interruptions }) => observedSeconds > 0 || interruptions > 0,
      )
      expect(
        days.map(({ day, observedSeconds, onlineSeconds, interruptions }) => [
          day,
          { observed: observedSeconds, online: onlineSeconds, interruptions },
        ]),
      ).toEqual([...counted])
      for (const { day, isComplete, updatedAt } of days) {
        expect(isComplete).toBe(isRemoved || saoPauloDay(now).name > day)
        expect(updatedAt <= now).toBe(true)
      }
    }),
  )
})
