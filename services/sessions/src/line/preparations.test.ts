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
  ...{ connectionId: 'c', messageId: randomUUID(), contactId: randomUUID(), tenant: 'o', toJid: '1@lid' },
  ...{ work: null, prepared: null, state: 'waiting', attempts: 0, eventId: randomUUID(), correlationId: 'test' },
})

const making = (prepare: LineHandle['prepare'], show: LineHandle['show'] = async () => undefined) => {
  const saved: string[] = []
  let ended = 0
  const outbox: Pick<Outbox, 'savePrepared'> = {
    async savePrepared(_, messageId) {
      saved.push(messageId)
    },
  }
  const made = preparations({
    connectionId: 'c',
    outbox: outbox as Outbox,
    facts: {} as LineFacts,
    timings: { ...productionTimings, ...fastTimings, typingSecond: 1 },
    log: silentLog(),
    maxAttempts: 5,
    onEnd: () => {
      ended++
    },
  })
  const handle = { prepare, show } as LineHandle
  const start = (signal: AbortSignal, one = message()) => made.start(one, handle, signal)
  return { saved, ended: () => ended, start, contacts: made.contacts }
}

it('leave nothing on the signal of a line that stays open for days', async () => {
  const line = new AbortController()
  const { start, saved, ended } = making(async () => Buffer.from('ready'))
  for (let count = 1; count <= 20; count++) {
    start(line.signal)
    await until(() => ended() === count)
  }
  expect(saved).toHaveLength(20)
  expect(retainedBy(line.signal)).toBe(0)
})

it('end with the line, however long an upload would take', async () => {
  const line = new AbortController()
  const { start, saved, ended } = making(() => new Promise(() => undefined))
  start(line.signal)
  await until(() => retainedBy(line.signal) > 0)
  line.abort()
  await until(() => ended() === 1)
  start(line.signal)
  await until(() => ended() === 2)
  expect(saved).toEqual([])
  expect(retainedBy(line.signal)).toBe(0)
})

it('show that somebody writes before the message is made ready, and hold up its own contact only', async () => {
  const line = new AbortController()
  const seen: string[] = []
  const { start, saved, ended, contacts } = making(
    async () => Buffer.from('ready'),
    async (jid, state) => void seen.push(`${jid} ${state}`),
  )
  const content = { kind: 'text', text: 'Olá!' } as const
  const flows = { ...message(), work: { kind: 'message', content, secret: '', typingSeconds: 3 } as const }
  start(line.signal, flows)
  expect(contacts()).toEqual([flows.contactId])
  await until(() => ended() === 1)
  expect([seen, saved, contacts()]).toEqual([['1@lid typing'], [], []])
  start(line.signal, flows)
  await until(() => ended() === 2)
  expect([seen.length, saved]).toEqual([1, [flows.messageId]])
})
