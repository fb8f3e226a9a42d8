import { until } from '@prosa/kernel/testing/until'
import { describe, expect, it } from 'vitest'
import { resumeTurns } from './resume-turns.ts'

describe('turns to read the log', () => {
  it('go round among tenants: one that asks once waits for one read of the others, not for all of theirs', async () => {
    const turns = resumeTurns(100, () => 0)
    const begun: string[] = []
    const ends: (() => void)[] = []
    const read = (owner: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(owner)
        ends.push(resolve)
      })
    for (const owner of ['a', 'b', 'c', 'd', 'e', 'f'])
      for (let index = 0; index < 10; index++) void turns.take(owner, read(owner))
    await until(() => begun.length === 8)
    void turns.take('single', read('single'))
    for (let ended = 0; ended < 8; ended++) {
      ends.shift()?.()
      await until(() => begun.length === 9 + ended)
    }
    expect(begun.slice(8)).toContain('single')
    for (const owner of ['a', 'b', 'c', 'd', 'e', 'f']) expect(begun.slice(8)).toContain(owner)
  })

  it('are given back when a read fails', async () => {
    const turns = resumeTurns(100, () => 0)
    for (let index = 0; index < 20; index++)
      await expect(turns.take('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await turns.take('a', async () => 'read')).toBe('read')
  })
})
