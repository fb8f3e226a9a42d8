import type { TopicPayload } from '@prosa/contracts/topics'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'
import { isActive } from './contact/contact-state.ts'
import { type Person, personAt } from './contact/person.ts'
import { jidOf, jidsOf } from './contact/whatsapp-address.ts'
import type { ContactHandlers } from './handlers.ts'
import { conversationLines } from './sending/conversation-line.ts'

const betweenMs = 1000

/** Stores nothing; at most once a second per contact. */
export const presenceBridge = (
  handlers: ContactHandlers,
  { pubSub, clock }: Pick<Ports, 'pubSub' | 'clock'>,
  signal: AbortSignal,
): void => {
  const passedAt = lruMap<string, number>(10_000)
  const isTooSoon = (what: string): boolean => {
    const now = Date.parse(clock.now())
    const last = passedAt.get(what)
    if (last !== undefined && now - last < betweenMs) return true
    passedAt.set(what, now)
    return false
  }

  const ownPerson = async (tenant: string, contactId: string): Promise<Person | undefined> => {
    const person = await personAt(handlers, tenant, contactId)
    return isActive(person.state) ? person : undefined
  }

  const opened = async ({ tenant, contactId }: TopicPayload<'contact.opened'>) => {
    if (isTooSoon(`${tenant} ${contactId} opened`)) return
    const person = await ownPerson(tenant, contactId)
    if (person) await pubSub.publish('presence.wanted', { tenant, contactId, jids: jidsOf(person.state) })
  }

  const typing = async ({ tenant, contactId, state }: TopicPayload<'contact.typing'>) => {
    if (isTooSoon(`${tenant} ${contactId} ${state}`)) return
    const person = await ownPerson(tenant, contactId)
    if (!person) return
    const toJid = jidOf(person.state)
    const { current, hadOne } = await conversationLines(handlers, tenant, person)
    // Unknown numbers must not appear as typing.
    if (current === null && hadOne) return
    await pubSub.publish('presence.requested', {
      tenant,
      contactId,
      connectionId: current,
      toJid,
      state,
    })
  }

  pubSub.subscribe('contact.opened', opened, signal)
  pubSub.subscribe('contact.typing', typing, signal)
}
