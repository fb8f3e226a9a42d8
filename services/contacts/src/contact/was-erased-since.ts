import { streamName } from '@prosa/contracts/streams'
import type { Position } from '@prosa/kernel/event-store/port'
import type { ContactHandlers } from '../handlers.ts'
import type { Addresses } from './whatsapp-address.ts'

type Handlers = Pick<ContactHandlers, 'directory' | 'store'>

const isErasedAfter = async (store: Handlers['store'], contactId: string, position: Position): Promise<boolean> => {
  for await (const page of store.readBack(streamName('contact', contactId))) {
    const erased = page.find(({ type }) => type === 'ContactErased')
    if (erased) return erased.position > position
    if (page.some((event) => event.position < position)) return false
  }
  return false
}

/** True if a holder of these addresses was erased after `position`: an arrival read again after a crash must not make the person a new contact. */
export const wasErasedSince = async (
  { directory, store }: Handlers,
  owner: string,
  addresses: Addresses,
  position: Position,
): Promise<boolean> => {
  if (directory.cachedHolder(owner, addresses)) return false
  for (const contactId of await directory.findErasable(owner, addresses))
    if (await isErasedAfter(store, contactId, position)) return true
  return false
}
