import { v5 } from 'uuid'
import { expect, it } from 'vitest'
import { deriveId } from './derive-id.ts'

it('derives the id that version 5 of RFC 9562 gives, also of text beyond ASCII', () => {
  const namespace = '5f1d1d1e-6f2b-4b8e-9c57-2d0b1f6c9a10'
  for (const parts of [['a'], ['a', 1], ['b', 'ação', '\ud83d\ude00', '\ud800'], ['x'.repeat(5000)]])
    expect(deriveId(...parts)).toBe(v5(JSON.stringify(parts), namespace))
})
