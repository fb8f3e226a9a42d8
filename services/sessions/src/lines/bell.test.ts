import { expect, it } from 'vitest'
import { hangingOn } from '../testing/hanging-on.ts'
import { bell } from './bell.ts'

const longer = 60_000
const { signal } = new AbortController()

it('is heard by who waits, and by who comes after it rang, once', async () => {
  const one = bell()
  const heard = one.heard(longer, signal)
  one.ring()
  await heard
  one.ring()
  await one.heard(longer, signal)
  let isHeard = false
  const again = one.heard(longer, signal).then(() => {
    isHeard = true
  })
  await Promise.resolve()
  expect(isHeard).toBe(false)
  one.ring()
  await again
})

it('is waited for no longer than was said, nor than the signal allows', async () => {
  await bell().heard(1, signal)
  const ending = new AbortController()
  const heard = bell().heard(longer, ending.signal)
  ending.abort()
  await heard
  await bell().heard(longer, ending.signal)
})

it('leaves nothing on a signal that lives as long as the process, however often it is waited for', async () => {
  const one = bell()
  const lasting = new AbortController()
  for (let wait = 0; wait < 100; wait++) {
    const heard = one.heard(wait % 2 ? longer : 0, lasting.signal)
    if (wait % 2) one.ring()
    await heard
  }
  expect(hangingOn(lasting.signal)).toBe(0)
  const heard = one.heard(longer, lasting.signal)
  expect(hangingOn(lasting.signal)).toBeGreaterThan(0)
  lasting.abort()
  await heard
})
