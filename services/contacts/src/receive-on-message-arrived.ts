import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { addressSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import { canonicalPhone } from '@prosa/contracts/values/phone'
import { visibleName } from '@prosa/contracts/values/visible-name'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { ChatCommand } from './chat.ts'
import { commandContactAt, peopleAt } from './command-contact-at.ts'
import type { ContactHandlers } from './handlers.ts'
import { chatIdsOf, chatWith } from './person.ts'
import { addressesOf } from './whatsapp-address.ts'

const name = 'receive-on-message-arrived'

type About = Extract<AnyEvent, { type: 'EditArrived' | 'DeletionArrived' | 'ReactionArrived' }>

/** What is written in one chat of one line stays in its order, by whichever of its two addresses the chat is called. */
const keyOf = ({ stream, data }: Stored): string => {
  if (!('chatJid' in data)) return stream
  const { lid, phone } = addressesOf(data.chatJid, data.alternateJid)
  return `${stream} ${lid ?? (phone ? canonicalPhone(phone) : data.chatJid)}`
}

const ownerOf = ({ metadata }: Stored): string => {
  if (!metadata.owner) throw new Error('a line without an owner')
  return metadata.owner
}

const commandOf = ({ type, data }: About): ChatCommand => {
  const { messageId } = data
  const by = data.fromMe ? 'user' : 'contact'
  if (type === 'EditArrived')
    return { type: 'EditMessage', data: { messageId, by, content: data.content, editedAt: data.editedAt } }
  if (type === 'DeletionArrived') return { type: 'DeleteMessage', data: { messageId, by, deletedAt: data.deletedAt } }
  const { reactionId, emoji, reactedAt } = data
  return { type: 'ReactToMessage', data: { messageId, reactionId, by, emoji, reactedAt } }
}

/**
 * What a line received becomes part of a conversation: finds or adds the contact, learns its addresses and name, keeps the
 * message, and reopens a resolved conversation. Edits, deletions and reactions follow the message that they are about. Chats do
 * not wait for each other.
 */
export const receiveOnMessageArrived = (handlers: ContactHandlers): Reactor => {
  const contextOf = (event: Stored): CommandContext => ({
    ...contextFor(name, event),
    actor: { kind: 'whatsapp', id: parseStream(event.stream).id },
    asOf: event.position,
  })

  /** Where nobody knows the message, nothing happens: it may be older than the linking. */
  const passToChat = async (event: Stored<About>) => {
    const { chats, erasedTenants, subjectKeys, box } = handlers
    const { messageId, chatJid, alternateJid } = event.data
    if (chatJid === erasedText) return
    const owner = ownerOf(event)
    const people = await peopleAt(handlers, owner, addressesOf(chatJid, alternateJid))
    const chatIds = people.flatMap((person) => [...chatIdsOf(person), ...person.state.separated])
    const found = await chatWith(handlers, owner, chatIds, messageId)
    if (found) await chats(found.id, commandOf(event), contextOf(event))
    // Lines of an erased account may still receive something until they are down, and no contact is there to be erased with it.
    else if (await erasedTenants.has(owner)) await subjectKeys.erase([addressSubject(owner, chatJid, box.fingerprint)])
  }

  return {
    name,
    categories: ['line'],
    key: keyOf,
    on: {
      async MessageArrived(event) {
        const { contacts, chats, erasedTenants } = handlers
        const owner = ownerOf(event)
        const { messageId, chatJid, alternateJid, fromMe, pushName, content, sentAt } = event.data
        // Whoever wrote this was erased before it was received.
        if (chatJid === erasedText) return
        const addresses = addressesOf(chatJid, alternateJid)
        // Nobody can be found or written to there.
        if (!addresses.phone && !addresses.lid) return
        const connectionId = parseStream(event.stream).id
        const context = contextOf(event)

        const person = await commandContactAt(
          handlers,
          owner,
          addresses,
          fromMe
            ? { type: 'NoteWriting', data: {} }
            : { type: 'ReceiveFromContact', data: { name: visibleName(pushName ?? '') || null } },
          context,
        )
        // Lines of an erased account may still receive something until they are down.
        if (person.events.some(({ type }) => type === 'ContactAdded') && (await erasedTenants.has(owner))) {
          await contacts(person.id, { type: 'EraseContact', data: {} }, context)
          return
        }
        // Before a merge, or before it was taken back, it may have been kept in another chat already.
        const others = [...person.state.absorbed, ...person.state.separated]
        if (await chatWith(handlers, owner, others, messageId)) return
        const arrival = { messageId, connectionId, content, sentAt }
        const kept = await chats(
          person.id,
          fromMe
            ? { type: 'RecordMessageSentElsewhere', data: arrival }
            : { type: 'ReceiveMessage', data: { ...arrival, receivedAt: event.metadata.recordedAt } },
          context,
        )
        if (!kept.ok) throw new Error('the contact was erased in this very moment: the next try finds a new one')
      },
      EditArrived: passToChat,
      DeletionArrived: passToChat,
      ReactionArrived: passToChat,
    },
  }
}
