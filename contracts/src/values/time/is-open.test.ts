import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOpen, minutesOf, nextOpening } from './is-open.ts'
import type { OpenInterval, OpeningHours } from './opening-hours.ts'
import { timeZones } from './time-zone.ts'

const shop = (change: Partial<OpeningHours> = {}): OpeningHours => {
  const day = [
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '18:00' },
  ]
  return {
    timeZone: 'America/Sao_Paulo',
    week: [[], day, day, day, day, day, [{ from: '09:00', to: '13:00' }]],
    holidays: [],
    ...change,
  }
}
const bar = (timeZone = 'America/Sao_Paulo'): OpeningHours => {
  const evening = { from: '18:00', to: '24:00' }
  const night = { from: '00:00', to: '02:00' }
  return { timeZone, week: [[night], [], [], [], [], [evening], [night, evening]], holidays: [] }
}

describe('opening hours', () => {
  it.each([
    ['2026-11-27T10:59:59.999Z', false],
    ['2026-11-27T11:00:00.000Z', true],
    ['2026-11-27T15:00:00.000Z', false],
    ['2026-11-27T16:00:00.000Z', true],
    ['2026-11-27T20:59:59.999Z', true],
    ['2026-11-27T21:00:00.000Z', false],
    ['2026-11-28T15:59:00.000Z', true],
    ['2026-11-29T15:00:00.000Z', false],
  ])('hold from their first minute until their last: at %s it is %s', (instant, expected) =>
    expect(isOpen(shop(), instant)).toBe(expected),
  )

  it('are those of the zone: the same moment is morning in one and night in the other', () => {
    const instant = '2026-11-27T12:30:00.000Z'
    expect(isOpen(shop({ timeZone: 'America/Noronha' }), instant)).toBe(true)
    expect(isOpen(shop({ timeZone: 'America/Rio_Branco' }), instant)).toBe(false)
    expect(nextOpening(shop({ timeZone: 'America/Rio_Branco' }), instant)).toBe('2026-11-27T13:00:00.000Z')
  })

  it('open again after the break, the night, the weekend and the holiday', () => {
    expect(nextOpening(shop(), '2026-11-27T15:30:00.000Z')).toBe('2026-11-27T16:00:00.000Z')
    expect(nextOpening(shop(), '2026-11-26T23:00:00.000Z')).toBe('2026-11-27T11:00:00.000Z')
    expect(nextOpening(shop(), '2026-11-28T16:00:00.000Z')).toBe('2026-11-30T11:00:00.000Z')
    const christmas = { date: '2026-12-25', name: 'Natal', intervals: [] }
    expect(nextOpening(shop({ holidays: [christmas] }), '2026-12-25T12:00:00.000Z')).toBe('2026-12-26T12:00:00.000Z')
    const half = { date: '2026-12-24', name: 'Véspera', intervals: [{ from: '08:00', to: '11:00' }] }
    expect(isOpen(shop({ holidays: [half] }), '2026-12-24T14:00:00.000Z')).toBe(false)
    expect(isOpen(shop({ holidays: [half] }), '2026-12-24T13:59:00.000Z')).toBe(true)
  })

  it('go on over midnight where one day ends with it and the next begins with it', () => {
    for (const instant of ['2026-11-28T02:59:59.000Z', '2026-11-28T03:00:00.000Z', '2026-11-28T04:59:00.000Z'])
      expect(isOpen(bar(), instant)).toBe(true)
    expect(nextOpening(bar(), '2026-11-28T05:00:00.000Z')).toBe('2026-11-28T21:00:00.000Z')
  })

  it('begin with the change of the clocks where it passes over their beginning', () => {
    // Midnight became 01:00.
    const sundays = { ...shop(), week: [[{ from: '00:00', to: '04:00' }], [], [], [], [], [], []] }
    expect(nextOpening(sundays, '2018-11-03T20:00:00.000Z')).toBe('2018-11-04T03:00:00.000Z')
    expect(isOpen(sundays, '2018-11-04T05:59:00.000Z')).toBe(true)
    expect(isOpen(sundays, '2018-11-04T06:00:00.000Z')).toBe(false)
  })

  it('hold twice where clocks show an hour twice', () => {
    // Midnight became 23:00.
    const saturdays = { ...shop(), week: [[], [], [], [], [], [], [{ from: '22:00', to: '23:30' }]] }
    expect(isOpen(saturdays, '2019-02-17T01:29:00.000Z')).toBe(true)
    expect(isOpen(saturdays, '2019-02-17T01:45:00.000Z')).toBe(false)
    expect(nextOpening(saturdays, '2019-02-17T01:45:00.000Z')).toBe('2019-02-17T02:00:00.000Z')
    expect(isOpen(saturdays, '2019-02-17T02:29:00.000Z')).toBe(true)
  })

  it('never come where no day has any', () =>
    expect(nextOpening(shop({ week: [[], [], [], [], [], [], []] }), '2026-11-27T12:00:00.000Z')).toBeNull())

  it('come after as many holidays in a row as there are', () => {
    const mondays = { ...shop(), week: [[], [{ from: '08:00', to: '09:00' }], [], [], [], [], []] }
    const first = Date.UTC(2026, 10, 30)
    const holidays = Array.from({ length: 100 }, (_, week) => ({
      date: new Date(first + week * 7 * 24 * 3_600_000).toISOString().slice(0, 10),
      name: '',
      intervals: [],
    }))
    expect(nextOpening({ ...mondays, holidays }, '2026-11-29T12:00:00.000Z')).toBe('2028-10-30T11:00:00.000Z')
  })
})

