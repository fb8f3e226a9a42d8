import { addressSubject, contactSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { ContactHandlers } from '../handlers.ts'
import { stepOf } from '../step-of.ts'
import { addressesEver } from './addresses-ever.ts'
import { jidsOf } from './whatsapp-address.ts'

const name = 'forget-on-contact-erased'

/** Destroys keys last: without them the rest could not be found. Each step is idempotent. */
export const forgetOnContactErased = (handlers: ContactHandlers): Reactor => ({
  name,
  categories: ['contact'],
  key: ({ stream }) => stream,
  on: {
    async ContactErased(event) {
      const { contacts, chats, directory, subjectKeys, box } = handlers
      const { tenant } = event.metadata
      if (!tenant) throw new Error('a contact without a tenant')
      const contactId = parseStream(event.stream).id
      const context = contextFor(name, event)
      const { into, absorbed } = await contacts.load(contactId, tenant)
      for (const id of into ? [into, ...absorbed] : absorbed)
        await contacts(id, { type: 'EraseContact', data: {} }, stepOf(context, id))
      const closed = await chats(contactId, { type: 'EraseChat', data: {} }, context)
      if (!closed.ok) throw new Error('the chat belongs to another tenant than its contact')
      const addresses = await addressesEver(handlers, contactId)
      for (const holder of into ? [contactId, into] : [contactId])
        for (const each of addresses) await directory.release(tenant, holder, each, context)
      const jids = new Set(addresses.flatMap(jidsOf))
      await subjectKeys.erase([
        contactSubject(contactId),
        ...[...jids].map((jid) => addressSubject(tenant, jid, box.fingerprint)),
      ])
    },
  },
})
