import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lruMap } from './lru-map.ts'

const capacity = 10
const call = fc.record({
  name: fc.constantFrom('get', 'set', 'delete'),
  key: fc.integer({ min: 0, max: 8 }),
  weight: fc.integer({ min: 0, max: 12 }),
})

/** Least recently used first. */
const slowly = (calls: readonly (typeof call extends fc.Arbitrary<infer C> ? C : never)[]) => {
  let entries: (readonly [key: number, weight: number])[] = []
  for (const { name, key, weight } of calls) {
    const found = entries.find(([each]) => each === key)
    const others = entries.filter(([each]) => each !== key)
    if (name === 'get' && found) entries = [...others, found]
    if (name === 'delete') entries = others
    if (name === 'set') {
      entries = [...others, [key, weight]]
      while (entries.reduce((sum, [, each]) => sum + each, 0) > capacity) entries = entries.slice(1)
    }
  }
  return entries
}

it('evicts as a list does that is sorted by use', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
      const map = lruMap<number, number>(capacity, (_, weight) => weight)
      for (const { name, key, weight } of calls) {
        if (name === 'get') map.get(key)
        if (name === 'set') map.set(key, weight)
        if (name === 'delete') map.delete(key)
      }
      const expected = slowly(calls)
      expect(map.keys()).toEqual(expected.map(([key]) => key))
      for (const [key, weight] of expected) expect(map.get(key)).toBe(weight)
    }),
  )
})
