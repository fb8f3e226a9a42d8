import type { ContactHandlers } from '../handlers.ts'
import type { Addresses } from './whatsapp-address.ts'

/** Oldest first; empty without a key. */
export const addressesEver = async (
  { store, codec }: Pick<ContactHandlers, 'store' | 'codec'>,
  contactId: string,
): Promise<Addresses[]> => {
  const found: Addresses[] = []
  for await (const page of store.read(`contact-${contactId}`))
    for (const { type, data } of await codec.decode(page))
      if (type === 'ContactAdded' || type === 'ContactIdentified') found.push({ phone: data.phone, lid: data.lid })
  return found
}
