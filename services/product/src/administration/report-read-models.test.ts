import { expect, it } from 'vitest'
import { progressOf } from './report-read-models.ts'

const second = (seconds: number) => new Date(Date.UTC(2026, 10, 23, 12, 0, seconds))
const nothing = { beganAt: null, beganDone: null, done: null, total: null, reportedAt: null }
const building = { beganAt: second(0), beganDone: 0, done: 0, total: 1000, reportedAt: second(0) }

it('what is not being built has no progress', () => expect(progressOf(nothing)).toBeNull())

it('nothing is promised before anything was done', () =>
  expect(progressOf(building)).toEqual({ percent: 0, secondsLeft: null }))

it('the rest is estimated from the speed since it began, or went on', () => {
  expect(progressOf({ ...building, done: 250, reportedAt: second(5) })).toEqual({ percent: 25, secondsLeft: 15 })
  expect(progressOf({ ...building, beganDone: 500, done: 750, reportedAt: second(5) })).toEqual({
    percent: 75,
    secondsLeft: 5,
  })
})

it('is never beyond the whole, also when the log was shorter than believed', () => {
  expect(progressOf({ ...building, done: 1200, reportedAt: second(5) })).toEqual({ percent: 100, secondsLeft: 0 })
  expect(progressOf({ ...building, total: 0, reportedAt: second(5) })).toEqual({ percent: 100, secondsLeft: 0 })
})
