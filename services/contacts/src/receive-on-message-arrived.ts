import { parseStream } from '@prosa/contracts/streams'
import type { CommandContext } from '@prosa/kernel/command-handler'
import { contextFor, type Reactor } from '@prosa/kernel/reactors/reactor'
import type { ContactHandlers } from './handlers.ts'
import { addressesOf } from './whatsapp-address.ts'

const name = 'receive-on-message-arrived'

/**
 * What a line heard becomes part of a conversation: finds or adds the contact, learns its addresses and name, keeps the
 * message, and reopens a resolved conversation. Chats do not wait for each other.
 */
export const receiveOnMessageArrived = ({ contacts, chats, directory }: ContactHandlers): Reactor => ({
  name,
  categories: ['line'],
  key: (event) => (event.type === 'MessageArrived' ? `${event.stream} ${event.data.chatJid}` : event.stream),
  on: {
    async MessageArrived(event) {
      const { owner } = event.metadata
      if (!owner) throw new Error('a line without an owner')
      const { messageId, chatJid, alternateJid, fromMe, pushName, content, sentAt } = event.data
      const addresses = addressesOf(chatJid, alternateJid)
      const connectionId = parseStream(event.stream).id
      const context: CommandContext = { ...contextFor(name, event), actor: { kind: 'whatsapp', id: connectionId } }

      const contactId = await directory.claim(owner, addresses, context)
      await contacts(
        contactId,
        fromMe
          ? { type: 'NoteWriting', data: addresses }
          : { type: 'HearFromContact', data: { ...addresses, name: pushName?.trim() || null } },
        context,
      )
      const arrival = { messageId, connectionId, content, sentAt }
      await chats(
        contactId,
        fromMe ? { type: 'RecordMessageSentElsewhere', data: arrival } : { type: 'ReceiveMessage', data: arrival },
        context,
      )
    },
  },
})
