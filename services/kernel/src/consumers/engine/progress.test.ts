import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { positionOf } from '../../event-store/numeric-position.ts'
import { progress } from './progress.ts'

describe('progress', () => {
  it('stands before the first unfinished event, whatever is finished behind it', () => {
    const done = progress(positionOf(0))
    const [first, second, third] = [1, 2, 3].map((numeric) => done.begin(positionOf(numeric)))
    done.pass(positionOf(9))
    second?.()
    third?.()
    expect(done.reached()).toBe(positionOf(0))
    expect(done.unfinished()).toBe(1)
    first?.()
    expect(done.reached()).toBe(positionOf(9))
    expect(done.unfinished()).toBe(0)
  })

  it('follows what passes by while nothing is in hand', () => {
    const done = progress(positionOf(0))
    done.pass(positionOf(4))
    expect(done.reached()).toBe(positionOf(4))
    done.begin(positionOf(5))
    done.pass(positionOf(7))
    expect(done.reached()).toBe(positionOf(4))
  })

  it('never passes an unfinished event, and reaches the end once all are finished, in whatever order', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('begin' as const) },
      { weight: 1, arbitrary: fc.constant('pass' as const) },
      { weight: 4, arbitrary: fc.nat(1000) },
    )
    const holds = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const done = progress(positionOf(0))
      const open: { numeric: number; finish: () => void }[] = []
      let numeric = 0
      let reached = positionOf(0)
      const check = () => {
        expect(done.unfinished()).toBe(open.length)
        expect(done.reached() >= reached).toBe(true)
        reached = done.reached()
        for (const { numeric: unfinished } of open) expect(reached < positionOf(unfinished)).toBe(true)
      }
      const finish = (index: number) => {
        const [chosen] = open.splice(index % open.length, 1)
        chosen?.finish()
      }
      for (const next of steps) {
        if (next === 'begin') open.push({ numeric: ++numeric, finish: done.begin(positionOf(numeric)) })
        else if (next === 'pass') done.pass(positionOf(++numeric))
        else if (open.length > 0) finish(next)
        check()
      }
      while (open.length > 0) {
        finish(0)
        check()
      }
      expect(done.reached()).toBe(positionOf(numeric))
    })
    fc.assert(holds)
  })
})