const text = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const intervals: fc.Arbitrary<OpenInterval[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: 288 }), { minLength: 0, maxLength: 6 })
  .map((places) => {
    const sorted = places.toSorted((one, other) => one - other).map((place) => text(place * 5))
    return sorted.flatMap((from, index) => {
      const to = sorted[index + 1]
      return index % 2 === 0 && to !== undefined ? [{ from, to }] : []
    })
  })
const [since, until] = [Date.UTC(1985, 0, 1), Date.UTC(2035, 0, 1)]
const anyHours = fc
  .record({
    timeZone: fc.constantFrom(...timeZones.map(({ zone }) => zone)),
    week: fc.array(intervals, { minLength: 7, maxLength: 7 }),
    holidays: fc.array(
      fc.record({
        date: fc
          .date({ min: new Date(since), max: new Date(until), noInvalidDate: true })
          .map((day) => day.toISOString().slice(0, 10)),
        name: fc.constant(''),
        intervals,
      }),
      { maxLength: 5 },
    ),
  })
  .filter(({ week }) => week.some((day) => day.length > 0))
/** Half of the moments are near a clock change (until 2019). */
const anyMoment = fc.oneof(
  fc.integer({ min: since, max: until }),
  fc
    .record({
      year: fc.integer({ min: 1985, max: 2019 }),
      month: fc.constantFrom(9, 10, 1),
      hours: fc.integer({ min: 0, max: 28 * 24 }),
    })
    .map(({ year, month, hours }) => Date.UTC(year, month, 1, hours)),
)

describe('the next opening', () => {
  it('is open, is not in the past, and nothing before it is open, in every zone and year', () => {
    fc.assert(
      fc.property(
        anyHours,
        anyMoment,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        (hours, moment, places) => {
          const instant = new Date(moment).toISOString()
          const next = nextOpening(hours, instant)
          if (next === null) throw new Error('each of these weeks has some hours')
          expect(isOpen(hours, next)).toBe(true)
          expect(next >= instant).toBe(true)
          expect(next === instant).toBe(isOpen(hours, instant))
          const length = Date.parse(next) - moment
          const looked = [
            ...places.map((place) => place * length),
            ...[1, 60_000, 1_800_000, 3_599_999].map((ms) => length - ms),
          ]
          for (const after of looked)
            if (after >= 0 && after < length)
              expect(isOpen(hours, new Date(moment + Math.floor(after)).toISOString())).toBe(false)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('stays the same for every moment of one closed time', () => {
    fc.assert(
      fc.property(anyHours, anyMoment, fc.double({ min: 0, max: 1, noNaN: true }), (hours, moment, place) => {
        const next = nextOpening(hours, new Date(moment).toISOString())
        if (next === null) throw new Error('each of these weeks has some hours')
        const between = Math.floor(moment + place * (Date.parse(next) - moment))
        expect(nextOpening(hours, new Date(between).toISOString())).toBe(next)
      }),
      { numRuns: 100 },
    )
  })
})

it('reads clocks up to the end of the day', () =>
  expect(['00:00', '08:30', '24:00'].map(minutesOf)).toEqual([0, 510, 1440]))
