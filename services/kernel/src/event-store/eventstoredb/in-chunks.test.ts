import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { GoneSilent } from './failures.ts'
import { inChunks } from './in-chunks.ts'

const chunksOf = (options: Partial<Parameters<typeof inChunks>[1]> = {}) => {
  const stream = new PassThrough({ objectMode: true })
  const cancel = async () => undefined
  const chunks = inChunks<number | string>(stream, {
    limit: 100,
    gatherMs: 0,
    silenceMs: 5000,
    cancel,
    ...options,
  })
  const give = (...items: number[]) => {
    for (const item of items) stream.write(item)
  }
  return { stream, chunks, give }
}

it('puts a signal behind the events that came before it, though nobody has read them yet', async () => {
  const { chunks, give } = chunksOf()
  give(1, 2, 3)
  chunks.note('caught up')
  give(4)
  expect(await chunks.next()).toEqual([1, 2, 3, 'caught up', 4])
})

it('hands out what came before a failure, then throws the failure, and bears another one', async () => {
  const { stream, chunks, give } = chunksOf()
  give(1, 2)
  stream.emit('error', new Error('reset'))
  stream.emit('error', new Error('and again'))
  expect(await chunks.next()).toEqual([1, 2])
  await expect(chunks.next()).rejects.toThrow('reset')
})

it('ends with the stream', async () => {
  const { stream, chunks, give } = chunksOf()
  give(1)
  stream.end()
  expect(await chunks.next()).toEqual([1])
  expect(await chunks.next()).toBeUndefined()
})

it('reports a silent server only while somebody waits', async () => {
  const { chunks } = chunksOf({ silenceMs: 5 })
  await expect(chunks.next()).rejects.toThrow(GoneSilent)
})

it('stops waiting when the signal aborts', async () => {
  const { chunks } = chunksOf()
  const stop = new AbortController()
  const waiting = chunks.next(stop.signal)
  stop.abort()
  expect(await waiting).toBeUndefined()
})

it('holds the stream back once it has gathered enough', async () => {
  const { stream, chunks, give } = chunksOf({ limit: 5 })
  give(1, 2, 3, 4, 5)
  await new Promise(setImmediate)
  while (stream.write(0)) await new Promise(setImmediate)
  expect((await chunks.next())?.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
})
