import { streamName } from '@prosa/contracts/streams'
import { contactId } from '@prosa/contracts/values/ids'
import type { EventStore } from '@prosa/kernel/event-store/port'

/** From the first event of its stream. */
export const ownerOfContact = async (store: EventStore, id: unknown): Promise<string | undefined> => {
  const known = contactId.safeParse(id)
  if (!known.success) return undefined
  for await (const [first] of store.read(streamName('contact', known.data))) return first?.metadata.owner ?? undefined
  return undefined
}
