import { areJidsSameUser, type BinaryNode } from '@whiskeysockets/baileys'

export interface ReceiptUpdate {
  from: string
  messageIds: string[]
  status: 'delivered' | 'read' | 'played'
}

const statuses: Record<string, ReceiptUpdate['status']> = {
  '': 'delivered',
  // The device has it, but nobody is active there.
  inactive: 'delivered',
  read: 'read',
  played: 'played',
}

/** undefined for our own devices, groups and other stanzas. Baileys may buffer receipts for 30 s after linking. */
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
