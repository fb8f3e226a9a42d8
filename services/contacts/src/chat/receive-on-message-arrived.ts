import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { addressSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import { canonicalPhone } from '@prosa/contracts/values/phone'
import { visibleName } from '@prosa/contracts/values/text/visible-name'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { commandContactAt, peopleAt, wasErasedSince } from '../contact/command-contact-at.ts'
import { chatIdsOf, chatWith } from '../contact/person.ts'
import { addressesOf } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import type { ChatCommand } from './chat.ts'

const name = 'receive-on-message-arrived'

type About = Extract<AnyEvent, { type: 'EditArrived' | 'DeletionArrived' | 'ReactionArrived' }>

/** Keeps a chat in order under either of its addresses. */
const keyOf = ({ stream, data }: Stored): string => {
  if (!('chatJid' in data)) return stream
  const { lid, phone } = addressesOf(data.chatJid, data.alternateJid)
  return `${stream} ${lid ?? (phone ? canonicalPhone(phone) : data.chatJid)}`
}

const tenantOf = ({ metadata }: Stored): string => {
  if (!metadata.tenant) throw new Error('a line without a tenant')
  return metadata.tenant
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

/** Adds or updates the contact, stores the message, reopens a resolved conversation. Chats are independent. */
export const receiveOnMessageArrived = (handlers: ContactHandlers): Reactor => {
  const contextOf = (event: Stored): CommandContext => ({
    ...contextFor(name, event),
    actor: { kind: 'whatsapp', id: parseStream(event.stream).id },
    asOf: event.position,
  })

  /** Unknown messages may predate linking. */
  const passToChat = async (event: Stored<About>) => {
    const { chats, accountErasures, subjectKeys, box } = handlers
    const { messageId, chatJid, alternateJid } = event.data
    if (chatJid === erasedText) return
    const tenant = tenantOf(event)
    const people = await peopleAt(handlers, tenant, addressesOf(chatJid, alternateJid))
    const chatIds = people.flatMap((person) => [...chatIdsOf(person), ...person.state.separated])
    const found = await chatWith(handlers, tenant, chatIds, messageId)
    if (found) await chats(found.id, commandOf(event), contextOf(event))
    // An erased tenant's lines may still receive; nothing else would erase this.
    else if (await accountErasures.load(tenant, tenant))
      await subjectKeys.erase([addressSubject(tenant, chatJid, box.fingerprint)])
  }

  return {
    name,
    categories: ['line'],
    key: keyOf,
    on: {
      async MessageArrived(event) {
        const { contacts, chats, accountErasures } = handlers
        const tenant = tenantOf(event)
        const { messageId, chatJid, alternateJid, fromMe, pushName, content, sentAt } = event.data
        // The writer was erased before receipt.
        if (chatJid === erasedText) return
        const addresses = addressesOf(chatJid, alternateJid)
        if (!addresses.phone && !addresses.lid) return
        if (await wasErasedSince(handlers, tenant, addresses, event.position)) return
        const connectionId = parseStream(event.stream).id
        const context = contextOf(event)

        const person = await commandContactAt(
          handlers,
          tenant,
          addresses,
          fromMe
            ? { type: 'NoteWriting', data: {} }
            : { type: 'ReceiveFromContact', data: { name: visibleName(pushName ?? '') || null } },
          context,
        )
        // An erased tenant's lines may still receive.
        if (person.events.some(({ type }) => type === 'ContactAdded') && (await accountErasures.load(tenant, tenant))) {
          await contacts(person.id, { type: 'EraseContact', data: {} }, context)
          return
        }
        // A merge may have it in another chat.
        const others = [...person.state.absorbed, ...person.state.separated]
        if (await chatWith(handlers, tenant, others, messageId)) return
        const arrival = { messageId, connectionId, content, sentAt }
        const recorded = await chats(
          person.id,
          fromMe
            ? { type: 'RecordMessageSentElsewhere', data: arrival }
            : { type: 'ReceiveMessage', data: { ...arrival, receivedAt: event.metadata.recordedAt } },
          context,
        )
        if (!recorded.ok) throw new Error('the contact was erased meanwhile: the retry adds a new one')
      },
      EditArrived: passToChat,
      DeletionArrived: passToChat,
      ReactionArrived: passToChat,
    },
  }
}
