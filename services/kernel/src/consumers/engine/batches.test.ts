import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serialQueue } from '../../async/keyed-queue.ts'
import type { Position, RecordedEvent } from '../../event-store/port.ts'
import { idOf, testLog } from '../testing/test-log.ts'
import { batches } from './batches.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

const [first, second, third] = ['1', '2', '3'] as unknown as [Position, Position, Position]

const concerning = async (): Promise<RecordedEvent[]> => {
  const { append, store } = testLog()
  const stream = `contact-${idOf('contact')}`
  await append('tenant', stream, { type: 'ContactNamed', data: { name: 'Ana' } })
  for await (const events of store.read(stream)) return events
  return []
}

it('never moves a checkpoint back to passed events when somebody asks while later ones are written', async () => {
  const serially = serialQueue()
  const written: Position[] = []
  const write = (upTo: Position, work = Promise.resolve()) =>
    serially(async () => {
      await work
      written.push(upTo)
    })
  let finishWriting: () => void = () => undefined
  const disk = new Promise<void>((resolve) => {
    finishWriting = resolve
  })
  let ask: () => void = () => undefined
  const open = batches(async () => ({
    from: first,
    reached: () => written.at(-1) ?? first,
    take: (_, upTo) => write(upTo, disk).then(() => true),
    passing: { afterMs: () => 5 },
    pass: (upTo) => write(upTo),
    onWanted: (listener) => {
      ask = listener
    },
  }))
  const epoch = { worker: 'projection names', epoch: '1' }
  const { signal: until } = new AbortController()
  const session = {
    epoch,
    until,
    isMine: () => true,
    end: () => expect.unreachable(),
    renew: () => expect.unreachable(),
  }
  const handling = await open(session)
  await handling?.take({ events: [], passed: 1, upTo: second, live: true })
  const taking = handling?.take({ events: await concerning(), passed: 1, upTo: third, live: true })
  await vi.advanceTimersByTimeAsync(1)
  ask()
  await vi.advanceTimersByTimeAsync(100)
  finishWriting()
  await taking
  await handling?.finish?.()
  expect(written).toEqual([third])
})
