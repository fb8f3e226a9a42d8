import { expect, it } from 'vitest'
import { retainedBy } from '../testing/retained-by.ts'
import { wakeSignal } from './wake-signal.ts'

const longer = 60_000
const { signal } = new AbortController()

it('ends the wait of who waits, and of who comes after it, once', async () => {
  const one = wakeSignal()
  const waiting = one.wait(longer, signal)
  one.wake()
  await waiting
  one.wake()
  await one.wait(longer, signal)
  let isOver = false
  const again = one.wait(longer, signal).then(() => {
    isOver = true
  })
  await Promise.resolve()
  expect(isOver).toBe(false)
  one.wake()
  await again
})

it('is waited for no longer than was asked, nor than the signal allows', async () => {
  await wakeSignal().wait(1, signal)
  const ending = new AbortController()
  const waiting = wakeSignal().wait(longer, ending.signal)
  ending.abort()
  await waiting
  await wakeSignal().wait(longer, ending.signal)
})

it('leaves nothing on a signal that lives as long as the process, however often it is waited for', async () => {
  const one = wakeSignal()
  const lasting = new AbortController()
  for (let wait = 0; wait < 100; wait++) {
    const waiting = one.wait(wait % 2 ? longer : 0, lasting.signal)
    if (wait % 2) one.wake()
    await waiting
  }
  expect(retainedBy(lasting.signal)).toBe(0)
  const waiting = one.wait(longer, lasting.signal)
  expect(retainedBy(lasting.signal)).toBeGreaterThan(0)
  lasting.abort()
  await waiting
})
