import { expect, it } from 'vitest'
import { keyMemory } from './key-memory.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `name ${index}`)

it('forgets what was used longest ago, and keeps what is used again and again', () => {
  const memory = keyMemory(10_000)
  memory.set('used', 'a text')
  memory.set('never used again', 'a text')
  for (const name of names(100)) {
    memory.set(name, 'x'.repeat(100))
    memory.get('used')
  }
  expect(memory.get('used')).toBe('a text')
  expect(memory.get('never used again')).toBeUndefined()
  expect(memory.get('name 0')).toBeUndefined()
  expect(memory.get('name 99')).toBe('x'.repeat(100))
})

it('holds no more than it may, whether texts are many, long, replaced or deleted', () => {
  const memory = keyMemory(10_000)
  const held = () => names(1000).reduce((sum, name) => sum + (memory.get(name)?.length ?? 0), 0)
  for (const length of [1, 3000, 10, 500]) {
    for (const name of names(1000)) memory.set(name, 'x'.repeat(length))
    expect(held()).toBeLessThan(10_000)
    expect(memory.get('name 999')).toHaveLength(length)
  }
  for (const name of names(1000)) memory.delete(name)
  expect(held()).toBe(0)
  for (const name of names(10)) memory.set(name, 'x'.repeat(800))
  expect(held()).toBe(8000)
})

it('keeps nothing that is larger than all it may hold', () => {
  const memory = keyMemory(1000)
  memory.set('large', 'x'.repeat(2000))
  expect(memory.get('large')).toBeUndefined()
  memory.set('small', 'x')
  expect(memory.get('small')).toBe('x')
})
