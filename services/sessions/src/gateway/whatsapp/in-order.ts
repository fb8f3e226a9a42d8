import { serialQueue } from '@prosa/kernel/async/keyed-queue'
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'

type Handler = (stanza: BinaryNode) => unknown

/** Baileys puts stanzas with this attribute into a line of their own, and whoever waits for it waits for nothing. */
const asIfLive = (stanza: BinaryNode): BinaryNode =>
  stanza.attrs.offline ? { ...stanza, attrs: { ...stanza.attrs, offline: '' } } : stanza

/**
 * Baileys looks up addresses of a message before it waits for its turn to be decrypted, so that one message may overtake
 * another, and lets all that is live overtake what WhatsApp kept while we were away. Here each is handled to its end before the
 * next begins. To be called before anybody else listens. What it returns answers whether WhatsApp kept the message that is being
 * handled, which Baileys then calls live.
 */
export const handleMessagesInOrder = ({ ws }: WASocket, onFailure: (error: unknown) => void): (() => boolean) => {
  const handlers = ws.listeners('CB:message') as Handler[]
  ws.removeAllListeners('CB:message')
  const inTurn = serialQueue()
  let wasKept = false

  const handle = async (stanza: BinaryNode) => {
    // WhatsApp repeats on the next socket what was not confirmed on this one, whose keys are about to be closed.
    if (!ws.isOpen) return
    wasKept = Boolean(stanza.attrs.offline)
    for (const handler of handlers) await handler(asIfLive(stanza))
  }

  ws.on('CB:message', (stanza: BinaryNode) => {
    inTurn(() => handle(stanza)).catch(onFailure)
  })
  return () => wasKept
}
