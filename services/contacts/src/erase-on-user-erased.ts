import { addressSubjectsOf } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { ContactsOfTenant } from './contact/tenant-contacts.ts'
import type { ContactHandlers } from './handlers.ts'

const name = 'erase-on-user-erased'

/** Also disables out-of-hours replies. */
export const eraseOnUserErased = (
  { contacts, quickReplies, openingHours, labels, contactFields, subjectKeys }: ContactHandlers,
  contactsOf: ContactsOfTenant,
): Reactor => ({
  name,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const tenant = parseStream(event.stream).id
      const context = { ...contextFor(name, event), tenant }
      const asked = new Set<string>()
      // Until none is left that was added meanwhile.
      for (let upTo = event.position; ; ) {
        const left = (await contactsOf(tenant, upTo)).filter((contactId) => !asked.has(contactId))
        if (left.length === 0) break
        for (const contactId of left) {
          const outcome = await contacts(contactId, { type: 'EraseContact', data: {} }, context)
          if (outcome.ok && outcome.position && outcome.position > upTo) upTo = outcome.position
          asked.add(contactId)
        }
      }
      await quickReplies(tenant, { type: 'RemoveAllQuickReplies', data: {} }, context)
      await openingHours(tenant, { type: 'SetOutOfHoursReply', data: { isOn: false } }, context)
      await labels(tenant, { type: 'DeleteAllLabels', data: {} }, context)
      await contactFields(tenant, { type: 'DeleteAllContactFields', data: {} }, context)
      await subjectKeys.erase([], [addressSubjectsOf(tenant)])
    },
  },
})
