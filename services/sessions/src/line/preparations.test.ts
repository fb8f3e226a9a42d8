import { randomUUID } from 'node:crypto'
import { silentLog } from '@prosa/kernel/observability/log'
import { retainedBy } from '@prosa/kernel/testing/retained-by'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import type { LineHandle } from '../gateway/gateway.ts'
import type { Outbox, QueuedMessage } from '../outbox/outbox.ts'
import { fastTimings } from '../testing/fast-timings.ts'
import { productionTimings } from '../timings.ts'
import type { LineFacts } from './line-facts.ts'
import { preparations } from './preparations.ts'

const message = (): QueuedMessage => ({
  ...{ connectionId: 'c', messageId: randomUUID(), contactId: randomUUID(), owner: 'o', toJid: '1@lid' },
  ...{ work: null, prepared: null, state: 'waiting', attempts: 0, eventId: randomUUID(), correlationId: 'test' },
})

/** What was made ready, and what ends; `prepare` is the line's. */
const making = (prepare: LineHandle['prepare']) => {
  const kept: string[] = []
  let ended = 0
  const outbox: Pick<Outbox, 'keepPrepared'> = {
    async keepPrepared(_, messageId) {
      kept.push(messageId)
    },
  }
  const made = preparations({
    connectionId: 'c',
    outbox: outbox as Outbox,
    facts: {} as LineFacts,
    timings: { ...productionTimings, ...fastTimings },
    log: silentLog(),
    mostAttempts: 5,
    onEnd: () => {
      ended++
    },
  })
  const handle = { prepare } as LineHandle
  return { kept, ended: () => ended, start: (signal: AbortSignal) => made.start(message(), handle, signal) }
}

it('leave nothing on the signal of a line that stays open for days', async () => {
  const line = new AbortController()
  const { start, kept, ended } = making(async () => Buffer.from('ready'))
  for (let count = 1; count <= 20; count++) {
    start(line.signal)
    await until(() => ended() === count)
  }
  expect(kept).toHaveLength(20)
  expect(retainedBy(line.signal)).toBe(0)
})

it('end with the line, however long an upload would take', async () => {
  const line = new AbortController()
  const { start, kept, ended } = making(() => new Promise(() => undefined))
  start(line.signal)
  await until(() => retainedBy(line.signal) > 0)
  line.abort()
  await until(() => ended() === 1)
  start(line.signal)
  await until(() => ended() === 2)
  expect(kept).toEqual([])
  expect(retainedBy(line.signal)).toBe(0)
})
