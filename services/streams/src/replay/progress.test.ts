import { expect, it } from 'vitest'
import { progressLine } from './progress.ts'

const atFirst = { events: 0, share: 0 }
const end = Date.parse('2026-11-21T00:00:00.000Z')
const half = {
  events: 30_000,
  first: '2026-11-01T00:00:00.000Z',
  time: '2026-11-11T00:00:00.000Z',
  end,
  speed: undefined,
}

it('shows how much of the time is read, the rate and what is left', () => {
  expect(progressLine(half, atFirst, 10_000)).toBe(
    '██████████░░░░░░░░░░  50 % · 30.000 eventos · 3.000/s · até 2026-11-11 00:00 · faltam 10 s',
  )
})

it('counts what is left at the speed that was asked for', () => {
  expect(progressLine({ ...half, speed: 3600 }, atFirst, 10_000)).toMatch(/faltam 4 min$/)
})

it('has no share without an end, and none before the first event', () => {
  expect(progressLine({ ...half, end: undefined }, atFirst, 1000)).toBe(
    '30.000 eventos · 30.000/s · até 2026-11-11 00:00',
  )
  expect(progressLine({ ...half, events: 0, time: undefined }, atFirst, 1000)).toBe('0 eventos · 0/s')
})
