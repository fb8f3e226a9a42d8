import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { type Category, streamName } from '@prosa/contracts/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Ports } from '@prosa/kernel/ports'

export interface StoredHistory {
  tenant: string
  contacts: number
  messages: number
  textOf: (message: number) => string
  /** By default every tenth message is the first contact's. */
  contactOf?: (message: number) => number
  /** Of one message from the one before; 1 by default. */
  secondsApart?: number
}

const shareOfFirst = 10
const eventsAtOnce = 500
const streamsAtOnce = 64

export const contactIdOf = (contact: number): string => deriveId('reading bench contact', contact)

const moment = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()

const added = (contact: number): AnyEvent => ({
  type: 'ContactAdded',
  data: { name: `Contato ${contact}`, phone: `55119${10_000_000 + contact}`, lid: null, origin: 'message' },
})

/** Every third message is an answer that was read. */
const messageEvent = (message: number, text: string, sentAt: string): AnyEvent => {
  const about = { messageId: `3EB0${message.toString(16).toUpperCase().padStart(18, '0')}` }
  const data = { ...about, connectionId: deriveId('reading bench line'), content: { kind: 'text', text } as const }
  return message % 3 === 0
    ? { type: 'MessageSentElsewhere', data: { ...data, sentAt } }
    : { type: 'MessageReceived', data: { ...data, sentAt } }
}

const mostlyOthers = (contacts: number) => (message: number) =>
  message % shareOfFirst === 0 ? 0 : 1 + ((message * 7919) % (contacts - 1))

/** Appends a history with encrypted texts. */
export const storeHistory = async (
  { store, codec }: Pick<Ports, 'store' | 'codec'>,
  { tenant, contacts, messages, textOf, contactOf = mostlyOthers(contacts), secondsApart = 1 }: StoredHistory,
): Promise<void> => {
  const append = async (category: Category, id: string, events: readonly AnyEvent[]) => {
    const stream = streamName(category, id)
    for (let from = 0; from < events.length; from += eventsAtOnce) {
      const identified = events.slice(from, from + eventsAtOnce).map((event, index) => {
        const eventId = deriveId('reading bench', stream, from + index)
        const actor = { kind: 'system', id: 'bench' } as const
        const recordedAt = 'sentAt' in event.data ? event.data.sentAt : moment(0)
        const metadata = { causationId: eventId, correlationId: eventId, actor, tenant, recordedAt }
        return { id: eventId, stream, event, metadata }
      })
      const expected = from === 0 ? 'no_stream' : BigInt(from - 1)
      const result = await store.append(stream, expected, await codec.encode(identified))
      if (!result.ok) throw new Error(`${stream} was there already`)
    }
  }

  const chats: AnyEvent[][] = Array.from({ length: contacts }, () => [])
  for (let message = 0; message < messages; message++) {
    chats[contactOf(message)]?.push(messageEvent(message, textOf(message), moment(message * secondsApart)))
  }
  let next = 0
  const appendContacts = async () => {
    while (next < contacts) {
      const contact = next++
      await append('contact', contactIdOf(contact), [added(contact)])
      await append('chat', contactIdOf(contact), chats[contact] ?? [])
    }
  }
  await Promise.all(Array.from({ length: streamsAtOnce }, appendContacts))
}
