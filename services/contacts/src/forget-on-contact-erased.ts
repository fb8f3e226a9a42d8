import { addressSubject, contactSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/reactors/reactor'
import type { ContactHandlers } from './handlers.ts'
import { type Addresses, jidsOf } from './whatsapp-address.ts'

const name = 'forget-on-contact-erased'

/** Every address that the contact ever had; none once its key is destroyed. */
const addressesEver = async ({ store, codec }: ContactHandlers, stream: string): Promise<Addresses[]> => {
  const found: Addresses[] = []
  for await (const page of store.read(stream))
    for (const { type, data } of await codec.decode(page))
      if (type === 'ContactAdded' || type === 'ContactIdentified') found.push({ phone: data.phone, lid: data.lid })
  return found
}

/**
 * After the proof comes the destruction: the chat is closed, the addresses are free for whoever writes from them next, and
 * last of all the keys go, without which nothing of this could be found again. Each step is harmless to repeat.
 */
export const forgetOnContactErased = (handlers: ContactHandlers): Reactor => ({
  name,
  categories: ['contact'],
  key: ({ stream }) => stream,
  on: {
    async ContactErased(event) {
      const { chats, directory, subjectKeys, box } = handlers
      const { owner } = event.metadata
      if (!owner) throw new Error('a contact without an owner')
      const contactId = parseStream(event.stream).id
      const context = contextFor(name, event)
      const closed = await chats(contactId, { type: 'EraseChat', data: {} }, context)
      if (!closed.ok) throw new Error('the chat belongs to another tenant than its contact')
      const addresses = await addressesEver(handlers, event.stream)
      for (const each of addresses) await directory.release(owner, contactId, each, context)
      const jids = new Set(addresses.flatMap(jidsOf))
      await subjectKeys.erase([
        contactSubject(contactId),
        ...[...jids].map((jid) => addressSubject(owner, jid, box.fingerprint)),
      ])
    },
  },
})
