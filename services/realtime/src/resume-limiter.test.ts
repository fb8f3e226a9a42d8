import { until } from '@prosa/kernel/testing/until'
import { describe, expect, it } from 'vitest'
import { resumeLimiter } from './resume-limiter.ts'

describe('the limit of reads of the log', () => {
  it('goes round among tenants: one that asks once waits for one read of the others, not for all of theirs', async () => {
    const limiter = resumeLimiter(100, () => 0)
    const begun: string[] = []
    const ends: (() => void)[] = []
    const read = (tenant: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(tenant)
        ends.push(resolve)
      })
    for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f'])
      for (let index = 0; index < 10; index++) void limiter.run(tenant, read(tenant))
    await until(() => begun.length === 8)
    void limiter.run('single', read('single'))
    for (let ended = 0; ended < 8; ended++) {
      ends.shift()?.()
      await until(() => begun.length === 9 + ended)
    }
    expect(begun.slice(8)).toContain('single')
    for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f']) expect(begun.slice(8)).toContain(tenant)
  })

  it('frees the slot when a read fails', async () => {
    const limiter = resumeLimiter(100, () => 0)
    for (let index = 0; index < 20; index++)
      await expect(limiter.run('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await limiter.run('a', async () => 'read')).toBe('read')
  })
})
