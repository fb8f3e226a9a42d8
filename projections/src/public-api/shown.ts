import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import type { PublicContact, PublicMessage } from '@prosa/contracts/http/public/public-api'

export const shownContact = (contact: Contact): PublicContact => ({
  id: contact.id,
  name: contact.name,
  phone: contact.phone,
  status: contact.serviceStatus,
  connectionId: contact.connectionId,
  lastActivityAt: contact.lastActivity,
  waitingSince: contact.waitingSince,
})

const authorOf = ({ sender, sentElsewhere, isAutomatic, isFlow, isProgram }: Message): PublicMessage['author'] => {
  if (sender === 'contact') return 'contact'
  if (sentElsewhere) return 'phone'
  if (isFlow) return 'flow'
  if (isProgram) return 'program'
  return isAutomatic ? 'rule' : 'attendant'
}

export const shownMessage = (message: Message): PublicMessage => ({
  id: message.id,
  contactId: message.contactId,
  connectionId: message.connectionId,
  direction: message.sender === 'contact' ? 'in' : 'out',
  author: authorOf(message),
  kind: message.kind,
  text: message.content,
  sentAt: message.timestamp,
  status: message.status,
  failure: message.failure,
  quotedId: message.quoted?.id ?? null,
  editedAt: message.editedAt,
})
