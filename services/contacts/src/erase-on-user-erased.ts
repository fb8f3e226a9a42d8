import { addressSubjectsOf } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { beginning, type EventStore } from '@prosa/kernel/event-store/port'
import type { ContactHandlers } from './handlers.ts'

const name = 'erase-on-user-erased'

/** Reads the whole log: no read model is sure to be complete. */
const contactsOf = async (store: EventStore, owner: string): Promise<Set<string>> => {
  const found = new Set<string>()
  for await (const { events } of store.readAll(beginning, { categories: ['contact'] }))
    for (const { type, stream, metadata } of events)
      if (type === 'ContactAdded' && metadata.owner === owner) found.add(parseStream(stream).id)
  return found
}

/** Also disables out-of-hours replies. */
export const eraseOnUserErased = ({
  contacts,
  quickReplies,
  openingHours,
  labels,
  store,
  subjectKeys,
}: ContactHandlers): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const owner = parseStream(event.stream).id
      const context = { ...contextFor(name, event), owner }
      for (const contactId of await contactsOf(store, owner))
        await contacts(contactId, { type: 'EraseContact', data: {} }, context)
      await quickReplies(owner, { type: 'RemoveAllQuickReplies', data: {} }, context)
      await openingHours(owner, { type: 'SetOutOfHoursReply', data: { isOn: false } }, context)
      await labels(owner, { type: 'DeleteAllLabels', data: {} }, context)
      await subjectKeys.erase([], [addressSubjectsOf(owner)])
    },
  },
})
