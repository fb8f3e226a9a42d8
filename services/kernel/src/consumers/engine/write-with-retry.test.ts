import { describe, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../../async/reachability.ts'
import { beginning } from '../../event-store/port.ts'
import { silentLog } from '../../observability/log.ts'
import { newStatus } from './consumer-status.ts'
import { writeWithRetry } from './write-with-retry.ts'

const withRetries = (write: () => Promise<void>, until = new AbortController().signal) => {
  const status = newStatus()
  const advance = writeWithRetry(write, async () => false, { name: 'example', log: silentLog(), status, until })
  return { status, advance: () => advance([], beginning) }
}

describe('a projection that cannot write', () => {
  it('leaves what passes by itself to the next session, which begins anew, and is not stopped', async () => {
    const write = vi.fn().mockRejectedValue(new StoreUnavailable('the database is gone'))
    const { status, advance } = withRetries(write)
    await expect(advance()).rejects.toThrow(StoreUnavailable)
    expect(write).toHaveBeenCalledTimes(1)
    expect(status.state).not.toBe('stopped')
    expect(status.trouble).toBeUndefined()
  })

  it('tries anything else a few times, and goes on where that helped', async () => {
    const write = vi.fn().mockRejectedValueOnce(new Error('once')).mockResolvedValue(undefined)
    const { status, advance } = withRetries(write)
    expect(await advance()).toBe(true)
    expect(write).toHaveBeenCalledTimes(2)
    expect(status.state).not.toBe('stopped')
  })

  it('stops where it did not help, and shows why without what the error says', async () => {
    const write = vi.fn().mockRejectedValue(new TypeError('about Ana'))
    const { status, advance } = withRetries(write)
    expect(await advance()).toBe(false)
    expect(write).toHaveBeenCalledTimes(5)
    expect(status).toMatchObject({ state: 'stopped', trouble: { reason: 'TypeError' } })
  })

  it('ends without success when it is to end first', async () => {
    const ending = new AbortController()
    const write = vi.fn().mockImplementation(async () => {
      ending.abort()
      throw new Error('never mind')
    })
    const { status, advance } = withRetries(write, ending.signal)
    expect(await advance()).toBe(false)
    expect(write).toHaveBeenCalledTimes(1)
    expect(status.state).not.toBe('stopped')
  })
})
