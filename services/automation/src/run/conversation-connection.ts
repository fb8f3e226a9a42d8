import { streamName } from '@prosa/contracts/streams'
import type { EventStore, RecordedEvent } from '@prosa/kernel/event-store/port'

type Found = Pick<RecordedEvent, 'position'> & { connectionId: string }

const later = (found: readonly (Found | undefined)[]): Found | undefined =>
  found.reduce((last, each) => (!last || (each && each.position > last.position) ? each : last), undefined)

const foundIn = ({ position, data }: RecordedEvent): Found | undefined =>
  typeof data.connectionId === 'string' ? { position, connectionId: data.connectionId } : undefined

const readContact = async (store: EventStore, contactId: string) => {
  let chosen: Found | undefined
  const absorbed = new Set<string>()
  for await (const page of store.read(streamName('contact', contactId)))
    for (const event of page) {
      const { type, data } = event
      if (type === 'LineChosen') chosen = foundIn(event)
      else if (type === 'ContactMerged') absorbed.add(String(data.absorbed))
      else if (type === 'ContactSeparated') absorbed.delete(String(data.restored))
    }
  return { chosen, absorbed }
}

/** Many answers and delivery reports may follow the person's last message. */
const maxRead = 5000

const readChat = async (store: EventStore, contactId: string) => {
  let answered: Found | undefined
  let read = 0
  for await (const page of store.readBack(streamName('chat', contactId))) {
    for (const event of page) {
      if (event.type === 'MessageReceived') return { wrote: foundIn(event), answered }
      answered ??= foundIn(event)
    }
    read += page.length
    if (read >= maxRead) break
  }
  return { wrote: undefined, answered }
}

/**
 * For what starts without a message: the later of the person's last message and an attendant's choice, by log order; else the last outgoing
 * message. The sending number is decided at queueing (docs/decisions/0054-line-of-a-conversation.md).
 */
export const conversationConnection = async (store: EventStore, contactId: string): Promise<string | undefined> => {
  const { chosen, absorbed } = await readContact(store, contactId)
  const chats = await Promise.all([contactId, ...absorbed].map((each) => readChat(store, each)))
  const wrote = later(chats.map((each) => each.wrote))
  return (later([chosen, wrote]) ?? later(chats.map((each) => each.answered)))?.connectionId
}
