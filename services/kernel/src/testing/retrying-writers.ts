import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailable } from '../async/reachability.ts'
import { beginning, type EventStore, type NewEvent } from '../event-store/port.ts'

/** All but the first two must be 0. */
export interface WritersVerdict {
  acknowledged: number
  /** After an unknown outcome. */
  askedAgain: number
  /** Acknowledged, but not in the log. */
  lost: number
  /** In the log more than once. */
  doubled: number
  /** Acknowledged for another revision. */
  misplaced: number
  /** A conflict although the stream has no other writer. */
  falseConflicts: number
}

export interface RetryingWriters {
  acknowledged(): number
  stop(): Promise<void>
  verdict(log: EventStore): Promise<WritersVerdict>
}

const event = (): NewEvent => ({
  id: randomUUID(),
  type: 'Written',
  data: { text: 'some words of ordinary length' },
  metadata: {
    causationId: 'test',
    correlationId: 'test',
    actor: { kind: 'system', id: 'test' },
    tenant: null,
    schemaVersion: 1,
    recordedAt: '2026-01-01T00:00:00.000Z',
  },
})

/** Writers use own streams, expected revisions and retries with the same ids, like commands; a new stream every 20 events. */
export const retryingWriters = (store: EventStore, count: number, category = 'faults'): RetryingWriters => {
  const acknowledged = new Map<string, { stream: string; revision: bigint }>()
  let askedAgain = 0
  let falseConflicts = 0
  let writing = true

  const untilAcknowledged = async (stream: string, before: bigint, written: NewEvent) => {
    for (;;) {
      try {
        const result = await store.append(stream, before < 0n ? 'no_stream' : before, [written])
        if (result.ok) acknowledged.set(written.id, { stream, revision: result.revision })
        else falseConflicts++
        return
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        askedAgain++
        await delay(20)
      }
    }
  }

  const write = async () => {
    while (writing) {
      const stream = `${category}-${randomUUID()}`
      for (let before = -1n; writing && before < 19n; before++) await untilAcknowledged(stream, before, event())
    }
  }
  const done = Promise.all(Array.from({ length: count }, write))

  return {
    acknowledged: () => acknowledged.size,
    async stop() {
      writing = false
      await done
    },
    async verdict(log) {
      const found = new Map<string, { stream: string; revision: bigint }>()
      let doubled = 0
      for await (const { events } of log.readAll(beginning, { categories: [category] }))
        for (const { id, stream, revision } of events) {
          if (found.has(id)) doubled++
          found.set(id, { stream, revision })
        }
      let lost = 0
      let misplaced = 0
      for (const [id, { stream, revision }] of acknowledged) {
        const recorded = found.get(id)
        if (!recorded) lost++
        else if (recorded.stream !== stream || recorded.revision !== revision) misplaced++
      }
      return { acknowledged: acknowledged.size, askedAgain, lost, doubled, misplaced, falseConflicts }
    },
  }
}
