import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Codec } from '@prosa/kernel/event-store/codec'
import type { EventStore } from '@prosa/kernel/event-store/port'

export interface Filling {
  /** Total, in streams of 50. */
  events: number
  tenant: string
  eventOf: (contactId: string, revision: number) => AnyEvent
  streamOf: (contactId: string) => string
}

const streamLength = 50
const streamsAtOnce = 128

export const fillLog = async (
  { store, codec }: { store: EventStore; codec: Codec },
  { events, tenant, eventOf, streamOf }: Filling,
): Promise<void> => {
  const appendStream = async (number: number) => {
    const contactId = idOf(`contact ${number}`)
    const stream = streamOf(contactId)
    const length = Math.min(streamLength, events - number * streamLength)
    const identified = Array.from({ length }, (_, revision) => {
      const id = deriveId('filling', stream, revision)
      const metadata = {
        causationId: id,
        correlationId: id,
        actor: { kind: 'system', id: 'test' } as const,
        tenant,
        recordedAt: at(number * streamLength + revision),
      }
      return { id, stream, event: eventOf(contactId, revision), metadata }
    })
    const result = await store.append(stream, 'no_stream', await codec.encode(identified))
    if (!result.ok) throw new Error(`${stream} was there already`)
  }
  let next = 0
  const appendStreams = async () => {
    while (next * streamLength < events) await appendStream(next++)
  }
  await Promise.all(Array.from({ length: streamsAtOnce }, appendStreams))
}
