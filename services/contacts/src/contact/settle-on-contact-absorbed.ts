import { parseStream, streamName } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { ContactHandlers } from '../handlers.ts'
import { stepOf } from '../step-of.ts'
import { settleMerge } from './merge-process.ts'

const name = 'settle-on-contact-absorbed'

/** Completes merges and separations that were interrupted. */
export const settleOnContactAbsorbed = (handlers: ContactHandlers): Reactor => {
  const settle = async (event: StoredOf<'ContactAbsorbed' | 'ContactSeparated' | 'ContactRestored'>, id: string) => {
    const { tenant } = event.metadata
    if (!tenant) throw new Error('a contact without a tenant')
    await settleMerge(handlers, tenant, id, stepOf(contextFor(name, event), id))
  }
  return {
    name,
    categories: ['contact'],
    key: ({ stream, data }) => ('restored' in data ? streamName('contact', data.restored) : stream),
    on: {
      ContactAbsorbed: (event) => settle(event, parseStream(event.stream).id),
      ContactSeparated: (event) => settle(event, event.data.restored),
      ContactRestored: (event) => settle(event, parseStream(event.stream).id),
    },
  }
}
