import { describe, expect, it } from 'vitest'
import {
  clearEntries,
  type Entries,
  entryOf,
  missingOf,
  NotAtHand,
  noEntries,
  requireEntries,
  savedEntries,
  setEntry,
  trimmed,
  type Value,
  withAllFetched,
  withFetched,
  withSaved,
} from './entries.ts'

const found = (values: Record<string, Value | null>) => new Map(Object.entries(values))
const counted = ({ changed, fetched }: Entries) => {
  let entries = noEntries
  for (const [key, value] of changed) entries = setEntry(entries, key, value)
  return { changedBytes: entries.bytes, bytes: withFetched(entries, fetched).bytes }
}
const expectCounted = (entries: Entries) => {
  const { bytes, changedBytes } = entries
  expect({ bytes, changedBytes }).toEqual(counted(entries))
}

describe('entries', () => {
  it('that are not in memory are asked for, and not taken for what never was', () => {
    const entries = savedEntries(3)
    expect(() => entryOf(entries, 'a')).toThrow(NotAtHand)
    expect(() => setEntry(entries, 'a', 1)).toThrow(NotAtHand)
    expect(() => requireEntries(entries, ['a', 'b'])).toThrow(NotAtHand)
    const some = withFetched(entries, found({ a: 1, b: null }))
    expect([entryOf(some, 'a'), entryOf(some, 'b')]).toEqual([1, undefined])
    expect(missingOf(some, ['a', 'b', 'c'])).toEqual(['c'])
    expect(missingOf(setEntry(some, 'b', 2), ['b'])).toEqual([])
    const all = withAllFetched(some, found({ c: 3 }))
    expect([entryOf(all, 'c'), entryOf(all, 'd'), missingOf(all, ['d'])]).toEqual([3, undefined, []])
    expect(() => requireEntries(all, ['d'])).not.toThrow()
    expect(savedEntries(0).isWhole).toBe(true)
  })

  it('name what is missing', () => {
    const error = (() => {
      try {
        requireEntries(withFetched(savedEntries(3), found({ a: 1 })), ['a', 'b', 'c'])
      } catch (thrown) {
        return thrown
      }
      return undefined
    })()
    expect(error instanceof NotAtHand && error.keys).toEqual(['b', 'c'])
  })

  it('count their keys once, and their bytes as they are', () => {
    let entries = setEntry(setEntry(noEntries, 'a', 'short'), 'b', true)
    entries = setEntry(entries, 'a', 'a text that is longer than that')
    expect(entries.count).toBe(2)
    expectCounted(entries)
    expect(setEntry(entries, 'a', 1).bytes).toBeLessThan(entries.bytes)
    const fetched = withFetched(savedEntries(5), found({ a: 'short', b: null, c: { much: 'more' } }))
    expect(fetched.changedBytes).toBe(0)
    expectCounted(fetched)
    const again = withFetched(fetched, found({ a: 'a text that is longer than that' }))
    expectCounted(again)
    expect(again.bytes).toBeGreaterThan(fetched.bytes)
    const both = setEntry(setEntry(again, 'a', 7), 'b', 'new')
    expect([both.count, entryOf(both, 'a'), entryOf(both, 'b')]).toEqual([6, 7, 'new'])
    expectCounted(both)
  })

  it('are no longer to be saved once they were, where they are still the same', () => {
    const before = setEntry(setEntry(setEntry(noEntries, 'a', 1), 'b', 2), 'c', 3)
    const now = setEntry(setEntry(before, 'b', 'changed since'), 'd', 4)
    const after = withSaved(now, before.changed)
    expect([...after.changed.keys()].sort()).toEqual(['b', 'd'])
    for (const [key, value] of Object.entries({ a: 1, b: 'changed since', c: 3, d: 4 }))
      expect(entryOf(after, key)).toBe(value)
    expect(after.count).toBe(4)
    expectCounted(after)
    expect(withSaved(after, before.changed)).toBe(after)
    expect(withSaved(after, noEntries.changed)).toBe(after)
    const replaced = withSaved(
      setEntry(withFetched(savedEntries(1), found({ a: 'old' })), 'a', 'new'),
      setEntry(noEntries, 'a', 'new').changed,
    )
    expect(entryOf(replaced, 'a')).toBe('new')
    expectCounted(replaced)
  })

  it('give back what can be fetched again once that alone is too much, and never what is to be saved', () => {
    const entries = setEntry(withFetched(savedEntries(9), found({ a: 1, b: 2 })), 'a', 7)
    const fetchedBytes = entries.bytes - entries.changedBytes
    expect(trimmed(entries, fetchedBytes)).toBe(entries)
    const after = trimmed(entries, fetchedBytes - 1)
    expect([after.isWhole, after.fetched.size, after.count, entryOf(after, 'a')]).toEqual([false, 0, 9, 7])
    expect(() => entryOf(after, 'b')).toThrow(NotAtHand)
    expect(missingOf(after, ['a', 'b'])).toEqual(['b'])
    expectCounted(after)
    const whole = setEntry(noEntries, 'a', 'x'.repeat(1000))
    expect(trimmed(whole, 10)).toBe(whole)
  })

  it('that were all thrown away are known not to be there', () => {
    const cleared = clearEntries(setEntry(savedEntries(0), 'a', 1))
    expect([entryOf(cleared, 'a'), cleared.count, cleared.clearings]).toEqual([undefined, 0, 1])
    expect(clearEntries(cleared).clearings).toBe(2)
    expectCounted(cleared)
  })
})
