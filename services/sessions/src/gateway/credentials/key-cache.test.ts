import { expect, it } from 'vitest'
import { keyCache } from './key-cache.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `name ${index}`)

it('forgets what was used longest ago, and keeps what is used again and again', () => {
  const cache = keyCache(10_000)
  cache.set('used', 'a text')
  cache.set('never used again', 'a text')
  for (const name of names(100)) {
    cache.set(name, 'x'.repeat(100))
    cache.get('used')
  }
  expect(cache.get('used')).toBe('a text')
  expect(cache.get('never used again')).toBeUndefined()
  expect(cache.get('name 0')).toBeUndefined()
  expect(cache.get('name 99')).toBe('x'.repeat(100))
})

it('holds no more than it may, whether texts are many, long, replaced or deleted', () => {
  const cache = keyCache(10_000)
  const characters = () => names(1000).reduce((sum, name) => sum + (cache.get(name)?.length ?? 0), 0)
  for (const length of [1, 3000, 10, 500]) {
    for (const name of names(1000)) cache.set(name, 'x'.repeat(length))
    expect(characters()).toBeLessThan(10_000)
    expect(cache.get('name 999')).toHaveLength(length)
  }
  for (const name of names(1000)) cache.delete(name)
  expect(characters()).toBe(0)
  for (const name of names(10)) cache.set(name, 'x'.repeat(800))
  expect(characters()).toBe(8000)
})

it('keeps nothing that is larger than all it may hold', () => {
  const cache = keyCache(1000)
  cache.set('large', 'x'.repeat(2000))
  expect(cache.get('large')).toBeUndefined()
  cache.set('small', 'x')
  expect(cache.get('small')).toBe('x')
})
