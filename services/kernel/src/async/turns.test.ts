import { setImmediate as iteration } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { timeSlice } from './time-slice.ts'
import { turns } from './turns.ts'

const lasting = () => new AbortController().signal
const tooLong = () => new Error('too long')

const ticking = (ms: number) => {
  let now = 0
  return () => (now += ms)
}

describe('turns on the event loop', () => {
  it('are one for each iteration, however many wait', async () => {
    const scheduled: (() => void)[] = []
    const loop = turns((work) => scheduled.push(work))
    const served: string[] = []
    for (const whose of ['ana', 'bia', 'caio']) void loop.next(whose).then(() => served.push(whose))
    for (let count = 1; count <= 3; count++) {
      scheduled.shift()?.()
      await iteration()
      expect(served).toHaveLength(count)
    }
  })

  it('go round among tenants: one that waits with thirty pieces is served as often as one with two', async () => {
    const loop = turns()
    const served: string[] = []
    const wait = (whose: string) => loop.next(whose).then(() => served.push(whose))
    await Promise.all([...Array.from({ length: 30 }, () => wait('ana')), wait('bia'), wait('bia')])
    expect(served.slice(0, 4)).toEqual(['ana', 'bia', 'ana', 'bia'])
    expect(served).toHaveLength(32)
  })

  it('are given up once nobody waits for them, and the next one is served', async () => {
    const loop = turns()
    const leaving = new AbortController()
    const served: string[] = []
    const given = loop.next('ana', leaving.signal)
    const other = loop.next('bia').then(() => served.push('bia'))
    leaving.abort(new Error('gone'))
    await expect(given).rejects.toThrow('gone')
    await expect(loop.next('ana', leaving.signal)).rejects.toThrow('gone')
    await other
    expect(served).toEqual(['bia'])
  })

  it('let what else the process has to do come between any two pieces', async () => {
    const loop = turns()
    let others = 0
    let pieces = 0
    const over = { isIt: false }
    const answering = (async () => {
      for (; !over.isIt; others++) await iteration()
    })()
    const compute = async (whose: string) => {
      for (let piece = 0; piece < 20; piece++) {
        await loop.next(whose)
        pieces++
        expect(others).toBeGreaterThanOrEqual(pieces - 2)
      }
    }
    await Promise.all(['ana', 'bia', 'caio', 'davi'].map(compute))
    over.isIt = true
    await answering
    expect(pieces).toBe(80)
  })
})

describe('a time slice', () => {
  it('is over after ten milliseconds, and begins anew with each turn', async () => {
    let now = 0
    const slice = timeSlice({ turns: turns(), whose: 'ana', signal: lasting(), tooLong, stopwatch: () => now })
    now = 9
    expect(slice.isDue()).toBe(false)
    now = 10
    expect(slice.isDue()).toBe(true)
    await slice.turn()
    expect(slice.isDue()).toBe(false)
  })

  it('ends work that has used up its ten seconds, and none before', async () => {
    const slice = timeSlice({ turns: turns(), whose: 'ana', signal: lasting(), tooLong, stopwatch: ticking(10) })
    let turnsTaken = 0
    await expect(
      (async () => {
        for (; ; turnsTaken++) if (slice.isDue()) await slice.turn()
      })(),
    ).rejects.toThrow('too long')
    expect(turnsTaken).toBeGreaterThan(400)
    expect(turnsTaken).toBeLessThanOrEqual(1000)
  })

  it('counts what the work takes, not how long it waits for the others', async () => {
    let now = 0
    const scheduled: (() => void)[] = []
    const loop = turns((work) => scheduled.push(work))
    const slice = timeSlice({ turns: loop, whose: 'ana', signal: lasting(), tooLong, stopwatch: () => now })
    for (let round = 0; round < 10; round++) {
      now += 10
      const turn = slice.turn()
      now += 60_000
      scheduled.shift()?.()
      await turn
    }
  })

  it('ends work that nobody wants any more, at its next turn', async () => {
    const leaving = new AbortController()
    const slice = timeSlice({ turns: turns(), whose: 'ana', signal: leaving.signal, tooLong, stopwatch: () => 0 })
    expect(slice.isDue()).toBe(false)
    leaving.abort(new Error('gone'))
    expect(slice.isDue()).toBe(true)
    await expect(slice.turn()).rejects.toThrow('gone')
  })
})
