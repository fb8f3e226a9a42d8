import { expect, it } from 'vitest'
import { emptyRecentMap, type RecentMap, recentGet, recentSet, recentSize } from './recent-map.ts'

const capacity = 5000
const set = <V>(map: RecentMap<V>, key: string, value: V) => recentSet(map, key, value, capacity)
const filled = (count: number): RecentMap<number> => {
  let map = emptyRecentMap<number>()
  for (let index = 0; index < count; index++) map = set(map, `key ${index}`, index)
  return map
}
const missing = (map: RecentMap<number>, first: number, end: number) =>
  Array.from({ length: end - first }, (_, index) => first + index).filter(
    (index) => recentGet(map, `key ${index}`) !== index,
  )

it('gives back the value that was set last, wherever the key was set before', () => {
  let map = filled(4500)
  for (const index of [0, 2499, 2500, 4499]) expect(recentGet(map, `key ${index}`)).toBe(index)
  expect(recentGet(map, 'key 4500')).toBeUndefined()
  map = set(map, 'key 0', -1)
  expect(recentGet(map, 'key 0')).toBe(-1)
  map = set(map, 'key 0', -2)
  expect(recentGet(map, 'key 0')).toBe(-2)
})

it('surely holds as many as its capacity, and not many more', () => {
  for (const count of [5000, 5001, 7499, 7500, 7501, 12_345]) {
    const map = filled(count)
    expect(missing(map, count - capacity, count)).toEqual([])
    expect(recentSize(map)).toBeLessThanOrEqual(capacity + 2500)
  }
})

it('forgets what was set longest ago, and not what was set again', () => {
  let map = filled(capacity)
  for (let index = capacity; index < 4 * capacity; index++) {
    map = set(map, `key ${index}`, index)
    if (index % 100 === 0) map = set(map, 'key 1', 1)
  }
  expect(recentGet(map, 'key 0')).toBeUndefined()
  expect(recentGet(map, 'key 1')).toBe(1)
})

it('leaves every earlier map as it was', () => {
  const before = filled(2499)
  let after = before
  for (let index = 0; index < 6000; index++) after = set(after, `key ${index}`, -index)
  expect(missing(before, 0, 2499)).toEqual([])
  expect(recentGet(before, 'key 2499')).toBeUndefined()
  expect(recentGet(after, 'key 5')).toBe(-5)
})
