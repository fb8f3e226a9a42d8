import { describe, expect, it } from 'vitest'
import { nextStep } from './batches.ts'
import { consumerContract } from './consumer.contract.ts'
import { hasRoom } from './per-key.ts'

consumerContract('reactor')
consumerContract('projection')
consumerContract('timers')

describe('what a batch leads to', () => {
  const idle = { events: 0, wasLive: false }
  const page = { passed: 10, live: false, concerning: 0 }

  it('is taken at once where an event concerns the consumer', () => {
    expect(nextStep(idle, { ...page, concerning: 1 }, {})).toEqual({ step: 'take', state: idle })
  })

  it('is noted, or moved over later, where none does', () => {
    expect(nextStep(idle, page, {})).toEqual({ step: 'note', state: { events: 10, wasLive: false } })
    expect(nextStep(idle, page, { afterMs: 25 }).step).toBe('later')
  })

  it('is moved over once enough has passed, or with every page', () => {
    expect(nextStep({ ...idle, events: 80 }, page, { afterEvents: 100 }).step).toBe('note')
    expect(nextStep({ ...idle, events: 90 }, page, { afterEvents: 100 })).toEqual({ step: 'take', state: idle })
    expect(nextStep(idle, { ...page, passed: 0 }, { afterEvents: 0 }).step).toBe('take')
  })

  it('is moved over when the end of the log is reached, once', () => {
    const first = nextStep(idle, { ...page, live: true }, { whenLive: true })
    expect(first).toEqual({ step: 'take', state: { events: 0, wasLive: true } })
    expect(nextStep(first.state, { ...page, live: true }, { whenLive: true }).step).toBe('note')
  })
})

it('there is room for 1000 events in hand, and for 10,000 more that wait behind keys in doubt', () => {
  expect([hasRoom(999, 0), hasRoom(1000, 0), hasRoom(1000, 1)]).toEqual([true, false, true])
  expect([hasRoom(10_999, 20_000), hasRoom(11_000, 20_000)]).toEqual([true, false])
})
