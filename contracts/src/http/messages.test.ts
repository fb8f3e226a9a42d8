import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { messageEndpoints } from './messages.ts'

const reads = (emoji: string) => messageEndpoints.react.body.safeParse({ connectionId: randomUUID(), emoji }).success

it.each(['👍', '👍🏽', '❤️', '🇧🇷', '1️⃣', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])('%s is a reaction', (emoji) =>
  expect(reads(emoji)).toBe(true),
)

it('is no reaction what is more or less than one emoji', () => {
  expect(['', 'a', '👍👍', '1'].filter(reads)).toEqual([])
})

it('refuses a long text without taking it apart: each part would have a copy of the whole', () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  try {
    expect(['e'.repeat(1000), `👍${'\u0301'.repeat(1_000_000)}`].filter(reads)).toEqual([])
    expect(segment).not.toHaveBeenCalled()
  } finally {
    segment.mockRestore()
  }
})
