import { areJidsSameUser, type BinaryNode } from '@whiskeysockets/baileys'

export interface ReceiptUpdate {
  /** Whose device it came from. */
  from: string
  messageIds: string[]
  status: 'delivered' | 'read' | 'played'
}

const statuses: Record<string, ReceiptUpdate['status']> = {
  '': 'delivered',
  // The contact's device has it, and nobody sits in front of it.
  inactive: 'delivered',
  read: 'read',
  played: 'played',
}

/**
 * What a receipt stanza from another person's device reports of messages of ours; undefined for those of our own devices, of
 * groups, and for all that is no tick. Baileys reports the same, but may hold it back for half a minute after linking.
 */
export const receiptUpdate = (
  { attrs, content }: BinaryNode,
  me: { id: string; lid?: string } | undefined,
): ReceiptUpdate | undefined => {
  const { id, from, type = '', participant } = attrs
  const status = statuses[type]
  if (!id || !from || !status || participant) return undefined
  if (areJidsSameUser(from, me?.id) || areJidsSameUser(from, me?.lid)) return undefined
  const items = Array.isArray(content)
    ? content.flatMap((list) => (Array.isArray(list.content) ? list.content : []))
    : []
  return { from, messageIds: [id, ...items.flatMap(({ attrs: item }) => (item.id ? [item.id] : []))], status }
}
