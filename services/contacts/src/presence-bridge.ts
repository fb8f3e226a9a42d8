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

  const ownPerson = async (owner: string, contactId: string): Promise<Person | undefined> => {
    const person = await personAt(handlers, owner, contactId)
    return isActive(person.state) ? person : undefined
  }

  const opened = async ({ owner, contactId }: TopicPayload<'contact.opened'>) => {
    if (isTooSoon(`${owner} ${contactId} opened`)) return
    const person = await ownPerson(owner, contactId)
    if (person) await pubSub.publish('presence.wanted', { owner, contactId, jids: jidsOf(person.state) })
  }

  const typing = async ({ owner, contactId, state }: TopicPayload<'contact.typing'>) => {
    if (isTooSoon(`${owner} ${contactId} ${state}`)) return
    const person = await ownPerson(owner, contactId)
    if (!person) return
    const toJid = jidOf(person.state)
    const { current, hadOne } = await conversationLines(handlers, owner, person)
    // Unknown numbers must not appear as typing.
    if (current === null && hadOne) return
    await pubSub.publish('presence.requested', {
      owner,
      contactId,
      connectionId: current,
      toJid,
      state,
    })
  }

  pubSub.subscribe('contact.opened', opened, signal)
  pubSub.subscribe('contact.typing', typing, signal)
}
