import { expect, it } from 'vitest'
import { saoPauloMonth } from './sao-paulo.ts'

it.each([
  ['2026-11-30T23:59:59.999Z', '2026-11-01T03:00:00.000Z', '2026-12-01T03:00:00.000Z'],
  ['2026-12-01T02:59:59.999Z', '2026-11-01T03:00:00.000Z', '2026-12-01T03:00:00.000Z'],
  ['2026-12-01T03:00:00.000Z', '2026-12-01T03:00:00.000Z', '2027-01-01T03:00:00.000Z'],
  ['2019-01-15T12:00:00.000Z', '2019-01-01T02:00:00.000Z', '2019-02-01T02:00:00.000Z'],
  ['2019-02-28T12:00:00.000Z', '2019-02-01T02:00:00.000Z', '2019-03-01T03:00:00.000Z'],
])('%s is in the month of São Paulo that begins at %s', (instant, from, until) =>
  expect(saoPauloMonth(instant)).toEqual({ from, until }),
)
