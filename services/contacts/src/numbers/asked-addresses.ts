import { refusals } from '@prosa/contracts/refusals'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import { peopleAt } from '../contact/command-contact-at.ts'
import { isActive } from '../contact/contact-state.ts'
import type { Addresses } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import type { NumberLookUp } from './number-look-up.ts'

/** Of a phone that somebody typed; asks WhatsApp unless known. Refuses numbers without WhatsApp and look-ups beyond the budget. */
export const askedAddresses =
  (handlers: ContactHandlers, lookUp: NumberLookUp) =>
  async (
    tenant: string,
    requestId: string,
    phone: string,
  ): Promise<{ addresses: Addresses & { phone: string }; isTyped: boolean }> => {
    const typed = { phone, lid: null }
    const [known] = await peopleAt(handlers, tenant, typed)
    if (known && isActive(known.state) && known.state.lid) return { addresses: typed, isTyped: true }
    const found = await lookUp(tenant, requestId, phone)
    if (found === 'nobody')
      throw refuse('number_not_on_whatsapp', [{ field: 'phone', message: refusals.number_not_on_whatsapp.title }])
    if (found && 'retryAfterSeconds' in found)
      throw new Refused(
        'too_many_look_ups',
        [{ field: 'phone', message: refusals.too_many_look_ups.title }],
        found.retryAfterSeconds,
      )
    return found ? { addresses: found, isTyped: false } : { addresses: typed, isTyped: true }
  }
