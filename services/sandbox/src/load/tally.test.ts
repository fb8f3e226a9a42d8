import { expect, test } from 'vitest'
import { Direction } from './tally.ts'
import { answerOf, isAnswer, numberIn, questionOf } from './texts.ts'

test('reports what arrived once, twice or never, and how late', () => {
  const direction = new Direction(10)
  for (let number = 0; number < 10; number++) direction.leave(number, 1000 + number)
  for (let number = 0; number < 9; number++) expect(direction.arrive(number, 1010 + 2 * number)).toBe(true)
  expect(direction.arrive(3, 5000)).toBe(false)
  expect(direction.isComplete).toBe(false)
  expect(direction.report()).toEqual({
    sent: 10,
    arrived: 9,
    lost: 1,
    doubled: 1,
    late: { p50: 14, p99: 18, max: 18 },
  })
})

test('what never left cannot arrive', () => {
  const direction = new Direction(2)
  expect(direction.arrive(0, 1)).toBe(false)
  expect(direction.arrive(7, 1)).toBe(false)
  expect(direction.report()).toMatchObject({ sent: 0, arrived: 0, lost: 0, doubled: 0 })
})

test('the history in the end decides what was lost or doubled', () => {
  const direction = new Direction(3)
  for (let number = 0; number < 3; number++) direction.leave(number, 10)
  direction.arrive(0, 20)
  direction.recount(Uint8Array.of(2, 1, 0))
  expect(direction.report()).toMatchObject({ arrived: 2, lost: 1, doubled: 1 })
})

test('a message that is read once more after the history was counted is not doubled', () => {
  const direction = new Direction(2)
  for (let number = 0; number < 2; number++) direction.leave(number, 10)
  direction.arrive(0, 20)
  direction.recount(Uint8Array.of(1, 1))
  for (let number = 0; number < 2; number++) expect(direction.arrive(number, 30)).toBe(false)
  expect(direction.report()).toMatchObject({ arrived: 2, lost: 0, doubled: 0 })
})

test('messages of the driver are recognised, and nothing else', () => {
  expect([numberIn(questionOf(12)), numberIn(answerOf(12)), numberIn('oi 12')]).toEqual([12, 12, undefined])
  expect([isAnswer(questionOf(12)), isAnswer(answerOf(12))]).toEqual([false, true])
})
