import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextWarningAt, warnedPercentOf } from './plan.ts'

it.each([
  [0, 100, undefined],
  [79, 100, undefined],
  [80, 100, 80],
  [99, 100, 80],
  [100, 100, 100],
  [250, 100, 100],
  [2, 3, undefined],
  [3, 3, 100],
  [1, 1, 100],
  [0, 0, undefined],
  [5, 0, undefined],
  [9_999_999, null, undefined],
])('%d of %s warns of %s', (used, limit, percent) => expect(warnedPercentOf({ used, limit })).toBe(percent))

it('nothing changes before the next warning, and something does at it', () =>
  fc.assert(
    fc.property(fc.nat(20_000), fc.option(fc.nat(10_000)), (used, limit) => {
      const next = nextWarningAt({ used, limit })
      expect(next).toBeGreaterThan(used)
      const now = warnedPercentOf({ used, limit })
      const isLast = next === Number.POSITIVE_INFINITY
      expect(warnedPercentOf({ used: isLast ? 10 ** 9 : next - 1, limit })).toBe(now)
      if (!isLast) expect(warnedPercentOf({ used: next, limit })).not.toBe(now)
    }),
  ))
