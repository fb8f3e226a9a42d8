import { expect, it } from 'vitest'
import { eventCodec } from '../event-store/codec.ts'
import { memoryEventStore } from '../event-store/memory.ts'
import { shortestSlices } from '../testing/time-slices.ts'
import type { Reader } from './decider.ts'
import { readTimeline } from './read-timeline.ts'

type Named = { type: 'ContactNamed'; data: { name: string } }

const tenant = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const at = (seconds: number) => new Date(Date.parse('2026-11-25T12:00:00.000Z') + seconds * 1000).toISOString()

/** Seconds after noon. */
const recorded = async (...seconds: number[]) => {
  const [store, codec] = [memoryEventStore(), eventCodec()]
  const actor = { kind: 'system', id: 'test' } as const
  const events = seconds.map((each, index) => ({
    id: `7c0c5a0e-5f5e-4a53-9a37-${String(index).padStart(12, '0')}`,
    stream: 'contact-1',
    event: { type: 'ContactNamed' as const, data: { name: String(each) } },
    metadata: { causationId: 'x', correlationId: 'x', actor, tenant, recordedAt: at(each) },
  }))
  expect(await store.append('contact-1', 'no_stream', await codec.encode(events))).toMatchObject({ ok: true })
  return { store, codec }
}

let folded = 0
const names: Reader<Named, readonly string[]> = {
  initial: [],
  evolve: {
    ContactNamed: (state, { name }) => {
      folded += 1
      return [...state, name]
    },
  },
}

it('answers what a stream amounted to at any moment, with each event folded once', async () => {
  folded = 0
  const nameAt = await readTimeline(await recorded(0, 10, 10, 20), 'contact-1', tenant, names, shortestSlices)
  expect([-1, 0, 9, 10, 19, 20, 9999].map((seconds) => nameAt(at(seconds)).join())).toEqual([
    '',
    '0',
    '0',
    '0,10,10',
    '0,10,10',
    '0,10,10,20',
    '0,10,10,20',
  ])
  expect(folded).toBe(4)
})

it('keeps the order of the stream where a clock went back', async () => {
  const nameAt = await readTimeline(await recorded(10, 5, 20), 'contact-1', tenant, names, shortestSlices)
  expect([5, 10, 20].map((seconds) => nameAt(at(seconds)).join())).toEqual(['', '10,5', '10,5,20'])
})

it('is empty of another tenant', async () => {
  const nameAt = await readTimeline(await recorded(1), 'contact-1', 'somebody else', names, shortestSlices)
  expect(nameAt(at(99))).toEqual([])
})
