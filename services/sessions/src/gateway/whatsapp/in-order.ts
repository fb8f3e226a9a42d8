import { serialQueue } from '@prosa/kernel/async/keyed-queue'
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'

type Handler = (stanza: BinaryNode) => unknown

/** Baileys queues stanzas with this attribute without waiting for them. */
const asIfLive = (stanza: BinaryNode): BinaryNode =>
  stanza.attrs.offline ? { ...stanza, attrs: { ...stanza.attrs, offline: '' } } : stanza

/**
 * In Baileys messages may overtake each other before decryption, and live ones overtake offline ones. Call before other listeners are
 * added. The returned function is true while the current message is offline.
 */
export const handleMessagesInOrder = ({ ws }: WASocket, onFailure: (error: unknown) => void): (() => boolean) => {
  const handlers = ws.listeners('CB:message') as Handler[]
  ws.removeAllListeners('CB:message')
  const enqueue = serialQueue()
  let isOffline = false

  const handle = async (stanza: BinaryNode) => {
    // WhatsApp repeats unconfirmed messages on the next socket.
    if (!ws.isOpen) return
    isOffline = Boolean(stanza.attrs.offline)
    for (const handler of handlers) await handler(asIfLive(stanza))
  }

  ws.on('CB:message', (stanza: BinaryNode) => {
    enqueue(() => handle(stanza)).catch(onFailure)
  })
  return () => isOffline
}
