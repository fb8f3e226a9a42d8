import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { InvalidAppend } from '@prosa/kernel/event-store/port'
import { silentLog } from '@prosa/kernel/observability/log'
import { capturedLog } from '@prosa/kernel/testing/captured-log'
import { until } from '@prosa/kernel/testing/until'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LeaseLost } from '../leases/lease-keeper.ts'
import { persistence } from './persistence.ts'

const away = () => Promise.reject(new StoreUnavailable('away'))

describe('what a line records', () => {
  it('is stored in its order, however often storing fails, while other lines go on', async () => {
    const storing = persistence(silentLog())
    const stored: string[] = []
    let failures = 3
    const first = storing.enqueue('a', async () => (failures-- > 0 ? away() : stored.push('a1')))
    const second = storing.enqueue('a', async () => stored.push('a2'))
    const other = storing.enqueue('b', async () => stored.push('b1'))
    await other
    await until(() => storing.waiting() === 2)
    await Promise.all([first, second])
    expect(stored).toEqual(['b1', 'a1', 'a2'])
    expect(storing.waiting()).toBe(0)
  })

  it('does not hold up the rest when it can never be stored', async () => {
    const storing = persistence(silentLog())
    const hopeless = storing.enqueue('a', () => Promise.reject(new InvalidAppend('too large')))
    const next = storing.enqueue('a', async () => undefined)
    await expect(hopeless).rejects.toThrow(InvalidAppend)
    await next
    expect(storing.waiting()).toBe(0)
  })

  it('is missed in the log when it can never be stored, without its words; what is another process’s to store is not', async () => {
    const captured = capturedLog()
    const storing = persistence(captured.log)
    const misfit = async () => z.strictObject({}).parse({ segredo: 1 })
    await expect(storing.enqueue('a', misfit)).rejects.toThrow('segredo')
    await expect(storing.enqueue('b', () => Promise.reject(new LeaseLost('another has it')))).rejects.toThrow(LeaseLost)
    expect(captured.lines()).toMatchObject([{ connectionId: 'a', err: { type: 'ZodError' } }])
    expect(captured.output()).not.toContain('segredo')
  })

  it('is finished before the process ends, and rejected when it cannot be', async () => {
    const storing = persistence(silentLog())
    const stored: string[] = []
    const done = storing.enqueue('a', async () => stored.push('in hand'))
    const failed = expect(storing.enqueue('b', away)).rejects.toThrow()
    await until(() => storing.waiting() === 1)
    await storing.stop()
    await Promise.all([done, failed])
    expect(stored).toEqual(['in hand'])
  })
})
