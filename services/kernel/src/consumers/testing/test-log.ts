import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { deriveId } from '../../derive-id.ts'
import { type Codec, eventCodec } from '../../event-store/codec.ts'
import { memoryEventStore } from '../../event-store/memory.ts'
import type { EventStore, Position } from '../../event-store/port.ts'

export const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 21, 12) + seconds * 1000).toISOString()

export const idOf = (name: string): string => deriveId('test', name)

export interface TestLog {
  store: EventStore
  codec: Codec
  /** Recorded one second after the last; returns the position. */
  append(tenant: string | null, stream: string, event: AnyEvent): Promise<Position>
}

export const testLog = (store: EventStore = memoryEventStore()): TestLog => {
  const codec = eventCodec()
  const lengths = new Map<string, number>()
  let appended = 0
  return {
    store,
    codec,
    async append(tenant, stream, event) {
      const length = lengths.get(stream) ?? 0
      lengths.set(stream, length + 1)
      const id = deriveId('test event', stream, length)
      const metadata = {
        causationId: id,
        correlationId: id,
        actor: { kind: 'system', id: 'test' } as const,
        tenant,
        recordedAt: at(appended++),
      }
      const expected = length === 0 ? 'no_stream' : BigInt(length - 1)
      const result = await store.append(stream, expected, await codec.encode([{ id, stream, event, metadata }]))
      if (!result.ok) throw new Error(`${stream} is not where the test left it`)
      return result.position
    },
  }
}
