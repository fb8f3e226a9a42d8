import { deriveId } from '@prosa/kernel/derive-id'
import type { EventStore, RecordedEvent } from '@prosa/kernel/event-store/port'
import { beginning } from '@prosa/kernel/event-store/port'

/** Writes contacts' notes into the log: `published` ones and others in between. */
export const contactLog = (store: EventStore) => {
  const lengths = new Map<string, number>()
  const append = async (who: string, type: string, data: Record<string, string>) => {
    const length = lengths.get(who) ?? 0
    const id = deriveId('test event', who, length)
    const metadata = {
      ...{ causationId: id, correlationId: id, schemaVersion: 1, recordedAt: '2026-11-27T03:00:00.000Z' },
      ...{ actor: { kind: 'system' as const, id: 'test' }, tenant: 'tenant' },
    }
    const expected = length === 0 ? 'no_stream' : BigInt(length - 1)
    const result = await store.append(`contact-${who}`, expected, [{ id, type, data, metadata }])
    if (!result.ok) throw new Error(`contact-${who} is not where the test left it`)
    lengths.set(who, length + 1)
  }
  return {
    accept: (who: string) =>
      append(who, 'ConversationAccepted', { attendantId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }),
    /** Refused by the codec. */
    appendUnknown: (who: string) => append(who, 'OfALaterRelease', {}),
    async all(): Promise<RecordedEvent[]> {
      const events: RecordedEvent[] = []
      for await (const page of store.readAll(beginning, { categories: ['contact'] })) events.push(...page.events)
      return events
    },
  }
}
