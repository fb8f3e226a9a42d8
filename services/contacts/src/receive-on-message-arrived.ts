import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import type { CommandContext } from '@prosa/kernel/command-handler'
import { contextFor, type Reactor } from '@prosa/kernel/reactors/reactor'
import type { ContactHandlers } from './handlers.ts'
import { tellContactAt } from './tell-contact-at.ts'
import { addressesOf } from './whatsapp-address.ts'

const name = 'receive-on-message-arrived'

/**
 * What a line heard becomes part of a conversation: finds or adds the contact, learns its addresses and name, keeps the
 * message, and reopens a resolved conversation. Chats do not wait for each other.
 */
export const receiveOnMessageArrived = (handlers: ContactHandlers): Reactor => ({
  name,
  categories: ['line'],
  key: (event) => (event.type === 'MessageArrived' ? `${event.stream} ${event.data.chatJid}` : event.stream),
  on: {
    async MessageArrived(event) {
      const { contacts, chats, erasedTenants } = handlers
      const { owner } = event.metadata
      if (!owner) throw new Error('a line without an owner')
      const { messageId, chatJid, alternateJid, fromMe, pushName, content, sentAt } = event.data
      // Whoever wrote this was erased before it was received.
      if (chatJid === erasedText) return
      const addresses = addressesOf(chatJid, alternateJid)
      const connectionId = parseStream(event.stream).id
      const context: CommandContext = { ...contextFor(name, event), actor: { kind: 'whatsapp', id: connectionId } }

      const { id: contactId, events } = await tellContactAt(
        handlers,
        owner,
        addresses,
        fromMe
          ? { type: 'NoteWriting', data: addresses }
          : { type: 'HearFromContact', data: { ...addresses, name: pushName?.trim() || null } },
        context,
      )
      // Lines of an erased account may still hear something until they are down.
      if (events.some(({ type }) => type === 'ContactAdded') && (await erasedTenants.has(owner))) {
        await contacts(contactId, { type: 'EraseContact', data: {} }, context)
        return
      }
      const arrival = { messageId, connectionId, content, sentAt }
      const kept = await chats(
        contactId,
        fromMe ? { type: 'RecordMessageSentElsewhere', data: arrival } : { type: 'ReceiveMessage', data: arrival },
        context,
      )
      if (!kept.ok) throw new Error('the contact was erased in this very moment: the next try finds a new one')
    },
  },
})
