import { describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../async/reachability.ts'
import type { AppendRequest } from '../append-request.ts'
import type { AppendResult } from '../port.ts'
import { appendBatcher } from './append-batcher.ts'

const request = (stream: string, sizeBytes = 10): AppendRequest => ({ stream, expected: -1n, events: [], sizeBytes })
const result: AppendResult = { ok: false, actual: 'no_stream' }

const noted = (failing: (streams: string[]) => Error | undefined = () => undefined) => {
  const commits: string[][] = []
  const commit = async (requests: readonly AppendRequest[]) => {
    const streams = requests.map(({ stream }) => stream)
    commits.push(streams)
    const failure = failing(streams)
    if (failure) throw failure
    return requests.map(() => result)
  }
  return { commits, commit }
}

describe('the append batcher', () => {
  it('folds what is asked for in the same turn into one commit', async () => {
    const { commits, commit } = noted()
    const { append } = appendBatcher(commit)
    await Promise.all(['a-1', 'a-2', 'a-3'].map((stream) => append(request(stream))))
    expect(commits).toEqual([['a-1', 'a-2', 'a-3']])
  })

  it('commits requests to one stream one after the other, in the order in which they came', async () => {
    const { commits, commit } = noted()
    const { append } = appendBatcher(commit)
    const answered: number[] = []
    const hot = [1, 2, 3].map(async (number) => {
      await append(request('hot-1'))
      answered.push(number)
    })
    await Promise.all([...hot, append(request('cold-1'))])
    expect(commits).toEqual([['hot-1', 'cold-1'], ['hot-1'], ['hot-1']])
    expect(answered).toEqual([1, 2, 3])
  })

  it('keeps a batch within its number of requests and its bytes', async () => {
    const { commits, commit } = noted()
    const { append } = appendBatcher(commit, { maxRequests: 3, maxBytes: 100 })
    const sizes = [10, 10, 10, 10, 95, 10, 500, 1]
    await Promise.all(sizes.map((size, index) => append(request(`a-${index}`, size))))
    expect(commits.map((streams) => streams.map((stream) => sizes[Number(stream.slice(2))]))).toEqual([
      [10, 10, 10],
      [10],
      [95],
      [10],
      [500],
      [1],
    ])
  })

  it('fails only the request at fault', async () => {
    const { commit } = noted((streams) => (streams.includes('bad-1') ? new Error('poisoned') : undefined))
    const { append } = appendBatcher(commit)
    const streams = ['a-1', 'a-2', 'bad-1', 'a-3', 'a-4']
    const settled = await Promise.allSettled(streams.map((stream) => append(request(stream))))
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
  })

  it('fails a batch as a whole, and does not try its parts, when the store is unavailable', async () => {
    const { commits, commit } = noted(() => new StoreUnavailable())
    const { append } = appendBatcher(commit)
    const settled = await Promise.allSettled(['a-1', 'a-2', 'a-3'].map((stream) => append(request(stream))))
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(commits).toHaveLength(1)
  })

  it('is drained once everything asked for has been answered', async () => {
    const { commits, commit } = noted()
    const { append, drained } = appendBatcher(commit, { maxRequests: 1 })
    const appends = ['a-1', 'a-2', 'a-3'].map((stream) => append(request(stream)))
    await drained()
    expect(commits).toHaveLength(3)
    await Promise.all(appends)
  })
})
