import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import type { EventStore, Position } from '@prosa/kernel/event-store/port'
import { describe, expect, it } from 'vitest'
import { seenLog, streamCache } from './stream-cache.ts'

const at = (position: number) => String(position).padStart(8, '0') as Position

const world = () => {
  let stands = 1
  const reads: ((end: 'fails' | undefined) => void)[] = []
  const seen = seenLog()
  const store: EventStore = { ...memoryEventStore(), isUnchanged: (_, asOf) => asOf >= at(stands) }
  const ask = streamCache(
    { store, seen },
    10,
    () =>
      new Promise<number>((resolve, reject) => {
        const value = stands
        reads.push((end) => (end ? reject(new Error('no answer')) : resolve(value)))
      }),
  )
  seen.note(at(1))
  return {
    reads,
    ask: (tenant = 'ana') => ask('flow-1', tenant),
    change() {
      stands += 1
      seen.note(at(stands))
    },
  }
}

describe('what was made of a stream', () => {
  it('is read once by many that ask at once, and not again while nothing changes', async () => {
    const { ask, reads } = world()
    const asked = [ask(), ask(), ask()]
    reads[0]?.(undefined)
    expect(await Promise.all(asked)).toEqual([1, 1, 1])
    expect(await ask()).toBe(1)
    expect(reads).toHaveLength(1)
  })

  it('is not put back by an earlier reading that ends late', async () => {
    const { ask, reads, change } = world()
    const early = ask()
    change()
    const late = ask()
    reads[1]?.(undefined)
    expect(await late).toBe(2)
    reads[0]?.(undefined)
    expect(await early).toBe(1)
    expect(await ask()).toBe(2)
    expect(reads).toHaveLength(2)
  })

  it('is read by one for all also where an earlier reading ends meanwhile', async () => {
    const { ask, reads, change } = world()
    const early = ask()
    change()
    const late = ask()
    reads[0]?.(undefined)
    await early
    const third = ask()
    expect(reads).toHaveLength(2)
    reads[1]?.(undefined)
    expect(await Promise.all([late, third])).toEqual([2, 2])
  })

  it('is read again after a reading that failed, and for another tenant', async () => {
    const { ask, reads } = world()
    const failed = ask()
    reads[0]?.('fails')
    await expect(failed).rejects.toThrow('no answer')
    const again = ask()
    reads[1]?.(undefined)
    expect(await again).toBe(1)
    const other = ask('bia')
    reads[2]?.(undefined)
    await other
    expect(reads).toHaveLength(3)
  })
})
