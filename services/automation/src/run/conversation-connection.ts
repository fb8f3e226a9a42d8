import { streamName } from '@prosa/contracts/streams'
import type { EventStore, RecordedEvent } from '@prosa/kernel/event-store/port'

type Found = Pick<RecordedEvent, 'position'> & { connectionId: string }

const later = (found: readonly (Found | undefined)[]): Found | undefined =>
  found.reduce((last, each) => (!last || (each && each.position > last.position) ? each : last), undefined)

const foundIn = ({ position, data }: RecordedEvent): Found | undefined =>
  typeof data.connectionId === 'string' ? { position, connectionId: data.connectionId } : undefined

/** Which number an attendant chose last, and who stands behind the contact since they were merged. */
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

/** So far back the last message of the person is looked for: many answers may follow it, and reports of what became of them. */
const maxRead = 5000

/** The last message of the person, read back no further than that, and the last of the own side where there is none. */
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
 * The connection that a conversation is on, for what starts without a message: the one that the person wrote to last or that somebody chose since,
 * by the order of the log; where neither is so, the one over which the own side wrote. Over which number the flow speaks is decided
 * when that is queued (docs/decisions/0054-line-of-a-conversation.md).
 */
export const conversationConnection = async (store: EventStore, contactId: string): Promise<string | undefined> => {
  const { chosen, absorbed } = await readContact(store, contactId)
  const chats = await Promise.all([contactId, ...absorbed].map((each) => readChat(store, each)))
  const wrote = later(chats.map((each) => each.wrote))
  return (later([chosen, wrote]) ?? later(chats.map((each) => each.answered)))?.connectionId
}
