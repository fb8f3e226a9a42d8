import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodesInCircles } from './circles.ts'

/** From each of these, wherever it leads, step by step. */
const comesBack = (id: string, targets: ReadonlyMap<string, readonly string[]>): boolean => {
  const reached = new Set(targets.get(id) ?? [])
  for (const each of reached) for (const target of targets.get(each) ?? []) reached.add(target)
  return reached.has(id)
}

const drawn = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.record({
    ids: fc.constant(Array.from({ length: count }, (_, index) => `n${index}`)),
    links: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 30 }),
  }),
)

it('finds each node from which one comes back to it, and no other', () => {
  fc.assert(
    fc.property(drawn, ({ ids, links }) => {
      const targets = new Map<string, string[]>()
      for (const [source, target] of links)
        targets.set(`n${source}`, [...(targets.get(`n${source}`) ?? []), `n${target}`])
      expect([...nodesInCircles(ids, targets)].toSorted()).toEqual(
        ids.filter((id) => comesBack(id, targets)).toSorted(),
      )
    }),
    { numRuns: 500 },
  )
})

it('goes along a chain of any length', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `n${index}`)
  const targets = new Map(ids.map((id, index) => [id, [`n${index + 1}`]]))
  expect(nodesInCircles(ids, targets).size).toBe(0)
  targets.set('n19999', ['n0'])
  expect(nodesInCircles(ids, targets).size).toBe(ids.length)
})

it('looks at each node and each link once', () => {
  const count = 1000
  const ids = Array.from({ length: count }, (_, index) => `n${index}`)
  let looks = 0
  const links = new Map(ids.map((id, index) => [id, [1, 2, 3].map((by) => `n${(index * 7 + by * 131) % count}`)]))
  const targets = {
    get: (id: string) => {
      looks += 1
      return links.get(id)
    },
  } as ReadonlyMap<string, readonly string[]>
  nodesInCircles(ids, targets)
  expect(looks).toBeLessThanOrEqual(2 * count)
})
