import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Box, pathOf, routed, type Side } from './route.ts'

const box = (x: number, y: number, width = 240, height = 105): Box => ({ x, y, width, height })

const parts = (points: readonly { x: number; y: number }[]) =>
  points.slice(1).map((to, at) => ({ from: points[at] ?? to, to }))

const isBehind = (points: readonly { x: number; y: number }[], { x, y, width, height }: Box) =>
  parts(points).some(
    ({ from, to }) =>
      Math.max(from.x, to.x) > x &&
      Math.min(from.x, to.x) < x + width &&
      Math.max(from.y, to.y) > y &&
      Math.min(from.y, to.y) < y + height,
  )

describe('a line between two steps', () => {
  const source = box(0, 0)
  const below = { from: { x: 120, y: 105 }, side: 'bottom' as Side }
  const right = { from: { x: 240, y: 50 }, side: 'right' as Side }

  it('is straight, or has one corner, where nothing is in between', () => {
    expect(routed(below.from, 'bottom', { x: 120, y: 200 }, [source, box(0, 200)])).toEqual([
      below.from,
      { x: 120, y: 200 },
    ])
    expect(routed(right.from, 'right', { x: 420, y: 200 }, [source, box(300, 200)])).toEqual([
      right.from,
      { x: 420, y: 50 },
      { x: 420, y: 200 },
    ])
  })

  it('goes around a step in between', () => {
    const between = box(0, 200)
    const target = box(0, 400)
    const points = routed(below.from, 'bottom', { x: 120, y: 400 }, [source, between, target])
    expect(points.length).toBeGreaterThan(2)
    for (const each of [source, between, target]) expect(isBehind(points, each)).toBe(false)
  })

  it('goes back up beside the steps that it leads around', () => {
    const steps = [source, box(0, 200), box(0, 400)]
    const points = routed({ x: 240, y: 450 }, 'right', { x: 120, y: 0 }, steps)
    for (const each of steps) expect(isBehind(points, each)).toBe(false)
    expect(points.at(-2)).toEqual({ x: 120, y: -15 })
  })

  it('finds its way into a step right below another', () => {
    const steps = [source, box(300, 200), box(300, 317)]
    const points = routed({ x: 120, y: 105 }, 'bottom', { x: 420, y: 311 }, steps)
    for (const each of steps) expect(isBehind(points, each)).toBe(false)
  })

  it('leaves a step where others of the same step do not', () => {
    const steps = [source, box(-300, 400)]
    const [one, other] = [0, 1].map((lane) =>
      routed({ x: 0, y: 40 + 26 * lane }, 'left', { x: -180, y: 400 }, steps, lane),
    )
    expect(one?.[1]).not.toEqual(other?.[1])
    expect(routed({ x: 240, y: 40 }, 'right', { x: -180, y: 400 }, steps, 2)[1]?.x).toBe(240 + 15 + 14)
  })

  it('is drawn at once where there is no way, as when steps lie on each other', () => {
    expect(routed(below.from, 'bottom', { x: 120, y: 90 }, [source, box(0, 90)]).length).toBeGreaterThan(1)
    expect(
      routed(below.from, 'bottom', { x: 120, y: 105 }, [box(-9000, -9000, 18_000, 18_000)]).length,
    ).toBeGreaterThan(1)
  })

  it('is behind no step of any drawing on a grid, and has right angles', () => {
    const cell = fc.record({ column: fc.integer({ min: 0, max: 4 }), row: fc.integer({ min: 0, max: 4 }) })
    const drawing = fc.uniqueArray(cell, {
      minLength: 2,
      maxLength: 20,
      selector: ({ column, row }) => `${column} ${row}`,
    })
    const sides = fc.constantFrom<Side>('left', 'right', 'bottom')
    fc.assert(
      fc.property(drawing, sides, fc.integer({ min: 0, max: 3 }), (cells, side, lane) => {
        const boxes = cells.map(({ column, row }) => box(column * 345, row * 195))
        const [from, to] = boxes
        if (!from || !to) return
        const start = {
          left: { x: from.x, y: from.y + 50 },
          right: { x: from.x + 240, y: from.y + 50 },
          bottom: { x: from.x + 120, y: from.y + 105 },
        }[side]
        const points = routed(start, side, { x: to.x + 120, y: to.y }, boxes, lane)
        for (const each of boxes) expect(isBehind(points, each)).toBe(false)
        for (const part of parts(points)) expect(part.from.x === part.to.x || part.from.y === part.to.y).toBe(true)
        expect(points.at(-1)).toEqual({ x: to.x + 120, y: to.y })
        expect(pathOf(points)).not.toContain('NaN')
      }),
      { numRuns: 400 },
    )
  })

  it('costs no search beyond its limit in a crowd', () => {
    const crowd = Array.from({ length: 900 }, (_, at) => box((at % 30) * 260, Math.floor(at / 30) * 120))
    const points = routed({ x: 120, y: 105 }, 'bottom', { x: 7600, y: 3480 }, crowd)
    expect(points.length).toBeGreaterThan(1)
  })
})
